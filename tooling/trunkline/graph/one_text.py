"""Patterns that allow one text only: whoever wrote the flow has filled such a slot, not the caller.

A sound bound: each part of the pattern is taken for the one text that it may be, or for a choice.
"""

import re
from re import _constants as op  # type: ignore[attr-defined]  # the parser of Python's own `re`
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_LONGEST = 1000  # characters; a longer text is no value that a caller says
_MARKS = (op.AT, op.ASSERT, op.ASSERT_NOT)  # read nothing; they can only forbid


def allows_one_text(pattern: str) -> bool:
    """True if no more than one text fits `pattern`, the case of letters aside."""
    try:
        return _text(_parser.parse(pattern)) is not None
    except (re.error, RecursionError, OverflowError):
        return False  # told elsewhere


def _text(parts: Any) -> str | None:
    """The one text that fits a row of parts; None if there may be several."""
    whole = ""
    for name, value in parts:
        if name in _MARKS:
            continue
        text = _of_part(name, value)
        if text is None or len(whole) + len(text) > _LONGEST:
            return None
        whole += text
    return whole


def _of_part(name: Any, value: Any) -> str | None:
    if name is op.LITERAL:
        return chr(value)
    if name is op.IN:
        return _of_class(value)
    if name is op.SUBPATTERN:
        return _text(value[-1])
    if name is op.ATOMIC_GROUP:
        return _text(value)
    if name is op.BRANCH:
        texts = {_text(way) for way in value[1]}
        return texts.pop() if len(texts) == 1 else None
    if name in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, most, part = value
        text = "" if most == 0 else _text(part)
        if text is None or (text and least != most):
            return None
        return text * least if len(text) * least <= _LONGEST else None
    return None


def _of_class(members: Any) -> str | None:
    """The one character of a class: `[2]`, `[22]`, `[2-2]`."""
    found: set[int] = set()
    for name, value in members:
        if name is op.LITERAL:
            found.add(value)
        elif name is op.RANGE and value[0] == value[1]:
            found.add(value[0])
        else:
            return None
    return chr(found.pop()) if len(found) == 1 else None
