"""Days as English speakers say them ("the fourth of July", "a week from Tuesday")."""

import re
from datetime import date, timedelta

from trunkline_runtime.call.collection.day_words import Said
from trunkline_runtime.call.collection.number_lists import NUMBER_WORDS

_MONTH_NAMES = (
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug "
    "september/sep/sept october/oct november/nov december/dec"
)
_MONTHS = {
    name: number
    for number, names in enumerate(_MONTH_NAMES.split(), start=1)
    for name in names.split("/")
}
_WEEKDAY_NAMES = (
    "monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thurs friday/fri saturday/sat "
    "sunday/sun"
)
_WEEKDAYS = {
    name: number for number, names in enumerate(_WEEKDAY_NAMES.split()) for name in names.split("/")
}
_UP_TO_TWENTY = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS = {word: number for number, word in enumerate(_UP_TO_TWENTY.split(), start=1)}
_ORDINALS |= {"thirtieth": 30, "thirty first": 31}
_ORDINALS |= {
    f"twenty {word}": 20 + number for word, number in list(_ORDINALS.items()) if number < 10
}


def _either(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_DAY = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<word>{_either(_ORDINALS)}))"
_MONTH = rf"(?P<month>{_either(_MONTHS)})"
_YEAR = r"(?: (?P<year>\d{4}|[a-z ]+))?"
_NAMED = rf"(?:(?P<weekday>{_either(_WEEKDAYS)}) )?"
_IN_MONTH = (
    re.compile(rf"{_NAMED}(?:the )?{_DAY}(?: of| day of)? {_MONTH}{_YEAR}"),
    re.compile(rf"{_NAMED}{_MONTH} (?:the )?{_DAY}{_YEAR}"),
)
_ALONE = re.compile(rf"{_NAMED}(?:the )?{_DAY}(?P<which> of (?:this|next) month)?")
_WEEKDAY = re.compile(
    rf"(?P<next>next )?(?:this coming |this |the coming |coming )?(?P<name>{_either(_WEEKDAYS)})"
)
_NEXT_WEEK = re.compile(
    rf"(?:next week (?:on )?(?P<first>{_either(_WEEKDAYS)})|"
    rf"(?P<last>{_either(_WEEKDAYS)}) (?:of )?next week)"
)
_LATER = re.compile(r"(?P<count>a|one|two|three|four) weeks? (?:from |on |after )?(?P<base>.+)")
_WEEK_AFTER = re.compile(rf"(?P<base>{_either(_WEEKDAYS)}|today|tomorrow) week")
_IN = re.compile(
    r"(?:in (?P<a>.+?)|(?P<b>.+?)) (?P<unit>days?|weeks?|fortnights?)(?P<now> from now)?"
)
_NEAR = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
}
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}


def english_day(text: str, today: date) -> Said | date | None:
    """A date, or a day in a month; None for what is neither.

    "Next Friday" on a Monday is the one of the week after.
    """
    words = " ".join(re.sub(r"[,.-]", " ", text.lower()).split()).removeprefix("on ")
    if words in _NEAR:
        return today + timedelta(days=_NEAR[words])
    if match := _WEEKDAY.fullmatch(words):
        return _weekday(_WEEKDAYS[match["name"]], match["next"] is not None, today)
    if match := _NEXT_WEEK.fullmatch(words):
        monday = today + timedelta(days=7 - today.weekday())
        return monday + timedelta(days=_WEEKDAYS[match["first"] or match["last"]])
    for shape in _IN_MONTH:
        if match := shape.fullmatch(words):
            return _in_month(match)
    return _counted(words, today) or _alone(words, today)


def _in_month(match: re.Match[str]) -> Said | None:
    year = None if match["year"] is None else _year(match["year"])
    if match["year"] is not None and year is None:
        return None
    weekday = None if match["weekday"] is None else _WEEKDAYS[match["weekday"]]
    return Said(_MONTHS[match["month"]], _number(match), year, weekday)


def _number(match: re.Match[str]) -> int:
    return int(match["day"]) if match["day"] else _ORDINALS[match["word"]]


def _year(said: str) -> int | None:
    """ "1985", "nineteen eighty five", "two thousand and one", "nineteen oh five"."""
    if said.isdigit():
        return int(said)
    numbers, words = NUMBER_WORDS["en"], said.split()
    whole = numbers.whole(said)
    if whole is not None:
        return whole if 1000 <= whole <= 9999 else None
    century, rest = numbers.whole(words[0]), words[1:]
    if len(rest) > 1 and rest[0] in ("oh", "o"):
        rest = rest[1:]
        small = numbers.whole(" ".join(rest))
        return century * 100 + small if century and small and small < 10 else None
    small = numbers.whole(" ".join(rest))
    fits = century is not None and small is not None and 15 <= century <= 21 and 10 <= small < 100
    return century * 100 + small if fits and century and small else None


def _weekday(wanted: int, next_week: bool, today: date) -> date:
    ahead = (wanted - today.weekday()) % 7 or 7
    # "next Friday" on a Monday is the one of the week after; on a Saturday it is the coming one
    if next_week and ahead + today.weekday() < 7:
        ahead += 7
    return today + timedelta(days=ahead)


def _counted(words: str, today: date) -> date | None:
    """ "in three days", "two weeks from now", "a week from Tuesday", "Tuesday week"."""
    numbers = NUMBER_WORDS["en"]
    match = _IN.fullmatch(words)
    if match and (match["a"] or match["now"]):
        said = match["a"] or match["b"]
        count = int(said) if said.isdigit() else numbers.whole(said)
        if count is None or count > 1000:
            return None
        return today + timedelta(days=count * _DAYS_OF[match["unit"].removesuffix("s")])
    later = _LATER.fullmatch(words) or _WEEK_AFTER.fullmatch(words)
    if later is None:
        return None
    base = english_day(later["base"], today)
    count = numbers.whole(later["count"]) if "count" in later.groupdict() else 1
    return base + timedelta(days=7 * (count or 1)) if isinstance(base, date) else None


def _alone(words: str, today: date) -> date | None:
    """ "the seventh", "Monday the seventh", "the first of next month"."""
    match = _ALONE.fullmatch(words)
    if match is None or (match["day"] and not words.startswith(("the ", *_WEEKDAYS))):
        return None
    number = _number(match)
    weekday = None if match["weekday"] is None else _WEEKDAYS[match["weekday"]]
    which = match["which"] or ""
    for ahead in range(24):
        year, month = divmod(today.year * 12 + today.month - 1 + ahead, 12)
        try:
            found = date(year, month + 1, number)
        except ValueError:
            if which:
                return None
            continue
        if "next" in which and ahead == 0:
            continue
        if found < today and not which:
            continue
        return found if weekday in (None, found.weekday()) else None
    return None
