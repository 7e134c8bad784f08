"""Hides telephone numbers and secrets in whatever a comparison shows."""

import re
from collections.abc import Mapping

from trunkline.masking import hidden
from trunkline_runtime.table.canonical import Json

_SHOWN = 4
HIDDEN = "[secret]"


def masked(text: str) -> str:
    """The text with the last four digits left of each number, and nothing left of a secret."""
    return hidden(text, masked_number, lambda _: HIDDEN)


def masked_number(number: str) -> str:
    """A telephone number that is known to be one: its last four digits."""
    digits = re.sub(r"\D", "", number)
    return f"…{digits[-_SHOWN:]}"


def masked_json(value: Json) -> Json:
    """The same for every text in a JSON value, keys included."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {masked(key): masked_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [masked_json(item) for item in value]
    return value
