"""Channels: signed documents that say which release of a tenant calls take.

The channels of a tenant lie in the store as one artifact under the tag `channels`, each an
envelope of its own, so that one request tells whether any has moved. Every earlier state stays
under a tag of its own: that is the record of who moved what, and why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from trunkline_runtime.schema import validator
from trunkline_runtime.table.artifact import (
    CHANNELS,
    EMPTY,
    TITLE,
    ArtifactError,
    Descriptor,
    Manifest,
    read_json,
)
from trunkline_runtime.table.canonical import Json, canonical_bytes
from trunkline_runtime.table.trust.envelope import ENVELOPE_TYPE

CHANNELS_TAG = "channels"
CHANNEL_TYPE = "application/vnd.trunkline.channel.v1+json"
FORMAT = "trunkline/channel/v1"
STABLE, CANARY = "stable", "canary"
POLICY_CHANNEL = "newest"  # the one channel of the policy, which only moves forward

_TITLE = "channels/{}.dsse.json"


@dataclass(frozen=True)
class Channel:
    """What one channel says. `at` and `expires` are aware and in UTC.

    `sequence` rises with each change to any of the tenant's channels. `declared` is what
    `channels.yaml` said when it was made; with `hold` it stays until that changes.
    """

    tenant: str
    name: str
    release: str
    digest: str
    percent: int
    sequence: int
    at: datetime
    expires: datetime
    by: str
    reason: str
    hold: bool = False
    declared: Mapping[str, Any] | None = None

    @classmethod
    def read(cls, payload: bytes) -> "Channel":
        """The document that an envelope carries. Raises ArtifactError if it is none of ours."""
        document = read_json(payload, "the channel")
        if not isinstance(document, dict) or document.get("schema") != FORMAT:
            raise ArtifactError("the document is no channel of a format that this version reads")
        for error in validator("channel").iter_errors(document):
            where = "/".join(str(part) for part in error.absolute_path) or "the top"
            raise ArtifactError(f"the channel breaks its schema at {where} (`{error.validator}`)")
        if canonical_bytes(document) != payload:
            raise ArtifactError("the channel is not in the canonical form that publish writes")
        return cls(
            tenant=document["tenant"],
            name=document["channel"],
            release=document["release"],
            digest=document["digest"],
            percent=document["percent"],
            sequence=document["sequence"],
            at=_instant(document["at"]),
            expires=_instant(document["expires"]),
            by=document["by"],
            reason=document["reason"],
            hold=document.get("hold", False),
            declared=document.get("declared"),
        )

    def payload(self) -> bytes:
        """The RFC 8785 bytes that are signed."""
        document: dict[str, Json] = {
            "schema": FORMAT,
            "tenant": self.tenant,
            "channel": self.name,
            "release": self.release,
            "digest": self.digest,
            "percent": self.percent,
            "sequence": self.sequence,
            "at": _text(self.at),
            "expires": _text(self.expires),
            "by": self.by,
            "reason": self.reason,
        }
        if self.hold:
            document["hold"] = True
        if self.declared is not None:
            document["declared"] = dict(self.declared)
        return canonical_bytes(document)


def channel_title(name: str) -> str:
    """The title of the layer that holds a channel's envelope."""
    return _TITLE.format(name)


def history_tag(sequence: int) -> str:
    """The tag under which the state of all channels stays that this sequence number ended."""
    return f"{CHANNELS_TAG}.{sequence}"


def channel_set(envelopes: Mapping[str, bytes]) -> Manifest:
    """The artifact of a tenant's channels, from the envelope of each."""
    layers = {
        channel_title(name): Descriptor.of(ENVELOPE_TYPE, data, {TITLE: channel_title(name)})
        for name, data in envelopes.items()
    }
    return Manifest(CHANNELS, EMPTY, layers)


def channel_layers(manifest: Manifest) -> dict[str, Descriptor]:
    """Channel → its envelope. Raises ArtifactError for a layer that is no channel."""
    found: dict[str, Descriptor] = {}
    for title, layer in manifest.layers.items():
        name = title.removeprefix("channels/").removesuffix(".dsse.json")
        if layer.media_type != ENVELOPE_TYPE or title != channel_title(name):
            raise ArtifactError(f"{title} is no channel that this version can read")
        found[name] = layer
    return found


def _instant(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ArtifactError(f"the channel holds {text!r}, which is no instant") from None


def _text(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
