"""Where releases come from: a store as a folder, one OCI image layout per tenant."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.table.folder import blob_path, is_layout
from trunkline_runtime.table.layout import (
    INDEX_FILE,
    LAYOUT_FILE,
    MAX_INDEX_BYTES,
    POLICY_NAME,
    TENANT_NAME,
)

_PIECE = 256 * 1024  # bytes


class Source(Protocol):
    """A store as a reader sees it. Nothing that it gives is trusted before it is verified."""

    def holds(self, name: str) -> bool:
        """True if something was published for a tenant, or as `_policy`."""

    def tenants(self) -> list[str]:
        """The tenants that it holds. Raises FatalError if this is no store at all."""

    def index(self, name: str) -> bytes:
        """The bytes of a tenant's index. Raises Refused if they can't be read."""

    def blob(self, name: str, digest: str) -> Iterator[bytes]:
        """The bytes of a blob in pieces. Raises Refused if they can't be read."""


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

    def blob(self, name: str, digest: str) -> Iterator[bytes]:
        return _pieces(blob_path(self.path / name, digest), f"blob {digest} of {name}")


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
