"""Plain text: names, reasons, postcodes and codes, kept as they were said or spelled."""

import re

from trunkline_runtime.call.collection.digits import spoken_digits
from trunkline_runtime.call.collection.heard import NotUnderstood
from trunkline_runtime.table.canonical import Json

_LONGEST = 500


def plain_text(raw: Json, pattern: str | None, language: str) -> str:
    """The text with its spaces in order; it must match all of `pattern`. Raises NotUnderstood.

    Digits that were spelled in words ("two oh double one") are taken where only digits fit.
    """
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise NotUnderstood("it must be text")
    text = " ".join(str(raw).split())
    if not text:
        raise NotUnderstood("it is empty")
    if len(text) > _LONGEST:
        raise NotUnderstood(f"it is longer than {_LONGEST} characters")
    if pattern is None or re.fullmatch(pattern, text):
        return text
    for other in (
        spoken_digits(text, language),
        text.upper(),
        text.replace(" ", ""),
        _joined(text),
    ):
        if other is not None and re.fullmatch(pattern, other):
            return other
    raise NotUnderstood("it does not have the form that is needed; ask for it once more")


def _joined(text: str) -> str:
    """Letters and digits that were spelled one by one ("n w 7, 2 b"), in one upper-case word."""
    return re.sub(r"[\s,.-]+", "", text).upper()
