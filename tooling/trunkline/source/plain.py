"""What an unquoted scalar means, or why nobody can be sure: YAML 1.1 against YAML 1.2 (TL004)."""

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

Scalar = str | int | float | bool | None

# RFC 8785 numbers are IEEE doubles: beyond this an integer silently becomes its neighbour.
LARGEST_INTEGER = 2**53 - 1
_DIGITS_A_DOUBLE_KEEPS = 15


class Ambiguous(NamedTuple):
    """Why a scalar must be quoted, as the rest of a sentence that begins with the scalar."""

    reason: str


_KNOWN: dict[str, Scalar | Ambiguous] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    "=": Ambiguous("has a meaning of its own in YAML 1.1"),
}
for _word, _meaning in (
    *((word, "true") for word in ("yes", "on", "y")),
    *((word, "false") for word in ("no", "off", "n")),
):
    for _spelling in {_word, _word.capitalize(), _word.upper()}:
        _KNOWN[_spelling] = Ambiguous(f"is {_meaning} for some YAML readers and text for others")

_MAY_BE_A_NUMBER = frozenset("+-.0123456789")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(?:(?:0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?")


def _reads(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).fullmatch


# In this order: the first that matches tells the reason. The patterns are the union of the
# implicit types of YAML 1.1 (yaml.org/type) and of the core schema of YAML 1.2 (section 10.3.2).
_AMBIGUOUS: tuple[tuple[Callable[[str], object], str], ...] = (
    (
        _reads(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:.*)?"),
        "is a date for some YAML readers and text for others",
    ),
    (
        _reads(r"[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"),
        "is a number in base 60 for some YAML readers and text for others",
    ),
    (
        _reads(r"[-+]?0b[01_]+|[-+]?0o[0-7]+|[-+]?0x[0-9a-fA-F_]+"),
        "is a number in another base for some YAML readers and text for others",
    ),
    (
        _reads(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"),
        "is a number that JSON cannot hold",
    ),
    (
        _reads(r"\+[0-9.][0-9_.]*(?:[eE][-+]?[0-9]+)?"),
        "loses its plus sign: it is read as a number",
    ),
    (
        _reads(r"-?0[0-9_]+(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"),
        "loses its leading zero, and some YAML readers take it for an octal number",
    ),
    (
        _reads(r"-?[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?|-?[0-9_]*\.[0-9]+_[0-9_]*"),
        "is a number for some YAML readers and text for others",
    ),
    (
        _reads(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+"),
        "is a number for some YAML readers and text for others",
    ),
)


def plain_scalar(text: str) -> Scalar | Ambiguous:
    """The value that YAML 1.1 and 1.2 agree on, or why they don't."""
    if text in _KNOWN:
        return _KNOWN[text]
    if text[0] not in _MAY_BE_A_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        return _float(text)
    for matches, reason in _AMBIGUOUS:
        if matches(text):
            return Ambiguous(reason)
    return text


def _integer(text: str) -> int | Ambiguous:
    if text == "-0":
        return Ambiguous("loses its minus sign")
    # The length comes first: Python refuses to read integers of more than 4,300 digits.
    if len(text) > 17 or abs(int(text)) > LARGEST_INTEGER:
        return Ambiguous("is too large for a number: it would lose digits")
    return int(text)


def _float(text: str) -> float | Ambiguous:
    if len(text) > 400:
        return Ambiguous("loses digits as a number")
    value = float(text)
    if math.isinf(value):
        return Ambiguous("is a number that JSON cannot hold")
    if value == 0 and text[0] == "-":
        return Ambiguous("loses its minus sign")
    if len(text) > _DIGITS_A_DOUBLE_KEEPS and Decimal(text) != Decimal(repr(value)):
        return Ambiguous("loses digits as a number")
    return value
