"""The channels of a tenant in a store, read and written by who publishes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from trunkline.release.signing import Signing, untrusted
from trunkline.release.store import Entry, Store
from trunkline_runtime.table.artifact import (
    CHANNELS,
    EMPTY_BYTES,
    ArtifactError,
    read_manifest,
)
from trunkline_runtime.table.channel import (
    CHANNEL_TYPE,
    CHANNELS_TAG,
    Channel,
    channel_layers,
    channel_set,
    history_tag,
)
from trunkline_runtime.table.trust.envelope import EnvelopeError, read_envelope, seal
from trunkline_runtime.table.trust.signature import Untrusted, trusted_signers


@dataclass(frozen=True)
class Documents:
    """What a store says of a tenant's channels. `last` is the highest sequence ever used.

    `said` is false where it says nothing at all, not even that no channel takes a release yet.
    """

    channels: Mapping[str, Channel] = field(default_factory=dict)
    envelopes: Mapping[str, bytes] = field(default_factory=dict)
    last: int = 0
    said: bool = True


def read_documents(store: Store, signing: Signing, name: str) -> Documents:
    """The channels of a tenant. Raises FatalError for a damaged store, and where a key is set and
    no key that is believed signed them: going on from there would vouch for them.
    """
    last = max((_sequence(tag) for tag in store.tags(name)), default=0)
    named = store.find(name, CHANNELS_TAG)
    if named is None:
        return Documents(last=last, said=False)
    try:
        layers = channel_layers(read_manifest(store.read(name, named), CHANNELS))
    except ArtifactError as error:
        raise store.damaged(name, f"its channels: {error}") from None
    envelopes = {own: store.read(name, layer) for own, layer in layers.items()}
    channels = {own: _read(store, signing, name, own, data) for own, data in envelopes.items()}
    highest = max((channel.sequence for channel in channels.values()), default=0)
    return Documents(channels, envelopes, max(last, highest))


def written(
    signing: Signing, before: Documents, channels: Mapping[str, Channel]
) -> tuple[list[bytes], list[Entry]]:
    """The blobs and entries that make `channels` what the store says.

    A channel that stays keeps its bytes, and the signature in them.
    """
    envelopes = {
        own: before.envelopes[own]
        if before.channels.get(own) == channel
        else seal(CHANNEL_TYPE, channel.payload(), signing.signer)
        for own, channel in channels.items()
    }
    manifest = channel_set(envelopes)
    entries = [Entry(CHANNELS_TAG, manifest, moves=True)]
    if channels:
        sequence = max(channel.sequence for channel in channels.values())
        entries.insert(0, Entry(history_tag(sequence), manifest))
    return [EMPTY_BYTES, *envelopes.values()], entries


def _read(store: Store, signing: Signing, name: str, own: str, data: bytes) -> Channel:
    what = f"the channel {own} of {name}"
    try:
        envelope = read_envelope(data, CHANNEL_TYPE)
        channel = Channel.read(envelope.payload)
    except (EnvelopeError, ArtifactError) as error:
        raise store.damaged(name, f"{what}: {error}") from None
    if (channel.tenant, channel.name) != (name, own):
        raise store.damaged(name, f"{what} is {channel.name} of {channel.tenant}")
    if signing.resign:
        return channel
    if signing.signer is None:
        if envelope.claimed:
            raise untrusted(what, "it is signed, and no key is set here that could sign the next")
        return channel
    try:
        trusted_signers(envelope, signing.trusted)
    except Untrusted as problem:
        raise untrusted(what, str(problem)) from None
    return channel


def _sequence(tag: str) -> int:
    number = tag.removeprefix(f"{CHANNELS_TAG}.")
    return int(number) if number != tag and number.isdecimal() else 0
