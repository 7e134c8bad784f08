"""The store as a folder: one OCI image layout per tenant, and one for the policy.

Writing an artifact ends with one rename, that of `index.json`. A process killed before it leaves
blobs that nothing names, which the next one finds in place and uses.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.release.layers import Layer
from trunkline_runtime.table.artifact import (
    MANIFEST_TYPE,
    ArtifactError,
    ArtifactKind,
    Descriptor,
    Manifest,
    content_digest,
    read_manifest,
)
from trunkline_runtime.table.canonical import Json, canonical_bytes, digest
from trunkline_runtime.table.durable import make_folder, place, replace_durably
from trunkline_runtime.table.exclusive import exclusive
from trunkline_runtime.table.folder import begin, blob_path, is_begun, is_layout, sync_blobs
from trunkline_runtime.table.layout import (
    INDEX_FILE,
    TAG,
    index_bytes,
    read_index,
    sequence_of,
    tag_of,
    tags_of,
)


@dataclass(frozen=True)
class Artifact:
    """One artifact that a store holds: its tag, the manifest and the manifest's digest."""

    tag: str
    digest: str
    manifest: Manifest

    @property
    def sequence(self) -> int:
        return sequence_of(self.tag) or 0


@contextmanager
def writing(store: Path) -> Iterator[None]:
    """Holds the store's lock, making the folder where there is none.

    Raises FatalError for a folder that is something else, and Busy if another publish holds it;
    in both cases nothing is changed.
    """
    _refuse_what_is_no_store(store)
    make_folder(store)
    with exclusive(store):
        yield


def newest(folder: Path, kind: ArtifactKind) -> Artifact | None:
    """The artifact of the highest tag in a layout; None where nothing was published yet.

    Raises FatalError for a damaged layout: a release made on top of one could reuse a tag.
    """
    tags = tags_of(_index(folder))
    return _artifact(folder, kind, *list(tags.items())[-1]) if tags else None


def newest_first(folder: Path, kind: ArtifactKind) -> Iterator[Artifact]:
    """Every artifact of a layout, read one by one. Raises FatalError for a damaged layout."""
    for tag, descriptor in reversed(tags_of(_index(folder)).items()):
        yield _artifact(folder, kind, tag, descriptor)


def config_of(folder: Path, artifact: Artifact) -> Mapping[str, Json]:
    """The config of an artifact. Raises FatalError for a damaged layout."""
    found: Mapping[str, Json] = json.loads(_blob(folder, artifact.manifest.config))
    return found


def add(
    folder: Path,
    kind: ArtifactKind,
    layers: Sequence[Layer],
    config: Callable[[int, str], Mapping[str, Json]],
) -> tuple[Artifact, bool]:
    """Publishes `layers` under the next tag, unless the newest artifact says the same already.

    `config` gives the config of a sequence number and content digest. Returns the artifact that
    now is the newest, and whether it is new. Call it inside `writing`. Raises FatalError for a
    damaged layout and OSError when the disk refuses; the layout then is as it was.
    """
    last = newest(folder, kind)
    titled = {layer.title: layer.descriptor for layer in layers}
    content = content_digest(titled)
    if last is not None and last.manifest.content == content:
        return last, False
    sequence = last.sequence + 1 if last is not None else 1
    config_data = canonical_bytes(config(sequence, content))
    manifest = Manifest(kind, Descriptor.of(kind.config_type, config_data, {}), titled)
    manifest_data = manifest.canonical()
    begin(folder)
    _write_blobs(folder, [*(layer.data for layer in layers), config_data, manifest_data])
    artifact = Artifact(tag_of(sequence), digest(manifest_data), manifest)
    named = Descriptor.of(MANIFEST_TYPE, manifest_data, {TAG: artifact.tag})
    entry = replace(named, artifact_type=kind.artifact_type)
    replace_durably(folder / INDEX_FILE, index_bytes([*_index(folder), entry]))
    return artifact, True


def _write_blobs(folder: Path, blobs: Sequence[bytes]) -> None:
    """Writes what is missing; a blob that is there but altered is written again."""
    for data in blobs:
        path = blob_path(folder, digest(data))
        if not path.is_file() or path.read_bytes() != data:
            place(path, data)
    sync_blobs(folder)


def _index(folder: Path) -> tuple[Descriptor, ...]:
    if not is_layout(folder):
        return ()
    try:
        return read_index((folder / INDEX_FILE).read_bytes())
    except OSError as error:
        raise _damaged(folder, f"{INDEX_FILE}: {error.strerror}") from None
    except ArtifactError as error:
        raise _damaged(folder, str(error)) from None


def _artifact(folder: Path, kind: ArtifactKind, tag: str, descriptor: Descriptor) -> Artifact:
    try:
        manifest = read_manifest(_blob(folder, descriptor), kind)
    except ArtifactError as error:
        raise _damaged(folder, f"{tag}: {error}") from None
    return Artifact(tag, descriptor.digest, manifest)


def _blob(folder: Path, descriptor: Descriptor) -> bytes:
    try:
        data = blob_path(folder, descriptor.digest).read_bytes()
    except OSError as error:
        reason = error.strerror or "it can't be read"
        raise _damaged(folder, f"blob {descriptor.digest}: {reason}") from None
    if digest(data) != descriptor.digest:
        raise _damaged(folder, f"blob {descriptor.digest} has the digest {digest(data)}")
    return data


def _damaged(folder: Path, reason: str) -> FatalError:
    return FatalError(
        f"the store's folder {folder} is damaged and nothing was published: {reason}. "
        "Restore that file from a copy of the store, or publish to a new folder."
    )


def _refuse_what_is_no_store(store: Path) -> None:
    """A store holds nothing but layouts; anything else is a folder that was named by mistake."""
    if not store.exists():
        return
    if not store.is_dir():
        raise FatalError(f"{store} is a file, not a store; name a folder with --to")
    for entry in sorted(store.iterdir()):
        # A store that is a branch of its own has `.git`, and may well have a README.
        aside = entry.name.startswith(".") or (entry.suffix == ".md" and entry.is_file())
        if not (aside or is_layout(entry) or is_begun(entry)):
            raise FatalError(
                f"{store} is not a store: {entry.name} in it is no OCI image layout; "
                "name an empty or new folder with --to"
            )
