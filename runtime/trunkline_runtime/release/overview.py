"""What is current on this machine, and which calls hold what: the rows of `pins`."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.channel_set import ChannelSet, read_channels
from trunkline_runtime.release.collect import names_in
from trunkline_runtime.release.holding import Held, held
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.release.workers import Hold, holds


@dataclass(frozen=True)
class CurrentRelease:
    """What a channel of a tenant (or the policy) takes here, and since when.

    `percent` and `expires` are what the channel said last; None where there is no channel.
    `fault` says why nothing of it can be used.
    """

    name: str
    channel: str | None
    tag: str | None
    digest: str | None
    since: datetime | None
    percent: int | None = None
    expires: datetime | None = None
    fault: str | None = None


@dataclass(frozen=True)
class Overview:
    """The current releases of a cache, and what its living workers hold."""

    current: tuple[CurrentRelease, ...]
    holds: tuple[Hold, ...]


def overview(cache: Path) -> Overview:
    """Reads the indexes and channels of a cache and the reports beside it; `verify` proves them.

    A cache that does not exist yet holds nothing.
    """
    rows = [row for name in names_in(cache) for row in _current(cache, name)]
    return Overview(tuple(rows), holds(cache))


def _current(cache: Path, name: str) -> Iterator[CurrentRelease]:
    try:
        found = held(cache, name)
    except Refused as error:
        yield CurrentRelease(name, None, None, None, None, fault=str(error))
        return
    if found is None:
        return  # its first pull has not come to an end
    said = _said(cache, found)
    for channel, tag in sorted(found.live.items(), key=lambda item: item[0], reverse=True):
        document = said.channels.get(channel) if said else None
        yield CurrentRelease(
            name,
            channel,
            tag,
            found.entries[tag].digest,
            found.since[tag],
            document.percent if document else None,
            document.expires if document else None,
        )


def _said(cache: Path, found: Held) -> ChannelSet | None:
    """What the channels said last, if what is current follows them."""
    if found.channels is None or not found.followed:
        return None
    try:
        return read_channels(FolderSource(cache), found.name, found.channels, ())
    except Refused:
        return None
