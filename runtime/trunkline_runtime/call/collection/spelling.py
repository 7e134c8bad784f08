"""What was spelled letter by letter: "B as in bravo", "double L", "kilo one alpha", "n w 7"."""

import itertools
import re
from collections.abc import Iterator

from trunkline_runtime.call.collection.digits import spoken_digits

# The alphabet of radio, which callers and agents use in every language, and other names of letters.
_NAMES = (
    "alpha/alfa bravo charlie delta echo foxtrot golf hotel india juliet/juliett kilo lima mike "
    "november oscar papa quebec romeo sierra tango uniform victor whiskey/whisky xray yankee zulu"
)
_LETTERS = {name: names[0].upper() for names in _NAMES.split() for name in names.split("/")} | {
    "zee": "Z",
    "zed": "Z",
    "zeta": "Z",
    "ypsilon": "Y",
    "eszett": "ß",
}
_LIKE = {
    "en": "as in|for|like|as",
    "es": "de|como|como en",
    "fr": "comme|comme dans",
    "de": "wie",
    "it": "come",
    "pt": "de|como",
    "nl": "van|zoals",
}
_TWICE = {"en": "double", "es": "doble", "fr": "double", "de": "doppel"}
# Said between the parts of a code, which stands without them, or takes one where it fits.
_MARKS = frozenset({"dash", "hyphen", "space", "guion", "guión", "tiret", "bindestrich"})
# A letter O and a nought sound alike; five of them make 32 readings of one text.
_MOST_UNSURE = 5
_LONGEST = 60


def letters_named(text: str, language: str) -> str | None:
    """The letters of "D as in David, O, E", as `D-O-E`; None if no letter is explained so."""
    bare = unexplained(text, language)
    letters = _split(bare)
    if bare == text or not letters or any(len(each) != 1 for each in letters):
        return None
    return "-".join(letters).upper()


def readings(text: str, language: str) -> Iterator[str]:
    """What a spelled text may be, in capital letters without spaces, the likeliest first.

    Nothing for a text of which a part is neither letter, digit, nor a name of one.
    """
    if len(text) > _LONGEST * 8:
        return
    base = language.split("-")[0]
    parts: list[tuple[str, ...]] = []
    times = 1
    for word in _split(unexplained(text.lower(), language)):
        if word in _MARKS:
            continue
        if word == _TWICE.get(base):
            times = 2
            continue
        heard = _heard(word, language)
        if heard is None or (times > 1 and len(heard[0]) > 1):
            return
        parts.extend([heard] * times)
        times = 1
    unsure = sum(len(part) > 1 for part in parts)
    if times > 1 or len(parts) > _LONGEST or unsure > _MOST_UNSURE:
        return
    for choice in itertools.product(*parts):
        yield "".join(choice)


def spaced(reading: str) -> Iterator[str]:
    """A reading with one space or hyphen in it, wherever that may be: codes are written so."""
    for mark in (" ", "-"):
        for at in range(1, len(reading)):
            yield f"{reading[:at]}{mark}{reading[at:]}"


def unexplained(text: str, language: str) -> str:
    """The text without "as in bravo" and the like: a word that begins with the letter before."""
    like = _LIKE.get(language.split("-")[0], "as in")
    found = rf"(?<!\w)(?P<letter>\w)[\s,]+(?:{like})\s+(?P=letter)\w+"
    return re.sub(found, lambda match: match["letter"], text, flags=re.IGNORECASE)


def _split(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,./-]+", text) if part]


def _heard(word: str, language: str) -> tuple[str, ...] | None:
    """What one word of a spelled text may stand for."""
    if word == "o":
        return ("O", "0")
    if word == "oh":
        return ("0", "O")
    if word in _LETTERS:
        return (_LETTERS[word],)
    if len(word) == 1 or any(character.isdigit() for character in word):
        return (word.upper(),) if word.isalnum() else None
    digits = spoken_digits(word, language)
    return None if digits is None else (digits,)
