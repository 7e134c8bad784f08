"""A week of opening hours: half-open intervals of minutes for each day."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise

from trunkline_runtime.policy.malformed import Malformed

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_MINUTES = 24 * 60

# [start, end) in minutes after local midnight
Interval = tuple[int, int]
Keep = Callable[[bool, bool], bool]


@dataclass(frozen=True)
class Week:
    """`days[0]` is Monday; each day holds sorted intervals that do not touch."""

    days: tuple[tuple[Interval, ...], ...]

    @classmethod
    def from_document(cls, hours: Mapping[str, object]) -> "Week":
        """From `{mon-fri: "09:00-17:00", sat: ["09:00-12:00", "14:00-17:00"]}`.

        A day that is not named is closed. Raises Malformed.
        """
        days: list[tuple[Interval, ...] | None] = [None] * 7
        for key, written in hours.items():
            intervals = _intervals(written)
            for day in _days(key):
                if days[day] is not None:
                    raise Malformed(f"{DAYS[day]} is given twice; write each day once")
                days[day] = intervals
        return cls(tuple(day or () for day in days))

    def is_open(self, weekday: int, second: float) -> bool:
        """Whether it is open `second` seconds after midnight; the end of an interval is closed."""
        return any(start * 60 <= second < end * 60 for start, end in self.days[weekday])

    def edges(self, weekday: int) -> tuple[int, ...]:
        """The minutes of a day at which it opens or closes, midnight at its end included."""
        inner = {minute for interval in self.days[weekday] for minute in interval}
        return tuple(sorted(inner | {DAY_MINUTES}))

    def without(self, other: "Week") -> "Week":
        """What is open here and closed in `other`."""
        return _combined(self, other, lambda here, there: here and not there)

    def within(self, other: "Week") -> "Week":
        """What is open in both."""
        return _combined(self, other, lambda here, there: here and there)

    def beside(self, other: "Week") -> "Week":
        """What is open in either."""
        return _combined(self, other, lambda here, there: here or there)

    def __bool__(self) -> bool:
        return any(self.days)

    def __str__(self) -> str:
        """In the words of a document: `mon-sat 09:00-21:00, sun 12:00-21:00`."""
        parts: list[str] = []
        for intervals, alike in groupby(range(7), key=lambda day: self.days[day]):
            days = list(alike)
            if intervals:
                name = DAYS[days[0]] if len(days) == 1 else f"{DAYS[days[0]]}-{DAYS[days[-1]]}"
                hours = " and ".join(f"{_clock(start)}-{_clock(end)}" for start, end in intervals)
                parts.append(f"{name} {hours}")
        return ", ".join(parts) or "never"


ALWAYS = Week((((0, DAY_MINUTES),),) * 7)
NEVER = Week(((),) * 7)


def _combined(one: Week, other: Week, keep: Keep) -> Week:
    return Week(tuple(_sweep(a, b, keep) for a, b in zip(one.days, other.days, strict=True)))


def _sweep(one: Iterable[Interval], other: Iterable[Interval], keep: Keep) -> tuple[Interval, ...]:
    one, other = tuple(one), tuple(other)
    cuts = sorted({minute for interval in (*one, *other) for minute in interval})
    kept: list[Interval] = []
    for start, end in pairwise(cuts):
        if not keep(_covers(one, start), _covers(other, start)):
            continue
        if kept and kept[-1][1] == start:
            kept[-1] = (kept[-1][0], end)
        else:
            kept.append((start, end))
    return tuple(kept)


def _covers(intervals: Iterable[Interval], minute: int) -> bool:
    return any(start <= minute < end for start, end in intervals)


def _days(key: str) -> tuple[int, ...]:
    first, _, last = key.partition("-")
    if first not in DAYS or (last and last not in DAYS):
        raise Malformed(f"{key!r} is no day; write mon, sat-sun or mon-fri")
    start = DAYS.index(first)
    length = (DAYS.index(last or first) - start) % 7 + 1
    return tuple((start + step) % 7 for step in range(length))


def _intervals(written: object) -> tuple[Interval, ...]:
    texts = [written] if isinstance(written, str) else written
    if not isinstance(texts, (list, tuple)):
        raise Malformed(f'{written!r} are no hours; write "09:00-17:00"')
    found = sorted(_interval(text) for text in texts)
    for (_, end), (start, _) in pairwise(found):
        if start <= end:
            raise Malformed("two windows of a day overlap or touch; write them as one")
    return tuple(found)


def _interval(text: object) -> Interval:
    try:
        opens, closes = (_minute(part) for part in str(text).split("-"))
    except ValueError:
        raise Malformed(f'{text!r} are no hours; write "09:00-17:00"') from None
    if closes <= opens:
        raise Malformed(
            f"{text!r} closes before it opens; write the time after noon as 13:00 to 24:00, "
            "and a window over midnight as one on each day"
        )
    return opens, closes


def _minute(text: str) -> int:
    if len(text) != 5 or text[2] != ":" or not (text[:2] + text[3:]).isascii():
        raise ValueError(text)
    hour, minute = int(text[:2]), int(text[3:])
    total = hour * 60 + minute
    if minute > 59 or total > DAY_MINUTES or hour < 0 or minute < 0:
        raise ValueError(text)
    return total


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"
