"""Edits of a text at the places that its document remembers."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from trunkline.draft.spelling import scalar, spell_item, spell_pair
from trunkline.source import Document
from trunkline.source.document import Step

Path: TypeAlias = tuple[Step, ...]


class Edit(NamedTuple):
    """Put `text` in place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


class TextPlaces:
    """Where keys, values and items of a document stand in its text, as offsets."""

    def __init__(self, document: Document) -> None:
        self.document, self.text = document, document.text
        lines = document.text.splitlines(keepends=True)
        self._starts = [0, *accumulate(len(line) for line in lines)]
        self._break = "\r\n" if "\r\n" in document.text else "\n"

    def applied(self, edits: Iterable[Edit]) -> str:
        """The text after the edits, none of which overlap; in one place they keep their order."""
        text = self.text
        for start, end, new in sorted(edits, key=lambda each: each[:2])[::-1]:
            text = text[:start] + new.replace("\n", self._break) + text[end:]
        return text

    def is_flow(self, path: Path) -> bool:
        """True for a value in brackets or braces."""
        start, _ = self._value(path)
        return self.text[start : start + 1] in ("{", "[")

    def replaced_pair(self, path: Path, value: Any) -> Edit:
        """The value of a key becomes another; a comment behind it stays."""
        start, end = self._pair(path)
        indent, key = self._column(start), str(path[-1])
        spelled = spell_pair(key, value, indent).strip()
        rest = self.text[end : self._line_end(end)].strip()
        if rest and not isinstance(value, dict | list):
            spelled = f"{scalar(key, in_flow=True)}: {scalar(value)}"
        return Edit(start, end, spelled)

    def replaced_item(self, path: Path, value: Any) -> Edit:
        """An item of a block list becomes another."""
        start, end = self._value(path)
        spelled = spell_item(value, self._column(start) - 2).strip()
        return Edit(start, end, spelled.removeprefix("- "))

    def removed_pair(self, path: Path) -> Edit:
        """A key goes, with the lines that it stood on."""
        start, end = self._pair(path)
        return Edit(self._line_start(start), self._after_line(end), "")

    def removed_item(self, path: Path) -> Edit:
        """An item of a block list goes, with the lines that it stood on."""
        start, end = self._value(path)
        return Edit(self._line_start(start), self._after_line(end), "")

    def added_pair(self, after: Path, key: str, value: Any) -> Edit:
        """A key comes, on lines of its own behind the one at `after`."""
        start, end = self._pair(after)
        return self._inserted(end, spell_pair(key, value, self._column(start)))

    def added_item(self, path: Path, index: int, value: Any) -> Edit:
        """An item comes, before the one at `index` of a block list, or at its end."""
        items = len(self.document_value(path))
        start, _ = self._value((*path, min(index, items - 1)))
        spelled = spell_item(value, self._column(start) - 2)
        if index < items:
            return Edit(self._line_start(start), self._line_start(start), spelled)
        return self._inserted(self._value((*path, items - 1))[1], spelled)

    def document_value(self, path: Path) -> Any:
        """What the document holds at `path`."""
        value = self.document.data
        for step in path:
            value = value[step]
        return value

    def _inserted(self, end: int, spelled: str) -> Edit:
        place = self._after_line(end)
        if place == len(self.text) and not self.text.endswith("\n"):
            return Edit(place, place, "\n" + spelled.removesuffix("\n"))
        return Edit(place, place, spelled)

    def _pair(self, path: Path) -> tuple[int, int]:
        mark = self.document.mark(path, "key")
        return self._offset(mark.line, mark.column), self._value(path)[1]

    def _value(self, path: Path) -> tuple[int, int]:
        mark = self.document.mark(path)
        start = self._offset(mark.line, mark.column)
        end = self._offset(mark.end_line, mark.end_column)
        # The end of folded text lies behind the empty lines after it.
        return start, start + len(self.text[start:end].rstrip())

    def _offset(self, line: int, column: int) -> int:
        return min(self._starts[min(line, len(self._starts)) - 1] + column - 1, len(self.text))

    def _line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def _line_end(self, offset: int) -> int:
        found = self.text.find("\n", offset)
        return len(self.text) if found < 0 else found

    def _after_line(self, offset: int) -> int:
        return min(self._line_end(offset) + 1, len(self.text))

    def _column(self, offset: int) -> int:
        """How many characters stand before it on its line."""
        return offset - self._line_start(offset)
