"""E-mail addresses: written, or as people say them ("jane dot doe at example dot com")."""

import re

from trunkline_runtime.call.collection.heard import NotUnderstood
from trunkline_runtime.table.canonical import Json

# The part of RFC 5321 that people have: a dot-atom, and a domain with a dot in it.
_ADDRESS = re.compile(
    r"(?=.{3,254}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$"
)
_SPOKEN = (
    (r"\s*\b(?:dot|point)\b\s*", "."),
    (r"\s*\bunderscore\b\s*", "_"),
    (r"\s*\b(?:dash|hyphen|minus)\b\s*", "-"),
    (r"\s*\bplus\b\s*", "+"),
)


def email_address(raw: Json) -> str:
    """The address in lower case. Raises NotUnderstood."""
    if not isinstance(raw, str):
        raise NotUnderstood("it must be an e-mail address")
    text = raw.strip().lower()
    if "@" not in text:
        text = re.sub(r"\s+at\s+", "@", text, count=1)
        for spoken, written in _SPOKEN:
            text = re.sub(spoken, written, text)
        text = text.replace(" ", "")
    if text.count("@") != 1:
        raise NotUnderstood("an e-mail address has a name, an at sign and a domain")
    if not _ADDRESS.match(text):
        raise NotUnderstood("it is not an e-mail address")
    return text
