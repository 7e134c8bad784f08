"""Where releases come from: what a store is to a reader, and a store that is a folder."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.table.artifact import ArtifactError, Descriptor
from trunkline_runtime.table.folder import blob_path, is_layout
from trunkline_runtime.table.layout import (
    INDEX_FILE,
    LAYOUT_FILE,
    MAX_INDEX_BYTES,
    POLICY_NAME,
    TAG,
    TENANT_NAME,
    read_index,
)

_PIECE = 256 * 1024  # bytes


class Source(Protocol):
    """A store as a reader sees it. Nothing that it gives is trusted before it is verified.

    Each method raises Refused for what can't be read, and Unavailable where another try may do.
    """

    def holds(self, name: str) -> bool:
        """True if something was published for a tenant, or as `_policy`."""

    def tenants(self) -> list[str]:
        """The tenants that it holds. Raises FatalError if this is no store at all."""

    def tags(self, name: str) -> list[str]:
        """Every tag of a tenant: releases, signatures, channels."""

    def find(self, name: str, tag: str) -> Descriptor | None:
        """What a tag names; None if there is no such tag."""

    def blob(self, name: str, wanted: Descriptor) -> Iterator[bytes]:
        """The bytes of a blob or manifest, in pieces."""


@dataclass(frozen=True)
class FolderSource:
    """A store, or a cache, on this machine's disk."""

    path: Path

    def holds(self, name: str) -> bool:
        return is_layout(self.path / name)

    def tenants(self) -> list[str]:
        if not self.path.is_dir():
            raise FatalError(f"there is no store at {self.path}")
        try:
            names = sorted(entry.name for entry in self.path.iterdir())
        except OSError as error:
            raise FatalError(f"{self.path} can't be read: {error.strerror}") from None
        held = [name for name in names if self.holds(name)]
        if not held:
            raise FatalError(
                f"{self.path} is not a store: no folder in it has an `{LAYOUT_FILE}` file"
            )
        return [name for name in held if name != POLICY_NAME]

    def index(self, name: str) -> bytes:
        what = f"{name}/{INDEX_FILE}"
        data = bytearray()
        for piece in _pieces(self.path / name / INDEX_FILE, what):
            data += piece
            if len(data) > MAX_INDEX_BYTES:
                raise Refused(f"{what} has more than {MAX_INDEX_BYTES} bytes")
        return bytes(data)

    def tags(self, name: str) -> list[str]:
        return list(self._entries(name))

    def find(self, name: str, tag: str) -> Descriptor | None:
        return self._entries(name).get(tag)

    def blob(self, name: str, wanted: Descriptor) -> Iterator[bytes]:
        place = blob_path(self.path / name, wanted.digest)
        return _pieces(place, f"blob {wanted.digest} of {name}")

    def _entries(self, name: str) -> Mapping[str, Descriptor]:
        if not self.holds(name):
            return {}
        try:
            return _tagged(self.index(name))
        except ArtifactError as error:
            raise Refused(f"{name}: {error}") from None


@lru_cache(maxsize=64)
def _tagged(index: bytes) -> Mapping[str, Descriptor]:
    """What an index lists, by tag. The same bytes are read once, however many tags are asked."""
    return {
        entry.annotations[TAG]: entry for entry in read_index(index) if TAG in entry.annotations
    }


def check_name(name: str) -> None:
    """Raises FatalError for what can't be the name of a tenant: it becomes the name of a folder."""
    if name != POLICY_NAME and not TENANT_NAME.fullmatch(name):
        raise FatalError(
            f"{name!r} is not the name of a tenant: write it as in its tenant.yaml, "
            "small letters, digits and hyphens"
        )


def _pieces(path: Path, what: str) -> Iterator[bytes]:
    try:
        # A pipe or a device in place of a file must not hang the reader.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Refused(f"{what} is not a file")
            while piece := os.read(handle, _PIECE):
                yield piece
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise Refused(f"{what} is missing") from None
    except OSError as error:
        raise Refused(f"{what} can't be read: {error.strerror}") from None
