"""Makes text of a repository safe to print: no control codes, no numbers to dial, no secrets."""

import re

from trunkline.masking import veiled

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """`text` on one line, veiled, with an escape in place of what would steer the terminal."""
    return veiled(_UNPRINTABLE.sub(_escape, text))


def printable_path(path: str) -> str:
    """The path of a file as it is, with an escape in place of what would steer the terminal."""
    return _UNPRINTABLE.sub(_escape, path)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if "\udc80" <= character <= "\udcff":  # a byte of a file name that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    if character in "\n\t":
        return " "
    return f"\\u{ord(character):04x}"
