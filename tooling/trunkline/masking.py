"""Hides telephone numbers and secrets in whatever is printed: messages, excerpts, comments.

A masked text is as long as before, so that a caret below it still points at the same column.
"""

import re

# Seven digits or more, with the signs that people put between them; no number has more than
# fifteen, and a bound keeps a line of a million digits from costing a million squared. Dates and digests are no
# numbers to dial: a date is told apart below, and a digest has letters on at least one side.
_NUMBER = re.compile(r"(?<![\w.])\+?\(?\d(?:[ ().-]{0,2}\d){6,20}(?!\w)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ .:T-]|$)")
_SECRET = re.compile(
    r"(?:sk|pk|rk|ghp|gho|ghs|xox[abp])[-_][A-Za-z0-9_-]{12,}"
    r"|AKIA[A-Z0-9]{12,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]+"
    r"|(?<=Bearer )\S{8,}"
    r"|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"
)
_SHOWN_DIGITS = 3
_SHOWN_OF_A_SECRET = 4
_MASK = "•"


def masked(text: str) -> str:
    """`text` with the tail of every telephone number and secret hidden."""
    return _SECRET.sub(_hide_secret, _NUMBER.sub(_hide_number, text))


def _hide_number(match: re.Match[str]) -> str:
    number = match.group()
    if _DATE.match(number):
        return number
    shown, seen = [], 0
    for character in number:
        seen += character.isdigit()
        shown.append(_MASK if character.isdigit() and seen > _SHOWN_DIGITS else character)
    return "".join(shown)


def _hide_secret(match: re.Match[str]) -> str:
    secret = match.group()
    return secret[:_SHOWN_OF_A_SECRET] + _MASK * (len(secret) - _SHOWN_OF_A_SECRET)
