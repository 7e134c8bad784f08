"""An artifact, from a source into the cache: its manifest, its signature, then what it names."""

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.channel_set import ChannelSet
from trunkline_runtime.release.fetch import fetch
from trunkline_runtime.release.holding import Held
from trunkline_runtime.release.opened import manifest_at
from trunkline_runtime.release.pulling import Pulling
from trunkline_runtime.release.trusted import check_signature, signature_manifest, signature_of
from trunkline_runtime.table.artifact import POLICY, RELEASE, Descriptor
from trunkline_runtime.table.channel import CHANNELS_TAG
from trunkline_runtime.table.folder import sync_blobs
from trunkline_runtime.table.layout import POLICY_NAME
from trunkline_runtime.table.trust.signature import signature_tag


def fetch_artifact(
    pulling: Pulling, name: str, tag: str, named: Descriptor, before: Held | None
) -> dict[str, Descriptor]:
    """Fetches what the cache lacks of an artifact; gives what the cache's index has to list of it.

    The signature is checked before the layers are fetched. Raises Refused, Unavailable, and
    OSError when the disk refuses; nothing is current by then.
    """
    _refuse_moved_tag(name, tag, named, before)
    _fetch(pulling, name, named)
    signature = _fetch_signature(pulling, name, named)
    check_signature(pulling.into, name, tag, named, signature, pulling.keys)
    kind = POLICY if name == POLICY_NAME else RELEASE
    manifest = manifest_at(pulling.into, name, kind, named)
    for wanted in {d.digest: d for d in (manifest.config, *manifest.layers.values())}.values():
        _fetch(pulling, name, wanted)
    sync_blobs(pulling.cache / name)
    listed = {tag: named}
    if signature is not None:
        listed[signature_tag(named.digest)] = signature
    return listed


def fetch_channels(
    pulling: Pulling, name: str, channels: ChannelSet | None
) -> dict[str, Descriptor]:
    """Fetches the channels that were read, for the time when the store can't be asked."""
    if channels is None:
        return {}
    for wanted in (channels.named, *channels.manifest.layers.values()):
        _fetch(pulling, name, wanted)
    sync_blobs(pulling.cache / name)
    return {CHANNELS_TAG: channels.named}


def _fetch(pulling: Pulling, name: str, wanted: Descriptor) -> None:
    fetch(pulling.source, pulling.into, name, wanted, pulling.moved)


def _fetch_signature(pulling: Pulling, name: str, named: Descriptor) -> Descriptor | None:
    signature = signature_of(pulling.source, name, named)
    if signature is None:
        return None
    _fetch(pulling, name, signature)
    manifest = signature_manifest(pulling.into, name, signature)
    for layer in manifest.layers.values():
        _fetch(pulling, name, layer)
    return signature


def _refuse_moved_tag(name: str, tag: str, named: Descriptor, before: Held | None) -> None:
    known = before.entries.get(tag) if before else None
    if known is not None and known.digest != named.digest:
        raise Refused(
            f"{name}:{tag} is {named.digest} in the store and {known.digest} was pulled under "
            "that tag before; a tag never moves, so this store is not the one that it was"
        )
