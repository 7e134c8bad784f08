"""Calling windows in two revisions, in words: at what hours people may be called, and how much
earlier or later that is."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from trunkline.diff.phrases import joined, plural
from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.week import DAYS, NEVER, Interval, Week

Rule = Mapping[str, Any]
_PARTY = "in the called person's time"


def hours_told(before: Rule, after: Rule) -> str:
    """`people may now be called 07:00-08:00 (1 hour earlier), Mon-Sun, in the called person's
    time`; empty where the hours are the same or cannot be read."""
    try:
        was, now = (Week.from_document(rule.get("hours") or {}) for rule in (before, after))
    except (Malformed, AttributeError):
        return ""
    parts = [
        f"may {told} be called {joined(list(_spans(one.without(other), beside)))}"
        for told, one, other, beside in (
            ("now", now, was, was),
            ("no longer", was, now, NEVER),
        )
        if one.without(other)
    ]
    return f"people {', but '.join(parts)}, {_PARTY}" if parts else ""


def open_told(rule: Rule) -> str:
    """`calls only 08:00-21:00, Mon-Sun, in the called person's time`; empty if unreadable."""
    try:
        week = Week.from_document(rule.get("hours") or {})
    except (Malformed, AttributeError):
        return ""
    return f"calls only {joined(list(_spans(week, NEVER)))}, {_PARTY}" if week else "no calls"


def _spans(week: Week, beside: Week) -> Iterator[str]:
    """The hours of a week, days that are alike together; each with how it lies to `beside`."""

    def alike(day: int) -> tuple[tuple[Interval, ...], tuple[Interval, ...]]:
        return week.days[day], beside.days[day]

    for (intervals, others), grouped in groupby(range(7), key=alike):
        days = list(grouped)
        if not intervals:
            continue
        first, last = (DAYS[day].capitalize() for day in (days[0], days[-1]))
        named = first if len(days) == 1 else f"{first}–{last}"  # noqa: RUF001
        hours = joined([f"{_span(interval)}{_beside(interval, others)}" for interval in intervals])
        yield f"{hours}, {named}"


def _span(interval: Interval) -> str:
    return "–".join(f"{minute // 60:02d}:{minute % 60:02d}" for minute in interval)  # noqa: RUF001


def _beside(interval: Interval, others: tuple[Interval, ...]) -> str:
    """How much earlier or later than another interval, where it touches one."""
    start, end = interval
    told = "earlier" if any(other[0] == end for other in others) else ""
    told = "later" if not told and any(other[1] == start for other in others) else told
    return f" ({_length(end - start)} {told})" if told else ""


def _length(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    parts = [plural(number, word) for number, word in ((hours, "hour"), (rest, "minute")) if number]
    return " ".join(parts)
