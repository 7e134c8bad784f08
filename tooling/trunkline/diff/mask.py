"""Hides telephone numbers and secrets in whatever a comparison shows."""

import re
from collections.abc import Mapping

from trunkline_runtime.table.canonical import Json

# Seven digits or more with the signs that people put between them; not part of a longer word.
_DIGITS = re.compile(r"(?<![\w.])\+?\(?\d[\d\s().\-/\u2010-\u2015\u00a0]{5,}\d(?!\w)")
_NOT_A_NUMBER = re.compile(
    r"""\d{4}-\d\d-\d\d(?:[T\s].*)?      # a date or an instant
      | \d+\.\d+                         # an amount
      | \d\d:\d\d.*""",
    re.VERBOSE,
)
_FEWEST_DIGITS = 7
_SHOWN = 4
_SECRETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)",
        r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",  # a JSON Web Token
        r"\b(?:sk|pk|rk)[-_](?:live[-_]|test[-_]|proj[-_]|ant[-_])?[A-Za-z0-9_-]{16,}",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bxox[abposr]-[\w-]{10,}",
        r"(?i)(?<=bearer )\s*[\w.~+/=-]{12,}",
        r"(?i)(?<=://)[^\s/@:]+:[^\s/@]+(?=@)",  # user and password in an address
    )
)
# `token: …` and the like; a name of the flow's own (`slots.capture_token`) holds no digit.
_NAMED = re.compile(
    r"(?i)\b(\w*(?:password|passwd|secret|token|api[-_ ]?key)\w*\s*[=:]\s*[\"']?)"
    r"((?=[^\s\"',;]*\d)(?!(?:slots|inputs|args|result|facts|call)\.)[^\s\"',;]{8,})"
)
_LONG_WORD = re.compile(r"(?<![\w/+=-])[\w+/=-]{32,}(?![\w/+=-])")
HIDDEN = "[secret]"


def masked(text: str) -> str:
    """The text with the last four digits left of each number, and nothing left of a secret."""
    for pattern in _SECRETS:
        text = pattern.sub(HIDDEN, text)
    text = _NAMED.sub(lambda found: found[1] + HIDDEN, text)
    text = _LONG_WORD.sub(_unless_a_name, text)
    return _DIGITS.sub(_last_four, text)


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


def _last_four(found: re.Match[str]) -> str:
    text = found.group()
    if _NOT_A_NUMBER.fullmatch(text) or len(re.sub(r"\D", "", text)) < _FEWEST_DIGITS:
        return text
    return masked_number(text)


def _unless_a_name(found: re.Match[str]) -> str:
    """Hides a long word that no person wrote: letters of both cases and digits together."""
    word = found.group()
    kinds = (str.isupper, str.islower, str.isdigit)
    mixed = all(any(is_kind(letter) for letter in word) for is_kind in kinds)
    return HIDDEN if mixed else word
