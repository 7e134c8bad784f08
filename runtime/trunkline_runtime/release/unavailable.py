"""A store or a disk that can't be used now: another try may do, nothing was found to be wrong."""

from trunkline_runtime.failure import Refused


class Unavailable(Refused):
    """What was asked for could not be had. `seconds` is when to ask again, if that was said."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds
