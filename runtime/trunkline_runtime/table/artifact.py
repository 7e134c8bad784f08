"""The shape of a published artifact: its manifest, its layers and the descriptors that name them.

Pure: bytes in, dataclasses out. Who writes a store and who reads one share these names.
Source: OCI image-spec 1.1, manifest.md and descriptor.md.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trunkline_runtime.table.canonical import Json, canonical_bytes, digest

MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
TITLE = "org.opencontainers.image.title"

# Sizes that no honest store comes near; a reader stops there instead of filling memory or disk.
MAX_MANIFEST_BYTES = 16 * 1024 * 1024
MAX_BLOB_BYTES = 64 * 1024 * 1024

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


class ArtifactError(ValueError):
    """Bytes that are not the artifact they should be; the message says where and why."""


@dataclass(frozen=True)
class ArtifactKind:
    """One kind of artifact: its media types and the `schema` that its config carries."""

    word: str  # what a message calls it
    artifact_type: str
    config_type: str
    config_schema: str


RELEASE = ArtifactKind(
    "release",
    "application/vnd.trunkline.release.v1+json",
    "application/vnd.trunkline.release.config.v1+json",
    "trunkline/release/v1",
)
POLICY = ArtifactKind(
    "policy",
    "application/vnd.trunkline.policy.v1+json",
    "application/vnd.trunkline.policy.config.v1+json",
    "trunkline/policy/v1",
)

# These two carry their say in a layer; their config is OCI's empty one.
SIGNATURE = ArtifactKind(
    "signature",
    "application/vnd.trunkline.signature.v1+json",
    "application/vnd.oci.empty.v1+json",
    "",
)
CHANNELS = ArtifactKind(
    "set of channels",
    "application/vnd.trunkline.channels.v1+json",
    "application/vnd.oci.empty.v1+json",
    "",
)
EMPTY_BYTES = b"{}"

TABLE_TYPE = "application/vnd.trunkline.node-table.v1+json"
TOOL_TYPE = "application/vnd.trunkline.tool.v1+json"
FACTS_TYPE = "application/vnd.trunkline.facts.v1+json"
OUTCOMES_TYPE = "application/vnd.trunkline.outcomes.v1+json"
TENANT_TYPE = "application/vnd.trunkline.tenant.v1+json"
POLICY_DOCUMENT_TYPE = "application/vnd.trunkline.policy-document.v1+json"

FACTS_TITLE = "catalog/facts.json"
OUTCOMES_TITLE = "catalog/outcomes.json"
TENANT_TITLE = "tenant.json"


@dataclass(frozen=True)
class Descriptor:
    """Names one blob: its type, its `sha256:` digest and its size in bytes."""

    media_type: str
    digest: str
    size: int
    annotations: Mapping[str, str] = field(default_factory=dict)
    artifact_type: str | None = None

    @classmethod
    def of(cls, media_type: str, data: bytes, annotations: Mapping[str, str]) -> "Descriptor":
        return cls(media_type, digest(data), len(data), annotations)

    @classmethod
    def from_json(cls, value: object, place: str) -> "Descriptor":
        """Reads a descriptor. Raises ArtifactError, naming `place`, for anything else."""
        if not isinstance(value, Mapping):
            raise ArtifactError(f"{place} is not a descriptor")
        media_type, name, size = (value.get(key) for key in ("mediaType", "digest", "size"))
        if not isinstance(media_type, str):
            raise ArtifactError(f"{place} has no `mediaType`")
        # The digest becomes a file name: nothing but the exact spelling may pass.
        if not isinstance(name, str) or not _DIGEST.fullmatch(name):
            raise ArtifactError(f"{place} has no sha256 `digest`: {str(name)[:80]!r}")
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise ArtifactError(f"{place} has no `size` in bytes: {str(size)[:80]!r}")
        annotations = value.get("annotations", {})
        if not isinstance(annotations, Mapping) or not all(
            isinstance(text, str) for text in annotations.values()
        ):
            raise ArtifactError(f"{place} has `annotations` that are not texts")
        artifact_type = value.get("artifactType")
        if artifact_type is not None and not isinstance(artifact_type, str):
            raise ArtifactError(f"{place} has an `artifactType` that is not a text")
        return cls(media_type, name, size, dict(annotations), artifact_type)

    def to_json(self) -> dict[str, Json]:
        found: dict[str, Json] = {
            "mediaType": self.media_type,
            "digest": self.digest,
            "size": self.size,
        }
        if self.artifact_type is not None:
            found["artifactType"] = self.artifact_type
        if self.annotations:
            found["annotations"] = dict(self.annotations)
        return found


EMPTY = Descriptor.of("application/vnd.oci.empty.v1+json", EMPTY_BYTES, {})


@dataclass(frozen=True)
class Manifest:
    """One artifact: the descriptor of its config, and of each layer by title.

    `subject` is the manifest that a signature is about.
    """

    kind: ArtifactKind
    config: Descriptor
    layers: Mapping[str, Descriptor]
    subject: Descriptor | None = None

    @property
    def content(self) -> str:
        """The content digest: see `content_digest`."""
        return content_digest(self.layers)

    def canonical(self) -> bytes:
        """The manifest's RFC 8785 bytes; layers in the order of their titles."""
        subject: dict[str, Json] = {"subject": self.subject.to_json()} if self.subject else {}
        return canonical_bytes(
            {
                "schemaVersion": 2,
                "mediaType": MANIFEST_TYPE,
                "artifactType": self.kind.artifact_type,
                "config": self.config.to_json(),
                "layers": [self.layers[title].to_json() for title in sorted(self.layers)],
                **subject,
            }
        )


