"""The channels of a tenant as a store holds them: proven, signed, and never older than before."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.proof import read_proven
from trunkline_runtime.release.source import Source
from trunkline_runtime.release.trusted import Keys
from trunkline_runtime.table.artifact import (
    CHANNELS,
    ArtifactError,
    Descriptor,
    Manifest,
    read_manifest,
)
from trunkline_runtime.table.channel import (
    CHANNEL_TYPE,
    CHANNELS_TAG,
    Channel,
    channel_layers,
)
from trunkline_runtime.table.trust.envelope import EnvelopeError, read_envelope
from trunkline_runtime.table.trust.signature import Untrusted, trusted_signers


@dataclass(frozen=True)
class ChannelSet:
    """The channels of one tenant, by name. `signers` are the trusted keys that signed each."""

    named: Descriptor
    manifest: Manifest
    channels: Mapping[str, Channel]
    signers: Mapping[str, tuple[str, ...]]

    @property
    def sequence(self) -> int:
        """The sequence number of the newest change."""
        return max((channel.sequence for channel in self.channels.values()), default=0)


def channels_of(source: Source, name: str) -> Descriptor | None:
    """What names a tenant's channels in a store; None if it has none."""
    return source.find(name, CHANNELS_TAG)


def read_channels(source: Source, name: str, named: Descriptor, keys: Keys) -> ChannelSet:
    """The channels that a store holds of a tenant. Raises Refused for any that can't be trusted."""
    try:
        manifest = read_manifest(read_proven(source, name, named), CHANNELS)
        layers = channel_layers(manifest)
    except ArtifactError as error:
        raise Refused(f"the channels of {name} can't be read: {error}") from None
    channels: dict[str, Channel] = {}
    signers: dict[str, tuple[str, ...]] = {}
    for own, layer in layers.items():
        channels[own], signers[own] = _read(source, name, own, layer, keys)
    return ChannelSet(named, manifest, channels, signers)


def _read(
    source: Source, name: str, own: str, layer: Descriptor, keys: Keys
) -> tuple[Channel, tuple[str, ...]]:
    what = f"the channel {own} of {name}"
    try:
        envelope = read_envelope(read_proven(source, name, layer), CHANNEL_TYPE)
        signers = trusted_signers(envelope, keys) if keys else ()
        channel = Channel.read(envelope.payload)
    except (EnvelopeError, ArtifactError, Untrusted) as error:
        raise Refused(f"{what} is refused: {error}") from None
    if (channel.tenant, channel.name) != (name, own):
        raise Refused(f"{what} is refused: it is {channel.name} of {channel.tenant}")
    return channel, signers


def refuse_older(before: ChannelSet, found: ChannelSet) -> None:
    """Raises Refused if a channel is gone, or says what it said before a later change."""
    for own, known in before.channels.items():
        what = f"the channel {own} of {known.tenant}"
        channel = found.channels.get(own)
        if channel is None:
            raise Refused(f"{what} is gone from the store, and was there before")
        if channel.sequence < known.sequence:
            raise Refused(
                f"{what} has the sequence {channel.sequence} in the store, and "
                f"{known.sequence} was seen before: an older state was put back"
            )
        if channel.sequence == known.sequence and channel != known:
            raise Refused(f"{what} says two things under the sequence {channel.sequence}")


def refuse_expired(found: ChannelSet, now: datetime) -> None:
    """Raises Refused if the time of a channel has run out: the store may be frozen."""
    for channel in found.channels.values():
        if expired(channel, now):
            raise Refused(
                f"the channel {channel.name} of {channel.tenant} expired on "
                f"{channel.expires:%Y-%m-%d %H:%M} UTC; publishing again renews it"
            )


def expired(channel: Channel, now: datetime) -> bool:
    """True from the instant on at which a channel expires."""
    return now >= channel.expires
