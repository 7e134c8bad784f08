"""Spells a document as YAML in block style, the way the repository's own files are written."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.source.plain import plain_scalar
from trunkline.source.quoting import quoted

_WIDTH = 100
_SHORT = 72  # a list of names up to here stays on its line
# A letter first, and nothing inside that means something to YAML or looks cut off.
_PLAIN = re.compile(r"[A-Za-z][^\x00-\x1f#&*!|>\"%@`{}\[\]:]*")
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def spell(document: Mapping[str, Any], apart: Sequence[str] = ()) -> str:
    """The text of a file. Before each key of `apart`, and between its values, a line is left out.

    Texts on one line only: whoever calls has seen to that.
    """
    lines: list[str] = []
    for key, value in document.items():
        if key in apart and lines:
            lines.append("")
        lines += _pair(key, value, 0, spaced=key == "nodes")
    return "\n".join(lines) + "\n"


def spell_pair(key: str, value: Any, indent: int) -> str:
    """One key with its value, so many columns in."""
    return "\n".join(_pair(key, value, indent)) + "\n"


def spell_item(value: Any, indent: int) -> str:
    """One item of a block list, so many columns in."""
    return "\n".join(_item(value, indent)) + "\n"


def scalar(value: Any, in_flow: bool = False) -> str:
    """A text, number or truth value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return repr(value)
    text = str(value)
    pattern = _BARE if in_flow else _PLAIN
    safe = pattern.fullmatch(text) and text == text.strip() and plain_scalar(text) == text
    return text if safe else quoted(text)


def inline(value: Any) -> str | None:
    """A list of names, or a map from names to scalars, in brackets; None if it does not fit."""
    if isinstance(value, list) and all(not isinstance(each, dict | list) for each in value):
        text = f"[{', '.join(scalar(each, in_flow=True) for each in value)}]"
    elif isinstance(value, dict) and all(not isinstance(e, dict | list) for e in value.values()):
        pairs = (f"{scalar(key, True)}: {scalar(each, True)}" for key, each in value.items())
        text = "{" + ", ".join(pairs) + "}"
    else:
        return None
    return text if len(text) <= _SHORT else None


def _pair(key: str, value: Any, indent: int, spaced: bool = False) -> Iterator[str]:
    head = f"{' ' * indent}{scalar(key, in_flow=True)}:"
    if isinstance(value, dict) and value:
        short = inline(value) if key in ("with", "sets") else None
        if short is not None:
            yield f"{head} {short}"
            return
        yield head
        for index, (inner, each) in enumerate(value.items()):
            if spaced and index:
                yield ""
            yield from _pair(inner, each, indent + 2)
    elif isinstance(value, list) and value:
        short = inline(value)
        if short is not None:
            yield f"{head} {short}"
            return
        yield head
        for each in value:
            yield from _item(each, indent + 2)
    elif isinstance(value, dict | list):
        yield f"{head} {'{}' if isinstance(value, dict) else '[]'}"
    else:
        yield from _text(head, value, indent)


def _item(value: Any, indent: int) -> Iterator[str]:
    pad = " " * indent
    if isinstance(value, dict) and value:
        lines = [line for key, each in value.items() for line in _pair(key, each, indent + 2)]
        yield f"{pad}- {lines[0].lstrip()}"
        yield from lines[1:]
    elif isinstance(value, dict | list):
        yield f"{pad}- {inline(value) or '[]'}"
    else:
        yield f"{pad}- {scalar(value)}"


def _text(head: str, value: Any, indent: int) -> Iterator[str]:
    line = f"{head} {scalar(value)}"
    if len(line) <= _WIDTH or not _folds(value):
        yield line
        return
    yield f"{head} >-"
    pad = " " * (indent + 2)
    yield from textwrap.wrap(
        value,
        _WIDTH - len(pad),
        initial_indent=pad,
        subsequent_indent=pad,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _folds(value: Any) -> bool:
    """True for a text that reads the same when it is folded: single spaces, none at its ends."""
    return isinstance(value, str) and value == " ".join(value.split()) and value.isprintable()