def content_digest(layers: Mapping[str, Descriptor]) -> str:
    """Digest of what an artifact says: the title of each layer and the layer's digest.

    Sequence, commit and compiler version stand in the config and are no part of it.
    """
    return digest(canonical_bytes({title: layer.digest for title, layer in layers.items()}))


def read_json(data: bytes, place: str) -> Any:
    """What the bytes of `place` say as JSON. Raises ArtifactError if they are none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ArtifactError(f"{place} is not JSON ({str(error)[:120]})") from None


def read_manifest(data: bytes, kind: ArtifactKind) -> Manifest:
    """The manifest of an artifact of `kind`. Raises ArtifactError for anything else.

    The bytes must be canonical: a text with a key given twice would read in two ways.
    """
    value = read_json(data, "the manifest")
    if not isinstance(value, dict) or value.get("schemaVersion") != 2:
        raise ArtifactError("the manifest is not one of OCI's image manifests")
    refuse_other_format(value.get("artifactType"), kind.artifact_type, kind.word)
    config = Descriptor.from_json(value.get("config"), "the manifest's config")
    refuse_other_format(config.media_type, kind.config_type, f"{kind.word} config")
    listed = value.get("layers")
    if not isinstance(listed, list):
        raise ArtifactError("the manifest has no list of layers")
    layers: dict[str, Descriptor] = {}
    for number, entry in enumerate(listed):
        layer = Descriptor.from_json(entry, f"layer {number} of the manifest")
        title = layer.annotations.get(TITLE)
        if title is None or title in layers:
            raise ArtifactError(
                f"layer {number} of the manifest has no title of its own: {title!r}"
            )
        layers[title] = layer
    for descriptor in (config, *layers.values()):
        if descriptor.size > MAX_BLOB_BYTES:
            raise ArtifactError(f"the manifest names a blob of {descriptor.size} bytes")
    about = value.get("subject")
    subject = None if about is None else Descriptor.from_json(about, "the manifest's subject")
    manifest = Manifest(kind, config, layers, subject)
    if manifest.canonical() != data:
        raise ArtifactError("the manifest is not in the canonical form that publish writes")
    return manifest


def refuse_other_format(found: object, known: str, word: str) -> None:
    """Raises ArtifactError unless `found` is the `known` format; says so if it is a newer one."""
    if found == known:
        return
    pattern = re.compile(re.escape(known).replace("v1", r"v(\d+)"))
    newer = pattern.fullmatch(found) if isinstance(found, str) else None
    if newer and int(newer[1]) > 1:
        raise ArtifactError(
            f"the {word} has format v{newer[1]} and this version reads v1: "
            "upgrade trunkline before using it"
        )
    raise ArtifactError(
        f"this is no {word} of ours: its type is {str(found)[:80]!r}, not {known!r}"
    )


def table_title(flow: str) -> str:
    """The title of the layer that holds a flow's node table."""
    return f"flows/{flow}.json"


def tool_title(connection: str, tool: str) -> str:
    """The title of the layer that holds a catalogue entry."""
    return f"tools/{connection}/{tool}.json"
