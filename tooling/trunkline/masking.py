"""Finds telephone numbers and secrets in whatever is printed, and hides them."""

import re
from collections.abc import Callable

# Seven digits or more with the signs that people put between them; not part of a longer word.
_DIGITS = re.compile(r"(?<![\w.])\+?\(?\d[\d\s().\-/\u2010-\u2015\u00a0]{5,}\d(?!\w)")
_NOT_A_NUMBER = re.compile(
    r"""\d{4}-\d\d-\d\d(?:[T\s].*)?      # a date or an instant
      | \d+\.\d+                         # an amount
      | \d\d:\d\d.*""",
    re.VERBOSE,
)
_FEWEST_DIGITS = 7
_SHOWN_DIGITS = 3
_SHOWN_OF_A_SECRET = 4
_VEIL = "•"
_SECRETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)",
        r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",  # a JSON Web Token
        r"\b(?:sk|pk|rk)[-_](?:live[-_]|test[-_]|proj[-_]|ant[-_])?[A-Za-z0-9_-]{16,}",
        r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}",
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bxox[abposr]-[\w-]{10,}",
        r"(?i)(?<=bearer )\s*[\w.~+/=-]{12,}",
        r"(?i)\bauthorization\s{0,8}[:=]\s{0,8}[\"']{0,2}(?:bearer|basic)\s{1,8}"
        r"(?=[\w.~+/-]{0,200}\d)[\w.~+/=-]{4,}",
        r"(?i)(?<=://)[^\s/@:]+:[^\s/@]+(?=@)",  # user and password in an address
    )
)
# `token: …` and the like; a name of the flow's own (`slots.capture_token`) holds no digit. The
# bounds keep a text that repeats the word without end from costing its length squared.
_NAMED = re.compile(
    r"(?i)\b(\w{0,40}(?:password|passwd|secret|token|api[-_ ]?key)\w{0,40}\s{0,8}[=:]\s{0,8}[\"']?)"
    r"((?=[^\s\"',;]{0,200}\d)(?!(?:slots|inputs|args|result|facts|call)\.)"
    r"(?:[^\s\"',;]{8,}|(?=\d{0,7}[a-z])[^\s\"',;]{6,7}))"
)
# A text in two kinds of quotes is a fixed one, `api_key: '"…"'`: it needs no digit to be a secret.
_FIXED = re.compile(
    r"(?i)\b(\w{0,40}(?:password|passwd|secret|token|api[-_]?key|authorization|credentials?)\s{0,8}:"
    r"\s{0,8}(?:'\"|\"'|\"\\\\\"))([^\"'\\\\\n]{1,200})"
)
# Every pattern of _SECRETS needs one of these or the word `bearer`; all others need a digit. Most
# texts hold neither, and a check asks about every text of every flow.
_HINT_OF_A_SECRET = re.compile("-|_|:|=|yJ|AK|AS|AI")
_DIGIT = re.compile(r"\d")
_LONG_WORD = re.compile(r"(?<![\w/+=-])[\w+/=-]{32,}(?![\w/+=-])")

Hide = Callable[[str], str]


def hidden(text: str, number: Hide, secret: Hide) -> str:
    """`text` with each telephone number and each secret replaced by what the functions make."""
    if _HINT_OF_A_SECRET.search(text) or "bearer " in text.lower():
        for pattern in _SECRETS:
            text = pattern.sub(lambda found: secret(found.group()), text)
    if ('"' in text and "'" in text) or '\\"' in text:
        text = _FIXED.sub(lambda found: found[1] + secret(found[2]), text)
    if not _DIGIT.search(text):
        return text
    text = _NAMED.sub(lambda found: found[1] + secret(found[2]), text)
    text = _LONG_WORD.sub(
        lambda found: secret(found.group()) if _is_random(found.group()) else found.group(), text
    )
    return _DIGITS.sub(
        lambda found: number(found.group()) if _is_number(found.group()) else found.group(), text
    )


def veiled(text: str) -> str:
    """`text`, as long as before: of a number the first digits show, of a secret its kind.

    A caret below it still points at the same column, and one sees whether a zero or a plus leads.
    """
    return hidden(text, _veiled_number, _veiled_secret)


def _veiled_number(number: str) -> str:
    shown, seen = [], 0
    for character in number:
        seen += character.isdigit()
        shown.append(_VEIL if character.isdigit() and seen > _SHOWN_DIGITS else character)
    return "".join(shown)


def _veiled_secret(secret: str) -> str:
    return secret[:_SHOWN_OF_A_SECRET] + _VEIL * (len(secret) - _SHOWN_OF_A_SECRET)


def _is_number(text: str) -> bool:
    digits = sum(character.isdigit() for character in text)
    return digits >= _FEWEST_DIGITS and _NOT_A_NUMBER.fullmatch(text) is None


def _is_random(word: str) -> bool:
    """True for a long word that no person wrote: letters of both cases and digits together."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return all(any(is_kind(letter) for letter in word) for is_kind in kinds)
