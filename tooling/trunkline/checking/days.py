"""What a day means to rules that begin and end: two days between the same dates mean the same."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY = timedelta(days=1)


def dates_in(document: Any) -> Iterator[str]:
    """Every date that is written in a document, wherever it stands."""
    if isinstance(document, dict):
        for value in document.values():
            yield from dates_in(value)
    elif isinstance(document, list):
        for value in document:
            yield from dates_in(value)
    elif isinstance(document, str):
        yield from _DATE.findall(document)


def meaning_of(day: date, dates: list[str]) -> list[int]:
    """Where the day, the one before and the one after lie among `dates`, which are sorted.

    In the called party's zone it may be either of those; a rule asks whether a day is before, on or
    after one of its dates, and nothing else.
    """
    near = [each.isoformat() for each in (day - _DAY, day, day + _DAY)]
    return [place(dates, each) for each in near for place in (bisect_left, bisect_right)]
