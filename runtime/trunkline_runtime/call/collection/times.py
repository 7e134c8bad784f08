"""Times of day and instants: ISO, or as people say them ("half past three pm", "halb vier").

A bare "three" may be at night or in the afternoon: it is no time, so that the model asks.
"""

import re
from datetime import datetime, time

from trunkline_runtime.call.collection.clock_words import CLOCK_WORDS, ClockWords, Part
from trunkline_runtime.call.collection.dates import day
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.call.collection.number_lists import number_words
from trunkline_runtime.call.collection.number_words import NumberWords
from trunkline_runtime.table.canonical import Json

_WRITTEN = re.compile(r"(?P<hour>\d{1,2})(?:[:.h ]?(?P<minute>\d{2}))?")
_AT = re.compile(r"^(.+?),? (?:at|um|à|a las|a la) (.+)$")

# More than any day and time is said in; each way to cut a text in two is tried.
_MOST_WORDS = 24


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
    part, rest = _day_part(text, hearing)
    found = _said(rest, part, hearing)
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
    part, rest = _day_part(text.lower(), hearing)
    for date_words, time_words in _split(rest or text.lower()):
        at = _said(time_words, part, hearing)
        if at is None or (part == "night" and at.hour < 6):
            continue  # "Friday at two at night" is a night that has two dates
        try:
            on = day(date_words, hearing)
        except NotUnderstood:
            continue
        return datetime.fromisoformat(f"{on}T{at}").replace(tzinfo=hearing.zone).isoformat()
    raise NotUnderstood("it must be a date and a time: give it as YYYY-MM-DDTHH:MM")


def _split(text: str) -> list[tuple[str, str]]:
    """Each way in which a text may be a date and a time, or a time and a date."""
    words = text.replace(",", " ").split()
    if len(words) > _MOST_WORDS:
        return []
    pairs = [(match[1], match[2]) for match in [_AT.match(text)] if match]
    for cut in range(1, len(words)):
        before, after = " ".join(words[:cut]), " ".join(words[cut:])
        pairs += [(before, after), (after, before)]
    return pairs


def _day_part(text: str, hearing: Hearing) -> tuple[Part | None, str]:
    """The part of the day that a text names, and the text without it. "Tonight" is a day too."""
    words = CLOCK_WORDS.get(hearing.language.split("-")[0])
    plain = " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    for pattern, part in words.parts if words is not None else ():
        if match := pattern.search(plain):
            stays = words.today if words is not None and match[0].startswith(words.this) else ""
            cut = f"{plain[: match.start()]} {stays} {plain[match.end() :]}"
            return part, " ".join(cut.split()).strip(" ,")
    return None, plain


def _said(text: str, part: Part | None, hearing: Hearing) -> time | None:
    """A time of day in words or figures, `part` of the day known or not."""
    base = hearing.language.split("-")[0]
    words, numbers = CLOCK_WORDS.get(base), number_words(hearing.language)
    if words is None or numbers is None:
        return None
    bare = words.lead.sub("", text.strip(" ,."))
    for shapes, sign in ((words.after, 1), (words.before, -1)):
        for shape in shapes:
            if match := shape.fullmatch(bare):
                minute = _minutes(match["minute"], words, numbers)
                hour = _hour(match["hour"], part, words, numbers)
                if minute is not None and hour is not None:
                    return _of_day(hour + sign * minute)
    if words.half_before and bare.startswith(f"{words.half_before} "):
        hour = _hour(bare.removeprefix(f"{words.half_before} "), part, words, numbers)
        return None if hour is None else _of_day(hour - 30)
    plain = " ".join(words.hours.sub(" ", bare).split())
    exact = _hour(bare, part, words, numbers)
    if exact is not None:
        return _of_day(exact)
    if match := _WRITTEN.fullmatch(plain):
        return _clock(int(match["hour"]), int(match["minute"] or 0), part, bool(match["minute"]))
    return _in_words(plain, part, numbers)


def _in_words(text: str, part: Part | None, numbers: NumberWords) -> time | None:
    """ "nine thirty", "nine oh five", "quinze trente", "seventeen hundred"."""
    if match := re.fullmatch(r"(.+) (?:hundred)", text):
        hour = _value(match[1], numbers)
        return None if hour is None else _clock(hour, 0, part, True)
    said = text.replace("-", " ").split()
    for cut in range(1, len(said)):
        hour = numbers.whole(" ".join(said[:cut]))
        tail = said[cut:]
        short = len(tail) > 1 and tail[0] in ("oh", "o", "zero")
        minute = numbers.whole(" ".join(tail[1:] if short else tail))
        if hour is not None and minute is not None and (short or minute >= 10):
            return _clock(hour, minute, part, True)
    return None


def _minutes(text: str, words: ClockWords, numbers: NumberWords) -> int | None:
    bare = re.sub(r"\s*\b(?:minutes?|minutos?|minuten)$", "", text)
    if bare in words.fractions:
        return words.fractions[bare]
    value = _value(bare, numbers)
    return value if value is not None and value < 60 else None


def _hour(text: str, part: Part | None, words: ClockWords, numbers: NumberWords) -> int | None:
    """The minute of the day at which a full hour begins."""
    bare = " ".join(words.hours.sub(" ", words.lead.sub("", text)).split())
    if bare in words.named:
        return words.named[bare]
    number = _value(bare, numbers)
    found = None if number is None else _clock(number, 0, part, False)
    return None if found is None else found.hour * 60


def _value(text: str, numbers: NumberWords) -> int | None:
    return int(text) if re.fullmatch("[0-9]{1,2}", text) else numbers.whole(text)


def _clock(hour: int, minute: int, part: Part | None, written: bool) -> time | None:
    if part is not None and hour < 13:
        if hour == 0:
            return None
        if part == "night":
            # eight at night is in the evening, two at night is not
            part = "pm" if 6 <= hour < 12 else "am"
        hour = hour % 12 + (12 if part == "pm" else 0)
    elif part is None and hour < 13 and not (written and hour == 0):
        return None  # "three" and "3:30" may be night or day: the model has to ask
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _of_day(minutes: int) -> time:
    return time(minutes // 60 % 24, minutes % 60)
