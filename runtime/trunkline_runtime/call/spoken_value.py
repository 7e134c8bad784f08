"""How a value sounds: digits of a number apart, a date with its weekday, an amount without `.0`."""

from collections.abc import Mapping
from datetime import date, datetime, time

from trunkline_runtime.table.canonical import Json

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def spoken(value: Json, kind: str | None, language: str) -> str:
    """The words for a value of a declared type (`date`, `phone`, …), for a template.

    Dates and times are put into words in English and stay ISO elsewhere, which the speech model of
    that language reads better than English words.
    """
    if isinstance(value, bool):
        return ("yes" if value else "no") if language.startswith("en") else str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.2f}"
    if isinstance(value, Mapping | list | tuple) or value is None:
        return ""
    text = str(value)
    if kind == "phone":
        return " ".join(text.removeprefix("+"))
    if language.startswith("en"):
        return _in_english(text, kind)
    return text


def _in_english(text: str, kind: str | None) -> str:
    try:
        if kind == "date":
            return _day(date.fromisoformat(text))
        if kind == "time":
            return _clock(time.fromisoformat(text))
        if kind == "datetime":
            instant = datetime.fromisoformat(text)
            return f"{_day(instant.date())} at {_clock(instant.time())}"
    except ValueError:
        return text
    return text


def _day(day: date) -> str:
    return f"{_DAYS[day.weekday()]}, {_MONTHS[day.month - 1]} {day.day}"


def _clock(at: time) -> str:
    hour = at.hour % 12 or 12
    return f"{hour}:{at.minute:02d} {'AM' if at.hour < 12 else 'PM'}"
