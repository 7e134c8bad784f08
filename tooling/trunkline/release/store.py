"""A store as publishing sees it: tags, what they name, and one step that adds to both."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from trunkline.failure import FatalError
from trunkline_runtime.table.artifact import (
    ArtifactError,
    ArtifactKind,
    Descriptor,
    Manifest,
    read_manifest,
)
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.layout import sequence_of


class Unlisted(FatalError):
    """A registry that does not list what it holds. Many do not; each of its names can be asked."""


@dataclass(frozen=True)
class Entry:
    """A manifest to be put under a tag. Only with `moves` may the tag name something already."""

    tag: str
    manifest: Manifest
    moves: bool = False


class Store(Protocol):
    """A folder or a registry. Every method may raise FatalError, with what to do about it."""

    @property
    def place(self) -> str:
        """How its user calls it."""

    @property
    def threads(self) -> int:
        """How many things are best done at once."""

    def writing(self) -> AbstractContextManager[None]:
        """Holds the store, so that nobody else publishes. Raises Busy if somebody does."""

    def names(self) -> list[str]:
        """The tenants that it holds, and `_policy`. Raises Unlisted if it does not tell."""

    def tags(self, name: str) -> list[str]:
        """Every tag of a tenant; none if nothing was published yet."""

    def find(self, name: str, tag: str) -> Descriptor | None:
        """What a tag names; None if there is no such tag."""

    def read(self, name: str, wanted: Descriptor) -> bytes:
        """The bytes of a blob or manifest, proven by its digest."""

    def unsound(self, name: str, wanted: Iterable[Descriptor]) -> list[Descriptor]:
        """Those of the blobs that it lists and does not hold as they were written. A registry
        proves what it is given and what it gives; a folder can be altered by anybody.
        """

    def write(self, name: str, blobs: Sequence[bytes], entries: Sequence[Entry]) -> None:
        """Adds blobs, then entries in their order: killed at any point, a reader sees the old
        state or one to which a whole entry was added. Call it inside `writing`.
        """

    def damaged(self, name: str, reason: str) -> FatalError:
        """What to say of a store that does not hold what it lists."""


@dataclass(frozen=True)
class Artifact:
    """One artifact that a store holds: its tag, the manifest and what names that."""

    tag: str
    named: Descriptor
    manifest: Manifest

    @property
    def digest(self) -> str:
        return self.named.digest

    @property
    def sequence(self) -> int:
        return sequence_of(self.tag) or 0


def releases(store: Store, name: str) -> list[str]:
    """The tags of the releases of a tenant, or of the policy, the newest first."""
    found = [tag for tag in store.tags(name) if sequence_of(tag) is not None]
    return sorted(found, key=lambda tag: sequence_of(tag) or 0, reverse=True)


def newest(store: Store, name: str, kind: ArtifactKind) -> Artifact | None:
    """The artifact of the highest tag; None where nothing was published yet.

    Raises FatalError for a damaged store: a release made on top of one could reuse a tag.
    """
    return next(newest_first(store, name, kind), None)


def newest_first(store: Store, name: str, kind: ArtifactKind) -> Iterator[Artifact]:
    """Every artifact of a tenant, read one by one. Raises FatalError for a damaged store."""
    for tag in releases(store, name):
        named = store.find(name, tag)
        if named is None:
            raise store.damaged(name, f"the tag {tag} names nothing any more")
        yield artifact(store, name, kind, tag, named)


def artifact(store: Store, name: str, kind: ArtifactKind, tag: str, named: Descriptor) -> Artifact:
    """The artifact that a descriptor names. Raises FatalError for a damaged store."""
    try:
        return Artifact(tag, named, read_manifest(store.read(name, named), kind))
    except ArtifactError as error:
        raise store.damaged(name, f"{tag}: {error}") from None


def named_by(found: Artifact) -> list[Descriptor]:
    """The blobs that an artifact consists of, each once, besides its manifest."""
    manifest = found.manifest
    return list({d.digest: d for d in (manifest.config, *manifest.layers.values())}.values())


def config_of(store: Store, name: str, found: Artifact) -> Mapping[str, Json]:
    """The config of an artifact. Raises FatalError for a damaged store."""
    config: Mapping[str, Json] = json.loads(store.read(name, found.manifest.config))
    return config
