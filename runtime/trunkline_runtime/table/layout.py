"""The shape of a store: one OCI image layout a folder, whose index says what each tag names.

Source: OCI image-spec 1.1, image-layout.md and image-index.md.
"""

import re
from collections.abc import Sequence

from trunkline_runtime.table.artifact import (
    MAX_MANIFEST_BYTES,
    ArtifactError,
    Descriptor,
    read_json,
)
from trunkline_runtime.table.canonical import Json, canonical_bytes

LAYOUT_FILE = "oci-layout"
LAYOUT: Json = {"imageLayoutVersion": "1.0.0"}
INDEX_FILE = "index.json"
INDEX_TYPE = "application/vnd.oci.image.index.v1+json"
TAG = "org.opencontainers.image.ref.name"

POLICY_NAME = "_policy"  # the folder of the policy's own artifact, beside the tenants'
TENANT_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

MAX_INDEX_BYTES = 64 * 1024 * 1024

_TAG = re.compile(r"v([1-9][0-9]{0,8})")


def tag_of(sequence: int) -> str:
    """The tag of a sequence number: `v12`."""
    return f"v{sequence}"


def sequence_of(tag: str) -> int | None:
    """The number in a tag, or None for a text that is no tag."""
    found = _TAG.fullmatch(tag)
    return int(found[1]) if found else None


def blob_file(name: str) -> str:
    """Where a layout keeps the blob of a digest, relative to the layout's folder."""
    return "blobs/" + name.replace(":", "/", 1)


def index_bytes(entries: Sequence[Descriptor]) -> bytes:
    """The canonical bytes of an index that lists `entries`, in their order."""
    return canonical_bytes(
        {
            "schemaVersion": 2,
            "mediaType": INDEX_TYPE,
            "manifests": [descriptor.to_json() for descriptor in entries],
        }
    )


def read_index(data: bytes) -> tuple[Descriptor, ...]:
    """What an index lists, in its order. Raises ArtifactError for what is no index."""
    index = read_json(data, INDEX_FILE)
    manifests = index.get("manifests") if isinstance(index, dict) else None
    if not isinstance(manifests, list) or index.get("schemaVersion") != 2:
        raise ArtifactError(f"{INDEX_FILE} is not the index of an OCI image layout")
    entries = tuple(
        Descriptor.from_json(entry, f"entry {number} of {INDEX_FILE}")
        for number, entry in enumerate(manifests)
    )
    tags_of(entries)
    return entries


def tags_of(entries: Sequence[Descriptor]) -> dict[str, Descriptor]:
    """What each tag of an index names, the oldest first.

    Entries without a tag belong to others (signatures, attestations) and are passed over.
    Raises ArtifactError if a tag is listed twice or names an impossible manifest.
    """
    tags: dict[str, Descriptor] = {}
    for entry in entries:
        tag = entry.annotations.get(TAG, "")
        if sequence_of(tag) is None:
            continue
        if tag in tags:
            raise ArtifactError(f"{INDEX_FILE} lists the tag {tag} twice")
        if entry.size > MAX_MANIFEST_BYTES:
            raise ArtifactError(f"{INDEX_FILE} lists a manifest of {entry.size} bytes at {tag}")
        tags[tag] = entry
    return dict(sorted(tags.items(), key=lambda item: sequence_of(item[0]) or 0))
