"""In which languages what a caller says is read: what both sides know of the readers of a call.

Elsewhere a value is taken as the model writes it (`2026-07-04`), and not as it was said. The names
are the types of slots, `digits` for what is spelled out in numbers, and `answer` for a yes or a no.
"""

from collections.abc import Mapping

_ANSWERS = frozenset({"en", "es", "fr", "de", "it", "pt", "nl"})
_READ = frozenset({"en", "es", "fr", "de"})

READ: Mapping[str, frozenset[str]] = {
    "answer": _ANSWERS,
    "boolean": _ANSWERS,
    "digits": _READ,
    "phone": _READ,
    "date": _READ,
    "time": _READ,
    "datetime": _READ,
    "integer": _READ,
    "number": _READ,
    "email": _READ,
}


def is_read(kind: str, language: str) -> bool:
    """Whether a value of that kind is understood as it is said in a language (BCP 47)."""
    languages = READ.get(kind)
    return languages is None or language.split("-")[0] in languages
