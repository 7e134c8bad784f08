"""What a store offers of a tenant: the releases its channels name, or else its newest one."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.channel_set import (
    ChannelSet,
    channels_of,
    read_channels,
    refuse_expired,
    refuse_older,
)
from trunkline_runtime.release.holding import Held, main_channel
from trunkline_runtime.release.opened import releases
from trunkline_runtime.release.pulling import Pulling
from trunkline_runtime.release.source import Source
from trunkline_runtime.table.artifact import Descriptor
from trunkline_runtime.table.layout import POLICY_NAME, sequence_of


@dataclass(frozen=True)
class Offer:
    """The tag that each channel takes. `channels` is None where the store holds none."""

    live: Mapping[str, str]
    channels: ChannelSet | None

    def percent(self, channel: str) -> int:
        """The share of calls of a channel; none where no channel says so."""
        found = self.channels.channels.get(channel) if self.channels else None
        return found.percent if found else 0


def offered(pulling: Pulling, name: str, before: Held | None) -> Offer:
    """What calls of a tenant should take, by what the store says now.

    Raises Refused for channels that nobody vouches for, that have expired, or that say what they
    said before a later change; and for a store without channels that goes back. Raises FatalError
    for one that holds nothing of this name.
    """
    source = pulling.source
    named = channels_of(source, name)
    if named is not None:
        found = read_channels(source, name, named, pulling.keys)
        if before is not None and before.channels is not None:
            refuse_older(_remembered(pulling, name, before.channels, found), found)
        refuse_expired(found, pulling.now)
        live = {own: channel.release for own, channel in found.channels.items()}
        if main_channel(name) not in live:
            raise Refused(
                f"no release of {name} is {main_channel(name)} yet: point that channel at one with "
                f"`trunkline channel {name} {main_channel(name)} TAG --reason …`"
            )
        return Offer(live, found)
    if before is not None and before.channels is not None:
        raise Refused(f"the channels of {name} are gone from the store, and were there before")
    newest = newest_of(source, name)
    if before is not None and (sequence_of(newest) or 0) < before.highest:
        back = "" if name == POLICY_NAME else f"; to go back, name it: {name}:{newest}"
        raise Refused(
            f"the store's newest release of {name} is {newest} and v{before.highest} was "
            f"pulled before{back}"
        )
    return Offer({main_channel(name): newest}, None)


def _remembered(pulling: Pulling, name: str, named: Descriptor, found: ChannelSet) -> ChannelSet:
    """The channels that were seen last. Raises Refused if they can't be read and others came."""
    if named.digest == found.named.digest:
        return found  # what of them is damaged here is fetched again
    try:
        return read_channels(pulling.into, name, named, ())
    except Refused as error:
        raise Refused(
            f"the cache's folder {pulling.cache / name} is damaged ({error}), so that nobody can "
            "tell whether the store went back; move it away and pull again"
        ) from None


def newest_of(source: Source, name: str) -> str:
    """The highest tag of a tenant. Raises FatalError if it has none."""
    tags = releases(source, name)
    if not tags:
        raise FatalError(f"the store holds no release of {name} yet")
    return tags[-1]


def find_release(source: Source, name: str, tag: str, offer: Offer | None) -> Descriptor:
    """What a tag names. Raises FatalError if there is no such tag, and Refused if a channel says
    that it is something else.
    """
    named = source.find(name, tag) if sequence_of(tag) is not None else None
    if named is None:
        raise FatalError(
            f"the store holds no {name}:{tag}; its newest is {newest_of(source, name)}"
        )
    channels = offer.channels.channels.values() if offer and offer.channels else ()
    for channel in channels:
        if channel.release == tag and channel.digest != named.digest:
            raise Refused(
                f"{name}:{tag} is {named.digest} in the store, and the channel {channel.name} "
                f"was pointed at {channel.digest}: a tag never moves"
            )
    return named


def refuse_unsigned_rollback(pulling: Pulling, name: str, tag: str, before: Held | None) -> None:
    """Where keys are trusted, an older release than one seen needs a channel that points at it.

    Raises Refused if none does.
    """
    older = before is not None and (sequence_of(tag) or 0) < before.highest
    if not pulling.keys or before is None or not older:
        return
    named = channels_of(pulling.source, name)
    found = read_channels(pulling.source, name, named, pulling.keys) if named else None
    pointed = {channel.release for channel in found.channels.values()} if found else set()
    if tag not in pointed:
        raise Refused(
            f"v{before.highest} of {name} was pulled before, and no signed channel points at "
            f"{tag}: sign the way back with `trunkline channel {name} stable {tag} --reason …`"
        )
