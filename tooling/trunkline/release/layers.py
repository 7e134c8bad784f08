"""What goes into an artifact: the layers of one tenant's release, and those of the policy."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.artifact import (
    FACTS_TITLE,
    FACTS_TYPE,
    OUTCOMES_TITLE,
    OUTCOMES_TYPE,
    POLICY_DOCUMENT_TYPE,
    TABLE_TYPE,
    TENANT_TITLE,
    TENANT_TYPE,
    TITLE,
    TOOL_TYPE,
    Descriptor,
    content_digest,
    table_title,
    tool_title,
)
from trunkline_runtime.table.canonical import Json, canonical_bytes

# Outcomes that the runtime itself gives a call; they need no mention in a flow (design, `end`).
RESERVED_OUTCOMES = frozenset(
    {"opt_out", "transferred", "hung_up", "busy", "no_answer", "abandoned", "failed"}
)
_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


class Compilation(Protocol):
    """What a release is made of: a repository that was compiled without an error."""

    @property
    def tables(self) -> Mapping[tuple[str, str], Mapping[str, Any]]: ...
    @property
    def entries(self) -> Mapping[str, ToolEntry]: ...
    @property
    def tenants(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def policy(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def facts(self) -> Mapping[str, Any] | None: ...
    @property
    def outcomes(self) -> Mapping[str, Any] | None: ...


@dataclass(frozen=True)
class Layer:
    """One blob of an artifact: its descriptor (with the title) and its RFC 8785 bytes."""

    descriptor: Descriptor
    data: bytes

    @property
    def title(self) -> str:
        return self.descriptor.annotations[TITLE]

    @classmethod
    def of(cls, title: str, media_type: str, data: bytes) -> "Layer":
        return cls(Descriptor.of(media_type, data, {TITLE: title}), data)


def tenant_layers(compiled: Compilation, tenant: str) -> tuple[Layer, ...]:
    """The layers of a tenant's release: its flows, the catalogue that they use, its settings.

    Facts and outcomes that nothing of this tenant names are left out: a fact added to the
    catalogue for one tenant makes no release for the others.
    """
    tables = [
        Layer.of(table_title(flow), TABLE_TYPE, canonical_bytes(table))
        for (owner, flow), table in compiled.tables.items()
        if owner == tenant
    ]
    used = {
        tool
        for (owner, _), table in compiled.tables.items()
        if owner == tenant
        for tool in table.get("tools", ())
    }
    tools = [
        Layer.of(tool_title(entry.connection, entry.id), TOOL_TYPE, entry.canonical)
        for entry in (compiled.entries[tool] for tool in sorted(used))
    ]
    words = _words(layer.data for layer in (*tables, *tools))
    catalogue = [
        *_listed(FACTS_TITLE, FACTS_TYPE, "facts", compiled.facts, words),
        *_listed(
            OUTCOMES_TITLE, OUTCOMES_TYPE, "outcomes", compiled.outcomes, words | RESERVED_OUTCOMES
        ),
    ]
    settings = Layer.of(TENANT_TITLE, TENANT_TYPE, canonical_bytes(compiled.tenants[tenant]))
    return (*tables, *tools, *catalogue, settings)


def policy_layers(compiled: Compilation) -> tuple[Layer, ...]:
    """The layers of the policy artifact: each document of `policy/`, titled with its path there.

    Its tests judge the policy and are no part of it.
    """
    return tuple(
        Layer.of(path, POLICY_DOCUMENT_TYPE, canonical_bytes(document))
        for path, document in sorted(compiled.policy.items())
        if not path.startswith("tests/")
    )


def content_of(layers: Iterable[Layer]) -> str:
    """The content digest of an artifact that has these layers."""
    return content_digest({layer.title: layer.descriptor for layer in layers})


def _words(texts: Iterable[bytes]) -> set[str]:
    """Every name-like word in `texts`: a superset of the facts and outcomes that they name."""
    return {word.decode() for text in texts for word in _WORD.findall(text)}


def _listed(
    title: str, media_type: str, key: str, listed: Mapping[str, Any] | None, words: set[str]
) -> list[Layer]:
    """The layer of a catalogue list, cut to what is used; none where the list does not exist."""
    if listed is None:
        return []
    used = {name: value for name, value in listed.items() if name in words}
    kept: Json = {"schema_version": 1, key: used}
    return [Layer.of(title, media_type, canonical_bytes(kept))]
