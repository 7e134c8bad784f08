"""What ends a command of the runtime with one clear sentence instead of a traceback."""


class FatalError(Exception):
    """Something that the operator must put right: wrong usage, or nothing readable. Exit code 2.

    The message is one sentence in the operator's words. It holds no secret and no phone number.
    """

    exit_code = 2


class Refused(FatalError):
    """Something readable that must not be used: a tampered release, a failed check. Exit code 1."""

    exit_code = 1
