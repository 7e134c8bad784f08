"""The cache: what this machine has pulled, in the store's own layout, and what is current.

`<cache>/<tenant>/` is an OCI image layout of the releases pulled so far. Its index marks the one
that new calls take, so that one rename both adds a release and makes it current.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.state import state_folder
from trunkline_runtime.table.artifact import ArtifactError, Descriptor
from trunkline_runtime.table.durable import make_folder, replace_durably
from trunkline_runtime.table.exclusive import Busy, exclusive
from trunkline_runtime.table.folder import begin, is_layout
from trunkline_runtime.table.layout import (
    INDEX_FILE,
    POLICY_NAME,
    TAG,
    index_bytes,
    read_index,
    sequence_of,
    tags_of,
)

CURRENT_SINCE = "dev.trunkline.current-since"  # annotation of the entry that is current
_WAIT_SECONDS = 30.0  # for another pull of the same tenant


@dataclass(frozen=True)
class Held:
    """What the cache holds of a tenant, or of `_policy`: each tag, and the current one.

    `since` is when the current one was adopted.
    """

    entries: tuple[Descriptor, ...]
    tag: str
    since: datetime

    @property
    def tags(self) -> dict[str, Descriptor]:
        return tags_of(self.entries)

    @property
    def current(self) -> Descriptor:
        return self.tags[self.tag]

    @property
    def sequence(self) -> int:
        return sequence_of(self.tag) or 0

    @property
    def highest(self) -> int:
        """The highest sequence that was ever adopted."""
        return max(sequence_of(tag) or 0 for tag in self.tags)


def default_cache() -> Path:
    """Where pulls go if nothing else is said: `releases` in the state folder."""
    return state_folder() / "releases"


def held(cache: Path, name: str) -> Held | None:
    """What the cache holds; None before the first pull. Raises Refused for a damaged cache."""
    if not is_layout(cache / name):
        return None
    try:
        entries = read_index(FolderSource(cache).index(name))
        return _held(entries) if entries else None
    except (ArtifactError, Refused, ValueError) as error:
        raise Refused(
            f"the cache's folder {cache / name} is damaged ({error}); "
            "move it away and pull the release again"
        ) from None


def current_release(cache: Path, tenant: str) -> Release:
    """The release of a tenant that new calls take, proven anew from disk and self-tested.

    Raises FatalError if none was pulled and Refused if the copy on disk is no longer sound.
    """
    found = held(cache, tenant)
    if found is None:
        raise FatalError(
            f"no release of {tenant} was pulled to {cache} yet: "
            f"run `trunkline-runtime pull {tenant} --from STORE --into {cache}`"
        )
    return load_release(FolderSource(cache), tenant, found.tag, found.current)


def current_policy(cache: Path) -> PolicySnapshot | None:
    """The newest verified policy; None if none was ever pulled. Raises Refused if it is damaged."""
    found = held(cache, POLICY_NAME)
    if found is None:
        return None
    return load_policy(FolderSource(cache), found.tag, found.current)


@contextmanager
def adopting(cache: Path, name: str) -> Iterator[None]:
    """Holds the lock on one tenant's folder, making it where there is none.

    Raises Refused if another pull keeps it for longer than half a minute, and OSError.
    """
    folder = cache / name
    make_folder(folder)
    try:
        with exclusive(folder, _WAIT_SECONDS):
            begin(folder)
            yield
    except Busy:
        raise Refused(f"another pull of {name} into {cache} is running") from None


def adopt(cache: Path, name: str, tag: str, named: Descriptor, now: datetime) -> None:
    """Makes a proven artifact the current one, in one rename. Call it inside `adopting`.

    Raises OSError; then what was current still is.
    """
    before = held(cache, name)
    others = [entry for entry in before.entries if _tag(entry) != tag] if before else []
    marks = {TAG: tag, CURRENT_SINCE: now.astimezone(UTC).isoformat(timespec="seconds")}
    entries = [*map(_unmarked, others), replace(named, annotations=marks)]
    replace_durably(cache / name / INDEX_FILE, index_bytes(_oldest_first(entries)))


def _held(entries: tuple[Descriptor, ...]) -> Held:
    marked = [entry for entry in tags_of(entries).values() if CURRENT_SINCE in entry.annotations]
    if len(marked) != 1:
        raise ValueError(f"{len(marked)} releases are marked as current")
    since = datetime.fromisoformat(marked[0].annotations[CURRENT_SINCE])
    return Held(entries, _tag(marked[0]), since)


def _tag(entry: Descriptor) -> str:
    return entry.annotations.get(TAG, "")


def _unmarked(entry: Descriptor) -> Descriptor:
    kept = {key: text for key, text in entry.annotations.items() if key != CURRENT_SINCE}
    return replace(entry, annotations=kept)


def _oldest_first(entries: Sequence[Descriptor]) -> list[Descriptor]:
    return sorted(entries, key=lambda entry: sequence_of(_tag(entry)) or 0)
