"""The line of a file that a finding stands on."""

import re
from functools import cache

from trunkline.source.decoding import decode
from trunkline.source.tree import Tree, UnreadableError

_LINE_BREAK = re.compile(r"\r\n|\r|\n")


class Excerpts:
    """Lines of the files of a tree; a file is read when the first of them is asked for."""

    def __init__(self, tree: Tree) -> None:
        self._lines = cache(lambda path: _lines(tree, path))

    def line(self, path: str, number: int) -> str | None:
        """A line, counted from 1, or None where it cannot be shown."""
        lines = self._lines(path)
        return lines[number - 1] if number <= len(lines) else None


def _lines(tree: Tree, path: str) -> list[str]:
    try:
        text = decode(path, tree.read(path))
    except UnreadableError:  # a finding of its own says so
        return []
    return _LINE_BREAK.split(text) if isinstance(text, str) else []
