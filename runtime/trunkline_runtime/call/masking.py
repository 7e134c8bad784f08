"""Takes what is private out of what goes on record: personal data, and anything like a number.

What comes out can be written: a value that JSON has no spelling for (half a character, a number
that is none) must not cost the record of its call.
"""

import re
from collections.abc import Collection, Mapping

from trunkline_runtime.table.canonical import Json

MASK = "•••"

# Seven digits and more in a row, spaced or not, are a telephone number, an account or worse.
_NUMBER = re.compile(r"\+?\d(?:[ ().-]{0,2}\d){6,}")
# A day tells nobody anything by itself; one that does is a private value.
_DAY = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


# From here on a number is long: seven digits before the point.
_LONG = 1_000_000


def masked(value: Json, private: Collection[str]) -> Json:
    """The value with every private one blacked out, wherever it stands, and every long number."""
    if isinstance(value, str):
        return masked_text(value, private)
    if isinstance(value, Mapping):
        # A model may put what the caller said into the name of a member as well.
        return {masked_text(key, private): masked(inner, private) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [masked(inner, private) for inner in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return MASK if _is_long(value) or str(value) in private else value
    return value


def masked_text(text: str, private: Collection[str]) -> str:
    """A text with private values and long numbers blacked out; upper and lower case alike."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    # the longest first, so that a name is not left in half by a shorter one in it
    for secret in sorted(private, key=len, reverse=True):
        text = re.sub(re.escape(secret), MASK, text, flags=re.IGNORECASE)
    return _NUMBER.sub(lambda found: found[0] if _DAY.fullmatch(found[0]) else MASK, text)


def _is_long(value: float) -> bool:
    """Whether a number may be a telephone number or an account, or is none that can be written."""
    return not abs(value) < _LONG  # nothing is smaller than what is no number
