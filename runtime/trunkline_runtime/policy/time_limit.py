"""What opens and closes with time, and the first instant at which all of it is open."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

# Beyond this nothing is foretold: a rule may be years away from coming into force.
HORIZON = timedelta(days=400)


class TimeLimit(Protocol):
    """A window or a cap, seen at one clock."""

    def next_open(self, at: datetime) -> datetime | None:
        """The first instant from `at` on at which it is open; `at` itself if it is open now.

        None if there is none within the horizon.
        """
        ...


def next_open(limits: Sequence[TimeLimit], at: datetime) -> datetime | None:
    """The first instant from `at` on at which every limit is open, or None."""
    last = at + HORIZON
    while at <= last:
        moved = at
        for limit in limits:
            opens = limit.next_open(moved)
            if opens is None:
                return None
            moved = opens
        if moved == at:
            return at
        at = moved
    return None
