"""Days: ISO, in figures, or as people say them (`english_days`, and `day_words` for others)."""

import re
from datetime import date, datetime
from functools import partial

from trunkline_runtime.call.collection.day_words import Said, spoken_day
from trunkline_runtime.call.collection.english_days import english_day
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.table.canonical import Json

_SLASHED = re.compile(r"^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}))?$")
_YEAR_FIRST = re.compile(r"^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$")
_MONTH_FIRST = frozenset({"en-US"})


def day(raw: Json, hearing: Hearing) -> str:
    """An ISO date. A day without a year is the next one that comes. Raises NotUnderstood."""
    if not isinstance(raw, str):
        raise NotUnderstood("it must be a date")
    text = raw.strip()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        pass
    found = _slashed(text, hearing) or _spoken(text, hearing)
    if found is None:
        raise NotUnderstood("it must be a date: give it as YYYY-MM-DD")
    return found.isoformat()


def _spoken(text: str, hearing: Hearing) -> date | None:
    said = english_day if hearing.english else partial(spoken_day, language=hearing.language)
    found = said(text, today=hearing.today)
    if not isinstance(found, Said):
        return found
    on = _calendar(found.month, found.day, found.year, hearing.today)
    # "Monday the eighth" of a month in which that is a Tuesday: one of the two is wrong
    return on if on is None or found.weekday in (None, on.weekday()) else None


def _slashed(text: str, hearing: Hearing) -> date | None:
    if match := _YEAR_FIRST.match(text):
        return _calendar(int(match[2]), int(match[3]), int(match[1]), hearing.today)
    match = _SLASHED.match(text)
    if match is None:
        return None
    first, second = int(match[1]), int(match[2])
    month, number = (first, second) if hearing.language in _MONTH_FIRST else (second, first)
    return _calendar(month, number, int(match[3]) if match[3] else None, hearing.today)


def _calendar(month: int, number: int, year: int | None, today: date) -> date | None:
    # a 29 February without a year may be up to eight years away
    for candidate in [year] if year else range(today.year, today.year + 9):
        try:
            found = date(candidate, month, number)
        except ValueError:
            continue
        if year or found >= today:
            return found
    return None
