"""The instant that a decision is about, however long its turn was waited for."""

from collections.abc import Callable
from datetime import datetime, timedelta

# What is answered within this time is answered at the instant that was asked about.
_AT_ONCE_SECONDS = 0.1


class Waited:
    """Counts from the moment at which the gate was asked. `seconds` is a clock that only rises.

    The clock of a call may be its own, so what passes is added to the instant that it asked about.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._began = seconds()

    def since(self, asked: datetime) -> datetime:
        """`asked`, and what has passed since, once that is long enough to matter."""
        passed = self._seconds() - self._began
        return asked if passed < _AT_ONCE_SECONDS else asked + timedelta(seconds=passed)
