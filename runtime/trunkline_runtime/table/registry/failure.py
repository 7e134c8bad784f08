"""What can go wrong with a registry, told apart by what its user can do about it."""


class RegistryError(Exception):
    """A registry did not do what was asked. The message holds no secret and no query string."""


class Denied(RegistryError):
    """It refuses these credentials, or none were found (401, 403)."""


class Later(RegistryError):
    """It asks to be left alone for a while (429, 503). `seconds` is for how long."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class Unreachable(RegistryError):
    """No answer, one that was cut off, one that is too slow, or one that says that it is broken."""


class Nonsense(RegistryError):
    """An answer that no registry gives."""
