"""Collects what nobody needs any more: releases that left every channel long enough ago.

A release stays while a channel points at it, while a call on this machine holds it, and for the
audit period after its last channel left it. The index loses it first, its blobs after: killed in
between, the next time clears them away.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.cache import adopting
from trunkline_runtime.release.holding import Held, held, write
from trunkline_runtime.release.proof import read_proven
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.table.artifact import ArtifactError, Descriptor, read_json
from trunkline_runtime.table.canonical import digest
from trunkline_runtime.table.folder import blob_path, is_layout
from trunkline_runtime.table.trust.signature import signature_tag

AUDIT = timedelta(days=90)  # how long a release can be looked at after it was last current


@dataclass(frozen=True)
class Collected:
    """What left the cache: releases by tag, and how many blobs of how many bytes."""

    name: str
    tags: tuple[str, ...]
    blobs: int
    bytes: int


def names_in(cache: Path) -> list[str]:
    """The tenants that a cache holds, and `_policy`."""
    if not cache.is_dir():
        return []
    return sorted(path.name for path in cache.iterdir() if is_layout(path))


def collect(
    cache: Path,
    name: str,
    now: datetime,
    in_use: Collection[str],
    audit: timedelta = AUDIT,
) -> Collected:
    """Clears one folder of a cache. `in_use` are the manifests' digests that calls hold.

    Raises Refused if the folder is damaged (then nothing is removed), Unavailable if a pull keeps
    it busy, and OSError.
    """
    with adopting(cache, name):
        found = held(cache, name)
        if found is None:
            return Collected(name, (), 0, 0)
        gone = _drained(found, now, in_use, audit)
        going = {*gone, *(signature_tag(found.entries[tag].digest) for tag in gone)}
        stay = {tag: entry for tag, entry in found.entries.items() if tag not in going}
        needed = set(_needed(FolderSource(cache), name, stay.values()))
        if gone:
            write(cache, name, list(stay.values()))
        blobs, size = _sweep(cache / name, needed)
    return Collected(name, tuple(gone), blobs, size)


def _drained(found: Held, now: datetime, in_use: Collection[str], audit: timedelta) -> list[str]:
    return [
        tag
        for tag, entry in found.releases.items()
        if tag in found.left and now - found.left[tag] >= audit and entry.digest not in in_use
    ]


def _needed(source: FolderSource, name: str, stay: Iterable[Descriptor]) -> Iterable[str]:
    """The digests of all blobs that what stays is made of. Raises Refused if one can't be read:
    not knowing what it needs is no reason to remove it.
    """
    for named in stay:
        yield named.digest
        data = read_proven(source, name, named)
        try:
            manifest = read_json(data, named.digest)
            parts = [manifest["config"], *manifest["layers"]]
            yield from (Descriptor.from_json(part, named.digest).digest for part in parts)
        except (ArtifactError, KeyError, TypeError):
            raise Refused(f"the manifest {named.digest} of {name} can't be read") from None


def _sweep(folder: Path, needed: Collection[str]) -> tuple[int, int]:
    blobs, size = 0, 0
    for path in blob_path(folder, digest(b"")).parent.iterdir():
        if f"sha256:{path.name}" not in needed:
            size += path.stat().st_size
            path.unlink()
            blobs += 1
    return blobs, size
