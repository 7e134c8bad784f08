"""Times of day and instants: ISO, or as English speakers say them ("half past three", "3 pm")."""

import re
from datetime import datetime, time

from trunkline_runtime.call.collection.dates import day
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.call.collection.numbers import english_number
from trunkline_runtime.table.canonical import Json

_CLOCK = re.compile(r"^(?P<hour>\d{1,2})(?:[:.h ]?(?P<minute>\d{2}))?\s*(?P<half>am|pm|a m|p m)?$")
_NAMED = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_PAST = re.compile(r"^(?P<what>half|quarter|\w+(?: \w+)?) (?P<way>past|after|to) (?P<hour>.+)$")


def clock_time(raw: Json, hearing: Hearing) -> str:
    """An ISO time of day, `HH:MM`. Raises NotUnderstood, also for a bare "three" (am or pm?)."""
    if not isinstance(raw, str):
        raise NotUnderstood("it must be a time of day")
    text = raw.strip().lower()
    try:
        if re.match(r"^\d{2}:\d{2}", text):
            return time.fromisoformat(text).strftime("%H:%M")
    except ValueError:
        pass
    found = _said(text) if hearing.english else None
    if found is None:
        raise NotUnderstood("it must be a time of day: give it as HH:MM, from 00:00 to 23:59")
    return found.strftime("%H:%M")


def instant(raw: Json, hearing: Hearing) -> str:
    """An ISO date and time with offset, in the called party's zone where none was given.

    Raises NotUnderstood.
    """
    if not isinstance(raw, str):
        raise NotUnderstood("it must be a date and a time")
    text = raw.strip()
    try:
        if re.match(r"^\d{4}-\d{2}-\d{2}[T ]\d", text):
            given = datetime.fromisoformat(text)
            return (given if given.tzinfo else given.replace(tzinfo=hearing.zone)).isoformat()
    except ValueError:
        pass
    for date_words, time_words in _split(text):
        try:
            on, at = day(date_words, hearing), clock_time(time_words, hearing)
        except NotUnderstood:
            continue
        return datetime.fromisoformat(f"{on}T{at}").replace(tzinfo=hearing.zone).isoformat()
    raise NotUnderstood("it must be a date and a time: give it as YYYY-MM-DDTHH:MM")


def _split(text: str) -> list[tuple[str, str]]:
    pairs = [(match[1], match[2]) for match in [re.match(r"^(.+?),? at (.+)$", text)] if match]
    words = text.split()
    pairs += [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return pairs


def _said(text: str) -> time | None:
    words = " ".join(text.replace(".", "" if re.search(r"[ap]\.m", text) else ".").split())
    words = words.removeprefix("at ").removesuffix(" o'clock")
    if words in _NAMED:
        return _NAMED[words]
    if match := _PAST.match(words):
        return _past(match["what"], match["way"], match["hour"])
    words = re.sub(r"^([a-z -]+?) (?=(?:am|pm|a m|p m)$)", _digits, words)
    match = _CLOCK.match(words)
    if match is None:
        return None
    return _clock(
        int(match["hour"]), int(match["minute"] or 0), match["half"], bool(match["minute"])
    )


def _digits(match: re.Match[str]) -> str:
    words = match[1].split()
    hour = english_number(words[0])
    minute = english_number(" ".join(words[1:])) if len(words) > 1 else 0.0
    if hour is None or minute is None:
        return match[0]
    return f"{int(hour)}:{int(minute):02d} "


def _clock(hour: int, minute: int, half: str | None, written: bool) -> time | None:
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    elif hour < 13 and not (written and hour == 0):
        return None  # "three" and "3:30" may be night or day: the model has to ask
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _past(what: str, way: str, hour_words: str) -> time | None:
    minutes = {"half": 30.0, "quarter": 15.0, "a quarter": 15.0}.get(what) or english_number(what)
    hour = _said(hour_words)
    if minutes is None or hour is None:
        return None
    total = hour.hour * 60 + hour.minute + int(minutes if way != "to" else -minutes)
    return time(total // 60 % 24, total % 60)
