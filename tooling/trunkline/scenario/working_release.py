"""Releases of the working tree in memory: what a publish of it would hold, without a store."""

import json
from dataclasses import dataclass
from typing import Any

from trunkline.compile import Compiled
from trunkline.release.layers import Layer, content_of, policy_layers, tenant_layers
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.table.artifact import (
    FACTS_TYPE,
    OUTCOMES_TYPE,
    TABLE_TYPE,
    TENANT_TYPE,
    TOOL_TYPE,
)
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.settings import TenantSettings

# What stands in a record where a release would have its tag.
WORKING_TREE = "working tree"


@dataclass(frozen=True)
class WorkingPolicy:
    """The policy of the working tree, as a gate asks for it."""

    snapshot: PolicySnapshot

    def __call__(self) -> PolicySnapshot:
        return self.snapshot


def release_of(compiled: Compiled, tenant: str) -> Release:
    """The release that a tenant would get: made of the same bytes as a published one."""
    layers = tenant_layers(compiled, tenant)
    entries = [_entry(layer) for layer in _typed(layers, TOOL_TYPE)]
    tables = [NodeTable.from_json(json.loads(layer.data)) for layer in _typed(layers, TABLE_TYPE)]
    (settings,) = _typed(layers, TENANT_TYPE)
    content = content_of(layers)
    return Release(
        tenant=tenant,
        tag=WORKING_TREE,
        digest=content,
        sequence=0,
        content=content,
        policy=content_of(policy_layers(compiled)),
        commit=None,
        compiler=WORKING_TREE,
        tables={table.flow: table for table in tables},
        entries={entry.id: entry for entry in entries},
        facts=_listed(layers, FACTS_TYPE, "facts"),
        outcomes=_listed(layers, OUTCOMES_TYPE, "outcomes"),
        settings=TenantSettings.from_document(json.loads(settings.data)),
    )


def policy_of(compiled: Compiled) -> PolicySnapshot:
    """The policy that a publish of the working tree would hold."""
    layers = policy_layers(compiled)
    documents = {layer.title: json.loads(layer.data) for layer in layers}
    return PolicySnapshot(content_of(layers) if layers else "", 0, documents)


def _typed(layers: tuple[Layer, ...], media_type: str) -> list[Layer]:
    return [layer for layer in layers if layer.descriptor.media_type == media_type]


def _entry(layer: Layer) -> ToolEntry:
    document: dict[str, Any] = json.loads(layer.data)
    connection = document.pop("connection")
    return ToolEntry.from_document(connection, document)


def _listed(layers: tuple[Layer, ...], media_type: str, key: str) -> dict[str, Any]:
    for layer in _typed(layers, media_type):
        found: dict[str, Any] = json.loads(layer.data)[key]
        return found
    return {}
