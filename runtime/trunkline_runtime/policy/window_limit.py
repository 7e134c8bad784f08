"""A calling window at one clock: open or closed, why, and when it opens next.

Everything is computed from UTC to local time and never back, so that hours which a clock change
skips or repeats need no special case.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from trunkline_runtime.policy.clock import zone
from trunkline_runtime.policy.rule import Window
from trunkline_runtime.policy.time_limit import HORIZON

_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class WindowLimit:
    """`window` as the clock of `zone_name` sees it."""

    window: Window
    zone_name: str

    def closed_because(self, at: datetime) -> str | None:
        """Why nobody may be called, or None if it is open or not in force there."""
        local = at.astimezone(zone(self.zone_name))
        day = local.date()
        if not self.window.in_force(day):
            return None
        for holidays in self.window.holidays:
            if not holidays.known(day):
                return f"no list says whether {day} is a holiday"
            if day in holidays.names:
                return f"{day} is {holidays.names[day]}"
        if self.window.week.is_open(local.weekday(), _second_of_day(local)):
            return None
        return f"it is {local:%H:%M} on {_DAY_NAMES[local.weekday()]}"

    def next_open(self, at: datetime) -> datetime | None:
        last = at + HORIZON
        while at <= last:
            if self.closed_because(at) is None:
                return at
            at = self._next_change(at)
        return None

    def _next_change(self, at: datetime) -> datetime:
        """The next instant at which the answer may change: an edge, midnight, a clock change."""
        where = zone(self.zone_name)
        local = at.astimezone(where)
        second = _second_of_day(local)
        edge = next(
            minute * 60
            for minute in self.window.week.edges(local.weekday())
            if minute * 60 > second
        )
        later = at + timedelta(seconds=edge - second)
        if later.astimezone(where).utcoffset() == local.utcoffset():
            return later
        return _clock_change(where, at, later)


def _clock_change(where: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """The whole second in (before, after] at which the offset from UTC changes."""
    offset = before.astimezone(where).utcoffset()
    low = before.replace(microsecond=0)
    steps = int((after - low) / _SECOND) + 1
    first, last = 0, steps
    while last - first > 1:
        middle = (first + last) // 2
        if (low + middle * _SECOND).astimezone(where).utcoffset() == offset:
            first = middle
        else:
            last = middle
    return low + last * _SECOND


def _second_of_day(local: datetime) -> float:
    return local.hour * 3600 + local.minute * 60 + local.second + local.microsecond / 1_000_000
