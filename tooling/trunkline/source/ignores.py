"""Comments that let a warning stand: `# trunkline: ignore[TL303] reason`.

The reader goes by the parser's events, which have no comments, so they are looked for apart, and
only in files that hold the word.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trunkline.finding import Mark
from trunkline.source.document import Document, Place

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_WORD = "trunkline:"
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*trunkline:(?P<rest>.*)$")
_IGNORE = re.compile(
    r"\s*ignore\[\s*(?P<codes>TL\d{3}(?:\s*,\s*TL\d{3})*)\s*\]\s*(?P<reason>.*?)\s*"
)


@dataclass(frozen=True)
class Ignore:
    """One such comment. `line` is the line whose warnings it is about.

    `codes` is empty for a comment that cannot be understood; `reason` may be empty.
    """

    mark: Mark
    line: int
    codes: tuple[str, ...]
    reason: str


def ignores(document: Document) -> tuple[Ignore, ...]:
    """The comments of a document, in order."""
    if _WORD not in document.text:
        return ()
    return tuple(_found(document, _LINE_BREAK.split(document.text)))


def _found(document: Document, lines: list[str]) -> Iterator[Ignore]:
    for number, line in enumerate(lines):
        comment = _COMMENT.search(line) if _WORD in line else None
        if comment is None or _is_inside(document.places, (number, comment.start())):
            continue
        understood = _IGNORE.fullmatch(comment["rest"])
        codes = re.findall(r"TL\d{3}", understood["codes"]) if understood else ()
        yield Ignore(
            mark=Mark(number + 1, comment.start() + 1, number + 1, len(line.rstrip()) + 1),
            line=_about(lines, number, comment.start()) + 1,
            codes=tuple(dict.fromkeys(codes)),
            reason=understood["reason"] if understood else "",
        )


def _about(lines: list[str], number: int, column: int) -> int:
    """The line that a comment is about: its own, or the next one if it stands alone on it."""
    if lines[number][:column].strip():
        return number
    for below in range(number + 1, len(lines)):
        text = lines[below].strip()
        if text and not text.startswith("#"):
            return below
    return number


def _is_inside(place: Place, position: tuple[int, int]) -> bool:
    """True if the position lies in a key or in a text: then it begins no comment."""
    if not place or not place[:2] <= position < place[2:4]:
        return False
    inner: Any = place[4] if len(place) > 4 else None
    if inner is None:
        return True
    if isinstance(inner, dict):
        return any(
            _is_inside(key, position) or _is_inside(value, position)
            for key, value in inner.values()
        )
    return any(_is_inside(each, position) for each in inner)
