"""E-mail addresses: written, or as people say them ("jane dot doe at example dot com")."""

import re

from trunkline_runtime.call.collection.digits import spoken_digits
from trunkline_runtime.call.collection.email_words import EMAIL_WORDS
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.call.collection.spelling import readings, unexplained
from trunkline_runtime.table.canonical import Json

# The part of RFC 5321 that people have: a dot-atom, and a domain with a dot in it.
_ADDRESS = re.compile(
    r"(?=.{3,254}$)(?=[^@]{1,64}@)"
    r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$"
)
_MOST_DIGITS = 12
_MARKS = re.compile(r"([@._+-])")


def email_address(raw: Json, hearing: Hearing) -> str:
    """The address in lower case. Raises NotUnderstood."""
    if not isinstance(raw, str):
        raise NotUnderstood("it must be an e-mail address")
    text = " ".join(raw.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if not _ADDRESS.match(text):
        text = _said(text, hearing.language)
    if text.count("@") != 1:
        raise NotUnderstood("an e-mail address has a name, an at sign and a domain")
    if not _ADDRESS.match(text):
        raise NotUnderstood("it is not an e-mail address")
    return text


def _said(text: str, language: str) -> str:
    """The address that the words say. The marks come first: what is between them was one word."""
    text, words = unexplained(text, language), EMAIL_WORDS.get(language.split("-")[0], {})
    for spoken, written in words.items():
        if written == "@" and "@" in text:
            continue
        once = 1 if written == "@" else 0
        text = re.sub(rf"(?<!\S){re.escape(spoken)}(?!\S)", f" {written} ", text, count=once)
    name, at, domain = text.partition("@")
    # a number in a name is said as one ("jane forty two"); a domain is words
    parts = [
        part if _MARKS.fullmatch(part) else _word(part, language) for part in _MARKS.split(name)
    ]
    return "".join(parts) + at + re.sub(r"\s+", "", domain)


def _word(part: str, language: str) -> str:
    """What stands between two marks: words, numbers, or letters spelled one by one."""
    spelled = [reading.lower() for reading in readings(part, language)]
    if len(spelled) == 1 and not part.strip().isalnum():
        return spelled[0]
    words = part.split()
    written, at = "", 0
    while at < len(words):
        digits, used = _digits_from(words, at, language)
        written, at = written + (digits or words[at]), at + (used if digits else 1)
    return written


def _digits_from(words: list[str], at: int, language: str) -> tuple[str | None, int]:
    """The longest run of digit words from a place on. "o" and "oh" alone are letters here."""
    for used in range(min(_MOST_DIGITS, len(words) - at), 0, -1):
        run = words[at : at + used]
        if run[0] not in ("o", "oh") and (digits := spoken_digits(" ".join(run), language)):
            return digits, used
    return None, 0
