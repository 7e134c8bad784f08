"""Flows that are new, gone, or that one of two revisions cannot compile: one edit each."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from trunkline.diff.change import Edit, FlowId
from trunkline.diff.exits import Written
from trunkline.diff.fingerprint import fingerprint
from trunkline.diff.mask import masked_number
from trunkline.diff.phrases import joined, listed, plural, shown, ticked
from trunkline.diff.reached import tools_of
from trunkline.diff.snapshot import Gap, Snapshot


def gone(id: FlowId, base: Snapshot, head: Snapshot) -> Iterator[Edit]:
    """A flow that the base had, and that the head lacks or cannot compile."""
    tenant, flow = id
    if id in head.unreadable:
        if id in base.tables:
            told = "can no longer be compiled, and is not compared"
            yield _unread("flow-unreadable", id, told, head.unreadable[id])
    elif id in base.unreadable:
        told = "is gone; it could not be compiled"
        yield _unread("flow-readable", id, told, base.unreadable[id])
    else:
        table = base.tables[id]
        yield Edit(
            "flow-removed",
            f"no call can use {ticked(flow)} any more{_told(table)}{_lost(id, table, head)}",
            tenant=tenant,
            name=f"flow {flow}",
            effect_of="" if tenant in head.tenants() else "tenant",
            flow=flow,
            part=f"flow {fingerprint(table)}",
            before=_summary(table),
            circumstances=_brings(table),
        )


def come(id: FlowId, base: Snapshot, head: Snapshot) -> Iterator[Edit]:
    """A flow that the head has, and that the base lacked or could not compile."""
    tenant, flow = id
    if id in head.unreadable:
        if id not in base.unreadable:
            told = "is new and cannot be compiled, and is not compared"
            yield _unread("flow-unreadable", id, told, head.unreadable[id])
        return
    table = head.tables[id]
    part = f"flow {fingerprint(table)}"
    if id in base.unreadable:
        told = "can be compiled again; all of it counts as new"
        edit = _unread("flow-readable", id, told, base.unreadable[id])
        yield replace(edit, part=part, after=_summary(table), circumstances=_brings(table))
        return
    yield Edit(
        "flow-added",
        f"calls can now use a new flow, {ticked(flow)}{_told(table)}{_granted(table)}",
        tenant=tenant,
        name=f"flow {flow}",
        flow=flow,
        part=part,
        after=_summary(table),
        circumstances=_brings(table),
    )


def _brings(table: Written) -> frozenset[str]:
    """What makes a whole flow risky: tools, and transfers."""
    found = {"tools"} if tools_of(table) else set()
    if any(node.get("kind") == "transfer" for node in table["nodes"].values()):
        found.add("transfer")
    return frozenset(found)


def _unread(kind: str, id: FlowId, told: str, reason: Gap) -> Edit:
    tenant, flow = id
    message = f"{ticked(flow)} {told} ({reason.code})"
    return Edit(kind, message, tenant=tenant, flow=flow, part=f"flow {reason.code}")


def _told(table: Written) -> str:
    purpose = f" for {ticked(table['purpose'])}" if table.get("purpose") else ""
    return f" ({table.get('direction')}{purpose}, {plural(len(table['nodes']), 'node')})"


def _granted(table: Written) -> str:
    tools = sorted(tools_of(table))
    return f"; the agent may call {listed(tools)} in it" if tools else "; it calls no tools"


def _lost(id: FlowId, table: Written, head: Snapshot) -> str:
    """What goes with a flow: its tools, its outcomes; and who still names it."""
    tools, outcomes = sorted(tools_of(table)), _summary(table)["outcomes"]
    told = f"; with it goes what {listed(tools)} did in it" if tools else ""
    told += f"; it ended with {shown(outcomes)}" if outcomes else ""
    naming = sorted(_naming(id, head))
    if not naming:
        return f"{told}; no number and no other flow names it"
    return f"{told}; {joined(naming)} still {'names' if len(naming) == 1 else 'name'} it"


def _naming(id: FlowId, head: Snapshot) -> Iterator[str]:
    """The flows that link to a flow, and the numbers that it answers."""
    tenant, flow = id
    for other, table in head.tables.items():
        nodes = table["nodes"].values() if other[0] == tenant else ()
        if any(node.get("kind") == "link" and node.get("flow") == flow for node in nodes):
            yield ticked("/".join(other))
    inbound = head.tenants().get(tenant, {}).get("inbound", {})
    yield from (masked_number(number) for number, by in inbound.items() if by == flow)


def _summary(table: Written) -> dict[str, Any]:
    nodes: Mapping[str, Written] = table["nodes"]
    return {
        "direction": table.get("direction"),
        "purpose": table.get("purpose"),
        "nodes": len(nodes),
        "tools": sorted(tools_of(table)),
        "outcomes": sorted({node["outcome"] for node in nodes.values() if "outcome" in node}),
    }
