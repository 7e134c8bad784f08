"""Digits as people say them: "two oh double five" is 2055, "trente-quatre, zéro six" is 3406."""

import re

from trunkline_runtime.call.collection.number_lists import number_words

# What is said for a nought in a row of digits, and nowhere else.
_NOUGHT = {"en": ("oh", "o")}
_TIMES = {
    "en": {"double": 2, "triple": 3, "treble": 3},
    "es": {"doble": 2, "triple": 3},
    "fr": {"double": 2, "triple": 3},
    "de": {"doppel": 2, "doppelt": 2},
}
_PLUS = {"en": "plus", "es": "más", "fr": "plus", "de": "plus"}
_SEPARATORS = re.compile(r"[\s,.()/-]+")
_HUNDRED = {"en": "hundred", "fr": "cent", "de": "hundert"}


def spoken_digits(text: str, language: str) -> str | None:
    """The digits of a text that is nothing but digits, spoken or written; None for anything else.

    A leading plus is kept. "double five" is 55, "fifty five" too, "eight hundred" is 800; a number
    of several digits after "double" is not something that anybody says, and gives None.
    """
    base = language.split("-")[0]
    sign = re.compile(rf"^(\+|{_PLUS.get(base, '[+]')}\s)", re.IGNORECASE)
    plus = "+" if sign.match(text.strip()) else ""
    bare = sign.sub("", text.strip()).lower()
    found = _row([word for word in _SEPARATORS.split(bare) if word], base)
    return plus + found if found else None


def _row(words: list[str], base: str) -> str | None:
    """The digits of a row of words."""
    repeats = _TIMES.get(base, {})
    digits, times, at = "", 1, 0
    while at < len(words):
        if words[at] in repeats:
            if times != 1:
                return None
            times, at = repeats[words[at]], at + 1
            continue
        heard, used = _next(words, at, base)
        if heard is None or (times > 1 and len(heard) > 1):
            return None
        digits, times, at = digits + heard * times, 1, at + used
    return digits if times == 1 else None


def _next(words: list[str], at: int, base: str) -> tuple[str | None, int]:
    """The digits that the words from `at` say, and how many words that takes: as many as fit."""
    first = words[at]
    if first.isascii() and first.isdigit():
        return first, 1
    if first in _NOUGHT.get(base, ()):
        return "0", 1
    known = number_words(base)
    if known is None:
        return None, 0
    for used in range(min(5, len(words) - at), 0, -1):
        value = known.small.get(" ".join(words[at : at + used]))
        if value is not None:
            following = words[at + used] if at + used < len(words) else None
            if following is not None and following == _HUNDRED.get(base) and value < 10:
                return f"{value}00", used + 1
            return str(value), used
    parts = known.parts(first) if known.glued else None
    if parts is None or any(part not in known.small for part in parts):
        return None, 0
    return "".join(str(known.small[part]) for part in parts), 1
