"""Where something stands in a file, so that a finding can point at it."""

from dataclasses import dataclass
from typing import Literal

from trunkline.finding import Mark
from trunkline.source.document import Document


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A value of a document, or (`of="key"`) the key that holds it.

    `keys` is the path to it: mapping keys and 0-based list positions. The mark is looked up only
    when something is said about the place, which for most places is never.
    """

    document: Document
    keys: tuple[str | int, ...] = ()
    of: Literal["value", "key"] = "value"

    def at(self, *keys: str | int) -> "Place":
        """The place of something inside this one."""
        return Place(self.document, (*self.keys, *keys))

    @property
    def key(self) -> "Place":
        """The key under which the value stands: a node is pointed at by its name."""
        return Place(self.document, self.keys, "key")

    @property
    def path(self) -> str:
        """The file, relative to the repository, with forward slashes."""
        return self.document.path

    @property
    def mark(self) -> Mark:
        """Line and column, both 1-based, of the beginning and the end."""
        return self.document.mark(self.keys, of=self.of)

    @property
    def order(self) -> tuple[str, int, int]:
        """Sorts places as they are read: by file, line and column."""
        mark = self.mark
        return self.path, mark.line, mark.column
