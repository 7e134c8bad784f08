"""Digits as people say them: "two oh double five" is 2055, "dos cero cinco cinco" too."""

import re


def _digits(words: str) -> dict[str, str]:
    """From nought to nine; a digit may have several words."""
    return {word: str(n) for n, many in enumerate(words.split()) for word in many.split("/")}


_WORDS = {
    "en": _digits("zero/oh/o/nought one two three four five six seven eight nine"),
    "es": _digits("cero uno/un dos tres cuatro cinco seis siete ocho nueve"),
    "fr": _digits("zéro/zero un/une deux trois quatre cinq six sept huit neuf"),
}
_TIMES = {
    "en": {"double": 2, "triple": 3, "treble": 3},
    "es": {"doble": 2, "triple": 3},
    "fr": {"double": 2, "triple": 3},
}
_PLUS = {"en": "plus", "es": "más", "fr": "plus"}
_SEPARATORS = re.compile(r"[\s,.()/-]+")


def spoken_digits(text: str, language: str) -> str | None:
    """The digits of a text that is nothing but digits, spoken or written; None for anything else.

    A leading plus is kept. "double five" is 55; a number of several digits after "double" is not
    something that anybody says, and gives None.
    """
    base = language.split("-")[0]
    words, repeats = _WORDS.get(base, {}), _TIMES.get(base, {})
    sign = re.compile(rf"^(\+|{_PLUS.get(base, '[+]')}\s)", re.IGNORECASE)
    plus = "+" if sign.match(text.strip()) else ""
    bare = sign.sub("", text.strip())
    digits = ""
    times = 1
    for word in filter(None, _SEPARATORS.split(bare.lower())):
        if word in repeats:
            if times != 1:
                return None
            times = repeats[word]
            continue
        heard = words.get(word, word)
        if not (heard.isascii() and heard.isdigit()) or (times > 1 and len(heard) > 1):
            return None
        digits += heard * times
        times = 1
    return plus + digits if digits and times == 1 else None
