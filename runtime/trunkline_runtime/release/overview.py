"""What is current on this machine, and which calls hold what: the rows of `pins`."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.release.workers import Hold, holds


@dataclass(frozen=True)
class CurrentRelease:
    """What the cache holds for a tenant or `_policy`; `fault` says why it can't be used."""

    name: str
    tag: str | None
    digest: str | None
    since: datetime | None
    fault: str | None


@dataclass(frozen=True)
class Overview:
    """The current releases of a cache, and what its living workers hold."""

    current: tuple[CurrentRelease, ...]
    holds: tuple[Hold, ...]


def overview(cache: Path) -> Overview:
    """Reads the indexes of a cache and the reports beside it; no blob is read (`verify` does).

    A cache that does not exist yet holds nothing.
    """
    source = FolderSource(cache)
    names = sorted(path.name for path in cache.iterdir()) if cache.is_dir() else []
    rows = (_current(cache, name) for name in names if source.holds(name))
    return Overview(tuple(row for row in rows if row is not None), holds(cache))


def _current(cache: Path, name: str) -> CurrentRelease | None:
    try:
        found = held(cache, name)
    except Refused as error:
        return CurrentRelease(name, None, None, None, str(error))
    if found is None:
        return None  # its first pull has not come to an end
    return CurrentRelease(name, found.tag, found.current.digest, found.since[found.tag], None)
