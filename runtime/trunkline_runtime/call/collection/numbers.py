"""Whole numbers and amounts: written, with separators and currency, or in English words."""

import re

from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.table.canonical import Json

_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_UNITS = {word: value for value, word in enumerate(_BELOW_TWENTY.split())}
_BY_TEN = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * value for value, word in enumerate(_BY_TEN.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_NOISE = re.compile(
    r"[$€£¥]|\b(?:dollars?|euros?|pounds?|bucks|usd|eur|gbp|exactly|about|around)\b"
)
# 1,234.50 and 1.234,50: the last separator is the decimal one where the language says so.
_COMMA_DECIMAL = frozenset({"de", "fr", "es", "it", "pt", "nl"})
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?$")


def whole_number(raw: Json, hearing: Hearing) -> int:
    """An integer from a number or a text. Raises NotUnderstood."""
    value = amount(raw, hearing)
    if not value.is_integer():
        raise NotUnderstood("it must be a whole number")
    return int(value)


def amount(raw: Json, hearing: Hearing) -> float:
    """A number from a number or a text ("$1,234.50", "forty nine ninety"). Raises NotUnderstood."""
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise NotUnderstood("it must be a number")
    value = _written(raw, hearing) if isinstance(raw, str) else float(raw)
    if value != value or abs(value) > 1e15:
        raise NotUnderstood("it must be a number")
    return value


def _written(text: str, hearing: Hearing) -> float:
    bare = _NOISE.sub(" ", text.lower()).strip()
    compact = re.sub(r"\s", "", bare)
    if hearing.language.split("-")[0] in _COMMA_DECIMAL:
        compact = compact.replace(".", "").replace(",", ".") if "," in compact else compact
    else:
        compact = compact.replace(",", "")
    if _PLAIN.match(compact):
        return float(compact)
    words = english_number(bare)
    if words is None:
        raise NotUnderstood("it must be a number")
    return words


def english_number(text: str) -> float | None:
    """The number that English words say ("twenty-one", "two hundred and five point five")."""
    whole, point, fraction = text.replace("-", " ").partition(" point ")
    value = _whole(whole.split())
    if value is None or not point:
        return None if value is None else float(value)
    digits = [_UNITS.get(word, 10) for word in fraction.split()]
    if not digits or any(digit > 9 for digit in digits):
        return None
    return float(f"{value}." + "".join(str(digit) for digit in digits))


def _whole(words: list[str]) -> int | None:
    total = current = 0
    seen = False
    for word in words:
        if word == "and" and seen:
            continue
        if word in ("a", "an") and not seen:
            current, seen = 1, True
        elif word in _UNITS and current % 100 in (0, *range(20, 100, 10)):
            if current % 100 and _UNITS[word] > 9:
                return None
            current, seen = current + _UNITS[word], True
        elif word in _TENS and current % 100 == 0:
            current, seen = current + _TENS[word], True
        elif word == "hundred" and seen and 0 < current < 100:
            current *= 100
        elif word in _SCALES and word != "hundred" and seen:
            total, current = total + current * _SCALES[word], 0
        else:
            return None
    return total + current if seen else None
