"""The files of a repository, each with the digest of what is in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from trunkline.source.tree import Tree, read_bytes


@dataclass(frozen=True)
class Inventory:
    """`digests` maps each path, in order, to the SHA-256 of its bytes, or of why there are none."""

    tree: Tree
    digests: Mapping[str, str]

    @classmethod
    def of(cls, tree: Tree) -> "Inventory":
        """Reads every file once; only the digests are kept."""
        return cls(tree, {path: _digest(tree, path) for path in tree.paths()})

    def read(self, path: str) -> tuple[bytes | None, str, bool]:
        """The bytes of a file, else None and why not; and whether it is still what was counted.

        A file that was changed in the meantime is checked as it is now, and not remembered.
        """
        raw, why = read_bytes(self.tree, path)
        return raw, why, digest_of(raw, why) == self.digests.get(path)


def digest_of(raw: bytes | None, why: str) -> str:
    """What a file is known by."""
    return sha256(raw).hexdigest() if raw is not None else f"unreadable: {why}"


def _digest(tree: Tree, path: str) -> str:
    return digest_of(*read_bytes(tree, path))
