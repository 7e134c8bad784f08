"""One blob, from a source into the cache: it has its name only once it is proven to be it."""

import contextlib
import os
from dataclasses import dataclass

from trunkline_runtime.release.proof import is_held, proven
from trunkline_runtime.release.source import FolderSource, Source
from trunkline_runtime.table.artifact import Descriptor
from trunkline_runtime.table.durable import partial_path
from trunkline_runtime.table.folder import blob_path


@dataclass
class Moved:
    """What a pull moved: blobs and bytes fetched, and blobs that the cache held already."""

    blobs: int = 0
    bytes: int = 0
    held: int = 0


def fetch(source: Source, cache: FolderSource, name: str, wanted: Descriptor, moved: Moved) -> None:
    """Puts a blob into the cache unless a sound copy is there, and counts it in `moved`.

    Raises Refused for a blob that isn't what `wanted` states and OSError when the disk refuses;
    the cache then is as it was. The name's durability is the caller's: one `sync_folder` for all.
    """
    if is_held(cache, name, wanted):
        moved.held += 1
        return
    target = blob_path(cache.path / name, wanted.digest)
    prepared = partial_path(target)
    try:
        with prepared.open("wb") as file:
            for piece in proven(source.blob(name, wanted), wanted, name):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        prepared.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            prepared.unlink()
        raise
    moved.blobs += 1
    moved.bytes += wanted.size
