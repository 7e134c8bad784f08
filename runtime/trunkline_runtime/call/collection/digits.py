"""Digits as people say them: "two oh double five" is 2055."""

import re

_WORDS = {
    "zero": "0",
    "oh": "0",
    "o": "0",
    "nought": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
}
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_SEPARATORS = re.compile(r"[\s,.()/-]+")


def spoken_digits(text: str) -> str | None:
    """The digits of a text that is nothing but digits, spoken or written; None for anything else.

    A leading plus is kept. "double five" is 55; a number of several digits after "double" is not
    something that anybody says, and gives None.
    """
    plus = "+" if text.strip().lower().startswith(("+", "plus ")) else ""
    bare = re.sub(r"^\s*(\+|plus\s)", "", text.strip(), flags=re.IGNORECASE)
    digits = ""
    times = 1
    for word in filter(None, _SEPARATORS.split(bare.lower())):
        if word in _TIMES:
            if times != 1:
                return None
            times = _TIMES[word]
            continue
        heard = _WORDS.get(word, word)
        if not (heard.isascii() and heard.isdigit()) or (times > 1 and len(heard) > 1):
            return None
        digits += heard * times
        times = 1
    return plus + digits if digits and times == 1 else None
