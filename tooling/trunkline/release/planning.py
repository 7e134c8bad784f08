"""What publishing one artifact comes to: a new release or none, its signature, its channels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from trunkline.failure import FatalError
from trunkline.release.channel_documents import Documents, read_documents, written
from trunkline.release.channel_plan import Declared, Occasion, Targets, planned
from trunkline.release.layers import Layer
from trunkline.release.signing import (
    Signing,
    envelope_of,
    read_signed,
    require_trusted,
    signature,
)
from trunkline.release.store import (
    Artifact,
    Entry,
    Store,
    artifact,
    named_by,
    newest,
    newest_first,
)
from trunkline_runtime.table.artifact import (
    MANIFEST_TYPE,
    ArtifactKind,
    Descriptor,
    Manifest,
    content_digest,
)
from trunkline_runtime.table.canonical import Json, canonical_bytes
from trunkline_runtime.table.channel import Channel
from trunkline_runtime.table.layout import tag_of

# The config of a sequence number and content digest.
Config = Callable[[int, str], Mapping[str, Json]]


@dataclass(frozen=True)
class Asked:
    """One artifact as it should be: a tenant's release or the policy, and its channels."""

    name: str
    kind: ArtifactKind
    layers: Sequence[Layer]
    config: Config
    channels: Declared


@dataclass(frozen=True)
class Plan:
    """What is to be written for one artifact. `artifact` will be the newest, `new` if it is made.

    `before` and `channels` are the channels as they are and as they will be. `mended` blobs of it
    were altered or lost in the store, and are written again.
    """

    name: str
    artifact: Artifact
    new: bool
    before: Documents
    channels: Mapping[str, Channel]
    blobs: Sequence[bytes]
    entries: Sequence[Entry]
    mended: int = 0

    @property
    def moved(self) -> frozenset[str]:
        """The channels that will say something else than they do."""
        return frozenset(
            own
            for own, channel in self.channels.items()
            if self.before.channels.get(own) != channel
        )

    def carry_out(self, store: Store) -> None:
        """Writes it. Call it while the store is held."""
        if self.entries or self.mended:
            store.write(self.name, self.blobs, self.entries)


def plan(store: Store, signing: Signing, occasion: Occasion, asked: Asked) -> Plan:
    """Reads what the store holds and says what is to be written; writes nothing.

    Raises FatalError for a damaged store, for a channel that takes no release or one that is not
    whole (one that stays as well), and for anything in the store that would be relied on and is
    not signed by a key that is believed.
    """
    name = asked.name
    last = newest(store, name, asked.kind)
    blobs: list[bytes] = []
    entries: list[Entry] = []
    mended: list[bytes] = []
    if signing.resign:
        _vouch_for_all(store, signing, asked, blobs, entries)
    content = content_digest({layer.title: layer.descriptor for layer in asked.layers})
    new = last is None or last.manifest.content != content
    if last is None or new:
        found, made = _made(asked, (last.sequence if last else 0) + 1, content)
        signed = signature(signing, name, found.tag, found.named)
        blobs += [*made, *signed[0]]
        # The tag comes last: what it names is signed by the time that it can be found.
        entries += [*signed[1], Entry(found.tag, found.manifest)]
    else:
        found = last
        require_trusted(store, signing, name, found.tag, found.named)
        mended = _mended(store, asked, found)
        blobs += mended
    before = read_documents(store, signing, name)
    digest = _digests(store, signing, asked, found)
    channels = planned(name, asked.channels, before, Targets(found.tag, digest), occasion)
    for channel in channels.values():
        _require_sound(store, channel, digest)
    if channels != before.channels or not before.said:
        more = written(signing, before, channels)
        blobs += more[0]
        entries += more[1]
    return Plan(name, found, new, before, channels, blobs, entries, len(mended))


def _made(asked: Asked, sequence: int, content: str) -> tuple[Artifact, list[bytes]]:
    """A new artifact and its blobs: the same bytes on every machine."""
    config = canonical_bytes(asked.config(sequence, content))
    titled = {layer.title: layer.descriptor for layer in asked.layers}
    manifest = Manifest(asked.kind, Descriptor.of(asked.kind.config_type, config, {}), titled)
    named = Descriptor.of(MANIFEST_TYPE, manifest.canonical(), {})
    made = Artifact(tag_of(sequence), named, manifest)
    return made, [*(layer.data for layer in asked.layers), config]


def _mended(store: Store, asked: Asked, found: Artifact) -> list[bytes]:
    """The right bytes of what the store does not hold as it was written. An "unchanged" that says
    nothing of it would leave calls with a release that no machine can pull.

    Raises FatalError for a blob that nothing here can make again.
    """
    here = {layer.descriptor.digest: layer.data for layer in asked.layers}
    unsound = store.unsound(asked.name, named_by(found))
    for blob in unsound:
        if blob.digest not in here:
            raise store.damaged(asked.name, f"{found.tag}: blob {blob.digest} is altered or lost")
    return [here[blob.digest] for blob in unsound]


def _digests(
    store: Store, signing: Signing, asked: Asked, newest_one: Artifact
) -> Callable[[str], str | None]:
    """The digest of each release that a channel may name, if it is whole and somebody believed
    vouches for it.
    """
    name = asked.name

    @cache
    def digest(tag: str) -> str | None:
        if tag == newest_one.tag:
            return newest_one.digest
        named = store.find(name, tag)
        if named is None:
            return None
        require_trusted(store, signing, name, tag, named)
        require_whole(store, asked.kind, name, tag, named)
        return named.digest

    return digest


def _require_sound(store: Store, channel: Channel, digest: Callable[[str], str | None]) -> None:
    """Raises FatalError for a channel whose release can't be used: held, renewed or signed again,
    it would go on to offer what every machine refuses.
    """
    tag = channel.release
    try:
        if digest(tag) != channel.digest:
            raise store.damaged(channel.tenant, f"{tag} is not what {channel.name} takes any more")
    except FatalError as error:
        raise FatalError(
            f"{str(error).rstrip('.')}. Or point the channel {channel.name} of {channel.tenant} "
            "at another release: `trunkline channel`"
        ) from None


def require_whole(store: Store, kind: ArtifactKind, name: str, tag: str, named: Descriptor) -> None:
    """Raises FatalError for a release of which the store lacks a part: no machine could use it."""
    found = artifact(store, name, kind, tag, named)
    for blob in store.unsound(name, named_by(found)):
        raise store.damaged(name, f"{tag}: blob {blob.digest} is altered or lost")


def _vouch_for_all(
    store: Store, signing: Signing, asked: Asked, blobs: list[bytes], entries: list[Entry]
) -> None:
    """Signs every release that this key has not signed yet; other signatures stay."""
    for found in newest_first(store, asked.name, asked.kind):
        data = envelope_of(store, asked.name, found.named)
        before = read_signed(data) if data is not None else None
        if before is not None and signing.key_id in before.claimed:
            continue
        signed = signature(signing, asked.name, found.tag, found.named, before)
        blobs += signed[0]
        entries += signed[1]
