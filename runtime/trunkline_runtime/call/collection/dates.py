"""Days: ISO, or as English speakers say them ("the fourth of July", "next Monday", "tomorrow").

What Spanish and French speakers say is in `day_words`.
"""

import re
from datetime import date, datetime, timedelta

from trunkline_runtime.call.collection.day_words import spoken_day
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.table.canonical import Json

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"),
            ("tuesday", "tue", "tues"),
            ("wednesday", "wed"),
            ("thursday", "thu", "thurs"),
            ("friday", "fri"),
            ("saturday", "sat"),
            ("sunday", "sun"),
        )
    )
    for name in names
}
_UP_TO_TWENTY = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS = {word: number for number, word in enumerate(_UP_TO_TWENTY.split(), start=1)} | {
    "thirtieth": 30,
    "twenty first": 21,
    "twenty second": 22,
    "twenty third": 23,
    "twenty fourth": 24,
    "twenty fifth": 25,
    "twenty sixth": 26,
    "twenty seventh": 27,
    "twenty eighth": 28,
    "twenty ninth": 29,
    "thirty first": 31,
}
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_DAY = rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<word>{_ORDINAL})"
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"
_YEAR = r"(?:\s+(?P<year>\d{4}))?"
_SPOKEN = (
    re.compile(rf"^(?:the )?(?:{_DAY})(?: of)? {_MONTH}{_YEAR}$"),
    re.compile(rf"^{_MONTH} (?:the )?(?:{_DAY}){_YEAR}$"),
)
_SLASHED = re.compile(r"^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}))?$")
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
    if hearing.english:
        return _said(text, hearing.today)
    found = spoken_day(text, hearing.language, hearing.today)
    return _calendar(*found, hearing.today) if isinstance(found, tuple) else found


def _said(text: str, today: date) -> date | None:
    words = " ".join(re.sub(r"[,.-]", " ", text.lower()).split()).removeprefix("on ")
    near = {"today": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2}
    if words in near:
        return today + timedelta(days=near[words])
    weekday = re.match(r"^(this |next |this coming |the coming )?(\w+)$", words)
    if weekday and weekday[2] in _WEEKDAYS:
        return _weekday(_WEEKDAYS[weekday[2]], weekday[1] == "next ", today)
    for shape in _SPOKEN:
        if match := shape.match(words):
            number = int(match["day"]) if match["day"] else _ORDINALS[match["word"]]
            year = int(match["year"]) if match["year"] else None
            return _calendar(_MONTHS[match["month"]], number, year, today)
    return None


def _weekday(wanted: int, next_week: bool, today: date) -> date:
    ahead = (wanted - today.weekday()) % 7 or 7
    # "next Friday" on a Monday is the one of the week after; on a Saturday it is the coming one
    if next_week and ahead + today.weekday() < 7:
        ahead += 7
    return today + timedelta(days=ahead)


def _slashed(text: str, hearing: Hearing) -> date | None:
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
