"""A tenant's opening hours: whether it is open at an instant."""

from collections.abc import Mapping
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def is_open(hours: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> bool:
    """Whether `now` is within `hours` (`{"mon-fri": "09:00-17:00"}`, or a list of such ranges).

    Ranges are half-open. One that ends before it begins runs past midnight into the next day.
    Without any hours a tenant is never open.
    """
    local = now.astimezone(zone)
    today, clock = local.weekday(), local.time()
    for days, ranges in hours.items():
        for begin, end in _ranges(ranges):
            if begin < end:
                inside = _covers(days, today) and begin <= clock < end
            else:
                inside = (_covers(days, today) and clock >= begin) or (
                    _covers(days, (today - 1) % 7) and clock < end
                )
            if inside:
                return True
    return False


def _covers(days: str, weekday: int) -> bool:
    first, _, last = days.partition("-")
    begin = _DAYS.index(first)
    end = _DAYS.index(last or first)
    if begin <= end:
        return begin <= weekday <= end
    return weekday >= begin or weekday <= end  # sat-mon


def _ranges(written: Any) -> list[tuple[time, time]]:
    texts = [written] if isinstance(written, str) else list(written)
    return [(_clock(text.split("-")[0]), _clock(text.split("-")[1])) for text in texts]


def _clock(text: str) -> time:
    hour, minute = text.strip().split(":")
    # 24:00 is midnight at the end of the day
    return time(0, 0) if int(hour) == 24 else time(int(hour), int(minute))
