"""A repository with files that are only proposed: compiled like any other, nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline.source.tree import Tree


@dataclass(frozen=True)
class ProposedTree:
    """The files of a tree, with the texts of some replaced or added."""

    below: Tree
    texts: Mapping[str, str]

    def paths(self) -> list[str]:
        """Every file, sorted."""
        return sorted({*self.below.paths(), *self.texts})

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises UnreadableError."""
        text = self.texts.get(path)
        return self.below.read(path) if text is None else text.encode("utf-8")
