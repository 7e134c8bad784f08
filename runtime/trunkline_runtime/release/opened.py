"""An artifact opened: what is read of it is proven, and of the format that this version reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.proof import describe, read_proven
from trunkline_runtime.release.source import Source
from trunkline_runtime.schema import validator
from trunkline_runtime.schema.accepting import fits
from trunkline_runtime.table.artifact import (
    ArtifactError,
    ArtifactKind,
    Descriptor,
    Manifest,
    read_json,
    read_manifest,
    refuse_other_format,
)
from trunkline_runtime.table.canonical import canonical_bytes
from trunkline_runtime.table.layout import sequence_of

_CONFIG_SCHEMAS = {"trunkline/release/v1": "release", "trunkline/policy/v1": "policy"}


@dataclass(frozen=True)
class Opened:
    """One artifact. `config` fits its schema; a layer is read, and proven, when it is asked for."""

    name: str
    tag: str
    digest: str
    manifest: Manifest
    config: Mapping[str, Any]
    source: Source

    def document(self, title: str) -> Any:
        """The document of a layer. Raises Refused if its bytes are not what they should be."""
        return _document(self.source, self.name, self.manifest.layers[title])


def releases(source: Source, name: str) -> list[str]:
    """The tags of the releases (or policies) of a name, the oldest first. Raises Refused."""
    found = [tag for tag in source.tags(name) if sequence_of(tag) is not None]
    return sorted(found, key=lambda tag: sequence_of(tag) or 0)


def tags(source: Source, name: str) -> dict[str, Descriptor]:
    """What each of these tags names, the oldest first. Raises Refused."""
    found = ((tag, source.find(name, tag)) for tag in releases(source, name))
    return {tag: named for tag, named in found if named is not None}


def manifest_at(source: Source, name: str, kind: ArtifactKind, named: Descriptor) -> Manifest:
    """The proven manifest that an index entry names. Raises Refused for any other."""
    try:
        if named.artifact_type is not None:
            refuse_other_format(named.artifact_type, kind.artifact_type, kind.word)
        return read_manifest(read_proven(source, name, named), kind)
    except ArtifactError as error:
        raise Refused(f"manifest {named.digest} of {name}: {error}") from None


def open_artifact(
    source: Source, name: str, kind: ArtifactKind, tag: str, named: Descriptor
) -> Opened:
    """Opens the artifact that an index names with `tag`.

    Raises Refused if any byte of manifest or config differs from what the digests say, either is
    of a newer format, or the config does not describe the artifact that it belongs to.
    """
    manifest = manifest_at(source, name, kind, named)
    config = _document(source, name, manifest.config)
    found = config.get("schema") if isinstance(config, dict) else None
    try:
        refuse_other_format(found, kind.config_schema, f"{kind.word} config")
    except ArtifactError as error:
        raise Refused(f"{name} {tag}: {error}") from None
    check(_CONFIG_SCHEMAS[kind.config_schema], config, f"the config of {name} {tag}")
    if config["sequence"] != sequence_of(tag):
        raise Refused(f"{name} {tag} is tagged {tag} and its config says v{config['sequence']}")
    if config["content"] != manifest.content:
        raise Refused(
            f"{name} {tag} has the content digest {manifest.content} "
            f"and its config says {config['content']}"
        )
    return Opened(name, tag, named.digest, manifest, config, source)


def check(kind: str, document: object, what: str) -> None:
    """Raises Refused unless `document` fits the schema of its kind."""
    if fits(kind, document):
        return
    for error in validator(kind).iter_errors(document):
        where = "/".join(str(part) for part in error.absolute_path) or "the top"
        # The message of the schema's library repeats the value: settings hold phone numbers.
        raise Refused(f"{what} breaks its schema at {where} (`{error.validator}`)")


def _document(source: Source, name: str, wanted: Descriptor) -> Any:
    """The JSON of a proven blob, in its one canonical spelling: none that reads in two ways."""
    data = read_proven(source, name, wanted)
    blob = describe(wanted, name)
    try:
        document = read_json(data, blob)
        canonical = canonical_bytes(document)
    except (ArtifactError, ValueError, RecursionError) as error:
        raise Refused(f"{blob} can't be read: {str(error)[:200]}") from None
    if canonical != data:
        raise Refused(f"{blob} is not in the canonical form that publish writes")
    return document
