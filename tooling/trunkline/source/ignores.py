"""Comments that let a warning stand: `# trunkline: ignore[TL303] reason`.

The reader goes by the parser's events, which have no comments, so they are looked for apart, and
only in files that hold the word.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
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
    texts: list[Place] | None = None  # looked for once there is a comment
    about = _lines_about(lines)
    for number, line in enumerate(lines):
        comment = _COMMENT.search(line) if _WORD in line else None
        if comment is None:
            continue
        texts = list(_texts(document.places)) if texts is None else texts
        if _is_inside(texts, (number, comment.start())):
            continue
        understood = _IGNORE.fullmatch(comment["rest"])
        codes = re.findall(r"TL\d{3}", understood["codes"]) if understood else ()
        alone = not line[: comment.start()].strip()
        yield Ignore(
            mark=Mark(number + 1, comment.start() + 1, number + 1, len(line.rstrip()) + 1),
            line=(about[number] if alone else number) + 1,
            codes=tuple(dict.fromkeys(codes)),
            reason=understood["reason"] if understood else "",
        )


def _lines_about(lines: list[str]) -> list[int]:
    """The line that a comment alone on each line is about: the next one with more than a comment.

    From the end, once: thousands of comments may follow each other.
    """
    about: list[int] = []
    below: int | None = None
    for number in range(len(lines) - 1, -1, -1):
        about.append(number if below is None else below)
        text = lines[number].strip()
        if text and not text.startswith("#"):
            below = number
    return about[::-1]


def _texts(place: Place) -> Iterator[Place]:
    """Where each key and each text begins and ends, in the order of the file."""
    inner: Any = place[4] if len(place) > 4 else None
    if inner is None:
        yield place[:4]
    elif isinstance(inner, dict):
        for key, value in inner.values():
            yield key[:4]
            yield from _texts(value)
    else:
        for each in inner:
            yield from _texts(each)


def _is_inside(texts: list[Place], position: tuple[int, int]) -> bool:
    """True if the position lies in a key or in a text: then it begins no comment."""
    at = bisect_right(texts, (*position, inf))
    return at > 0 and texts[at - 1][:2] <= position < texts[at - 1][2:4]
