"""Where results are kept between two checks: beside LangGraph's graphs, a folder per repository.

A file begins with the digest of the rest and takes its place in one step. So a kill leaves the old
file or the new one, two checks at once leave the one that ends last, and a file that is damaged in
any way counts for nothing: what it held is computed again.
"""

import contextlib
import json
import os
import shutil
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

from trunkline.graph.cache_folder import cache_folder

_PARTIAL = ".partial"
MOST_REPOSITORIES = 50
_ABANDONED = 3600  # seconds, after which a file that nobody finished is swept away


class Kept:
    """The results of one repository. Reading and writing never fail: they find or keep nothing."""

    def __init__(self, root: Path) -> None:
        name = sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:32]
        self.folder = cache_folder() / "checks" / name

    def read(self, name: str) -> dict[str, Any]:
        """What was kept under a name; nothing if that is not whole."""
        try:
            digest, _, body = (self.folder / name).read_bytes().partition(b"\n")
            if digest != sha256(body).hexdigest().encode():
                return {}
            found = json.loads(body)
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def write(self, name: str, value: dict[str, Any]) -> None:
        """Keeps `value`, which is JSON, under a name."""
        body = json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()
        prepared = self.folder / f"{name}.{os.getpid()}{_PARTIAL}"
        try:
            if not self.folder.is_dir():
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._forget_the_oldest()
            self._sweep()
            prepared.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)
            prepared.replace(self.folder / name)
        except OSError:  # a full or read-only disk costs time, and nothing else
            with contextlib.suppress(OSError):
                prepared.unlink()

    def _sweep(self) -> None:
        for left in self.folder.glob(f"*{_PARTIAL}"):
            if time.time() - left.stat().st_mtime > _ABANDONED:
                left.unlink(missing_ok=True)

    def _forget_the_oldest(self) -> None:
        """A machine that checks one fresh copy after the other would keep all of them."""
        folders = sorted(self.folder.parent.iterdir(), key=lambda each: each.stat().st_mtime)
        for folder in folders[:-MOST_REPOSITORIES]:
            shutil.rmtree(folder, ignore_errors=True)
