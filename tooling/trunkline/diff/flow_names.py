"""Renamed flows in a whole repository, and what names them elsewhere."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from trunkline.diff.change import FlowId
from trunkline.diff.renames import renamed_flows
from trunkline.diff.snapshot import Document, Snapshot


def flow_names(base: Snapshot, head: Snapshot) -> dict[FlowId, FlowId]:
    """Old → new id of the flows that only have another name."""
    known = base.unreadable.keys() | head.unreadable.keys()
    gone = {id: one for id, one in base.tables.items() if id not in head.tables and id not in known}
    come = {id: one for id, one in head.tables.items() if id not in base.tables and id not in known}
    return renamed_flows(gone, come)


def following(base: Snapshot, names: Mapping[FlowId, FlowId]) -> Snapshot:
    """The snapshot with renamed flows under their new names where others name them.

    A number or a link that follows a rename changes nothing in a call.
    """
    if not names:
        return base
    tables = {id: _links(id, table, names) for id, table in base.tables.items()}
    documents = {path: _inbound(path, one, names) for path, one in base.documents.items()}
    return replace(base, tables=tables, documents=documents)


def _links(id: FlowId, table: Document, names: Mapping[FlowId, FlowId]) -> Document:
    tenant, _ = id
    nodes: dict[str, Any] = {}
    for name, node in table["nodes"].items():
        new = names.get((tenant, str(node.get("flow"))))
        nodes[name] = node if new is None else {**node, "flow": new[1]}
    return {**table, "nodes": nodes}


def _inbound(path: str, document: Document, names: Mapping[FlowId, FlowId]) -> Document:
    parts = path.split("/")
    if parts[0] != "flows" or parts[-1] != "tenant.yaml" or "inbound" not in document:
        return document
    inbound = {
        number: names.get((parts[1], flow), (parts[1], flow))[1]
        for number, flow in document["inbound"].items()
    }
    return {**document, "inbound": inbound}
