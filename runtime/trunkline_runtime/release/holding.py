"""What the cache's index says: the releases on this machine, and which channels take which.

The index is replaced in one rename, so that a release is added, becomes current and leaves
together with the channels that say so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.table.artifact import ArtifactError, Descriptor
from trunkline_runtime.table.channel import CHANNELS_TAG, POLICY_CHANNEL, STABLE
from trunkline_runtime.table.durable import replace_durably
from trunkline_runtime.table.folder import is_layout
from trunkline_runtime.table.layout import (
    INDEX_FILE,
    POLICY_NAME,
    TAG,
    index_bytes,
    read_index,
    sequence_of,
)

# Annotations of the cache's own. On a release: the channels that point at it and since when it
# is current, or when its last channel left it. On the channels: that the above follows them. On
# all: the highest release ever adopted, which may have been collected since.
_CHANNELS = "dev.trunkline.channels"
_SINCE = "dev.trunkline.current-since"
_LEFT = "dev.trunkline.left"
_FOLLOWED = "dev.trunkline.followed"
_HIGHEST = "dev.trunkline.highest"


@dataclass(frozen=True)
class Held:
    """What the cache holds of a tenant, or of `_policy`.

    `entries` maps every tag to what it names; `live` each channel to the release that it takes,
    `since` a live release to when it became current, `left` another to when it stopped being.
    `highest` is the highest sequence ever adopted; `followed` is false if an operator chose a
    release by its tag, so that the channels don't count.
    """

    name: str
    entries: Mapping[str, Descriptor]
    live: Mapping[str, str]
    since: Mapping[str, datetime]
    left: Mapping[str, datetime]
    highest: int
    followed: bool

    @property
    def tag(self) -> str:
        """The release that calls take unless they are in another channel."""
        return self.live[main_channel(self.name)]

    @property
    def current(self) -> Descriptor:
        return self.entries[self.tag]

    @property
    def sequence(self) -> int:
        return sequence_of(self.tag) or 0

    @property
    def channels(self) -> Descriptor | None:
        """The channels that were seen last."""
        return self.entries.get(CHANNELS_TAG)

    @property
    def releases(self) -> dict[str, Descriptor]:
        """The releases among `entries`, the oldest first."""
        found = [tag for tag in self.entries if sequence_of(tag) is not None]
        return {tag: self.entries[tag] for tag in sorted(found, key=lambda tag: int(tag[1:]))}


@dataclass(frozen=True)
class Adoption:
    """What becomes current: each channel's release, and what of it the cache has to list.

    `followed` says that `live` is what the channels in `entries` say.
    """

    live: Mapping[str, str]
    entries: Mapping[str, Descriptor] = field(default_factory=dict)
    followed: bool = False


def main_channel(name: str) -> str:
    """The channel that a tenant, or the policy, can't be without."""
    return POLICY_CHANNEL if name == POLICY_NAME else STABLE


def held(cache: Path, name: str) -> Held | None:
    """What the cache holds; None before the first pull. Raises Refused for a damaged cache."""
    if not is_layout(cache / name):
        return None
    try:
        entries = read_index(FolderSource(cache).index(name))
        return _held(name, {_tag(entry): entry for entry in entries}) if entries else None
    except (ArtifactError, Refused, ValueError) as error:
        raise Refused(
            f"the cache's folder {cache / name} is damaged ({error}); "
            "move it away and pull the release again"
        ) from None


def adopt(cache: Path, name: str, adoption: Adoption, now: datetime) -> Held:
    """Makes what is proven current, in one rename. Call it while holding the folder's lock.

    Changes nothing if the index says the same already. Returns what the cache holds now. Raises
    OSError; then what was current still is.
    """
    before = held(cache, name)
    entries = {**(before.entries if before else {}), **adoption.entries}
    highest = max(before.highest if before else 0, *map(_sequence, entries))
    marked = {
        tag: replace(
            entry, annotations={**_marks(tag, adoption, before, now), _HIGHEST: str(highest)}
        )
        for tag, entry in entries.items()
    }
    after = _held(name, marked)
    write(cache, name, list(marked.values()))
    return after


def write(cache: Path, name: str, entries: list[Descriptor]) -> None:
    """Replaces the index of a folder if it says something else. Raises OSError."""
    ordered = sorted(entries, key=lambda entry: (_sequence(_tag(entry)), _tag(entry)))
    path, data = cache / name / INDEX_FILE, index_bytes(ordered)
    if not path.is_file() or path.read_bytes() != data:
        replace_durably(path, data)


def _marks(tag: str, adoption: Adoption, before: Held | None, now: datetime) -> dict[str, str]:
    marks = {TAG: tag}
    if tag == CHANNELS_TAG and adoption.followed:
        marks[_FOLLOWED] = "yes"
    channels = sorted(channel for channel, taken in adoption.live.items() if taken == tag)
    if channels:
        marks[_CHANNELS] = ",".join(channels)
        marks[_SINCE] = _text(before.since.get(tag, now) if before else now)
    elif before and tag in before.since:
        marks[_LEFT] = _text(now)
    elif before and tag in before.left:
        marks[_LEFT] = _text(before.left[tag])
    return marks


def _held(name: str, entries: Mapping[str, Descriptor]) -> Held:
    live = {
        channel: tag
        for tag, entry in entries.items()
        for channel in filter(None, entry.annotations.get(_CHANNELS, "").split(","))
    }
    if main_channel(name) not in live:
        raise ValueError("no release in it is marked as current")
    found = Held(
        name,
        entries,
        live,
        _instants(entries, _SINCE),
        _instants(entries, _LEFT),
        max(int(entry.annotations.get(_HIGHEST, "0")) for entry in entries.values()),
        any(_FOLLOWED in entry.annotations for entry in entries.values()),
    )
    if set(live.values()) != set(found.since):
        raise ValueError("its marks of what is current contradict each other")
    return found


def _instants(entries: Mapping[str, Descriptor], mark: str) -> dict[str, datetime]:
    return {
        tag: datetime.fromisoformat(entry.annotations[mark])
        for tag, entry in entries.items()
        if mark in entry.annotations
    }


def _tag(entry: Descriptor) -> str:
    return entry.annotations.get(TAG, "")


def _sequence(tag: str) -> int:
    return sequence_of(tag) or 0


def _text(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="seconds")
