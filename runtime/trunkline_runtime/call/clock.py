"""What time it is for a call: the wall clock, or one that a scenario sets and lets pass."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """`now` is an aware instant in UTC; it never goes back during a call."""

    def now(self) -> datetime: ...


class WallClock:
    """The machine's clock. A step of it backwards is not seen by a call that is running."""

    def __init__(self) -> None:
        self._start = datetime.now(UTC)
        self._tick = time.monotonic()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=time.monotonic() - self._tick)


class SetClock:
    """A clock that stands at an instant until `pass_time` moves it on: for scripted calls."""

    def __init__(self, at: datetime) -> None:
        if at.tzinfo is None:
            raise ValueError("an instant needs its offset from UTC")
        self._now = at.astimezone(UTC)

    def now(self) -> datetime:
        return self._now

    def pass_time(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
