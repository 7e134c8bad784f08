"""All flows of two revisions: which is which, and what changed in each, with the cause."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from trunkline.diff.change import Cause, Edit, FlowId
from trunkline.diff.exits import Written
from trunkline.diff.fingerprint import fingerprint
from trunkline.diff.flows import flow_edits
from trunkline.diff.phrases import listed, shown, ticked
from trunkline.diff.reached import tools_of
from trunkline.diff.renames import renamed_nodes, with_nodes_renamed
from trunkline.diff.side import Side
from trunkline.diff.snapshot import Gap, Origin, Snapshot


def flow_set_edits(base: Snapshot, head: Snapshot, names: Mapping[FlowId, FlowId]) -> list[Edit]:
    """Every edit in the flows of two revisions; `names` (old → new) are those only renamed."""
    back = {new: old for old, new in names.items()}
    found: list[Edit] = []
    for id in sorted(base.tables.keys() | base.unreadable.keys()):
        if id not in head.tables and id not in names:
            found += _gone(id, base, head)
    for id in sorted(head.tables.keys() | head.unreadable.keys()):
        old = back.get(id, id)
        if id in head.tables and old in base.tables:
            found += _compared(old, id, base, head)
        elif old not in base.tables:
            found += _come(id, base, head)
    return found


def _compared(old: FlowId, new: FlowId, base: Snapshot, head: Snapshot) -> Iterator[Edit]:
    before, after = base.tables[old], head.tables[new]
    tenant, flow = new
    facts = "catalog/facts.yaml"
    if before == after and base.document(facts) == head.document(facts):
        return  # a table names its catalogue entries by digest, so these are the same as well
    if old != new:
        yield Edit(
            "flow-renamed",
            f"the flow {ticked(old[1])} is now called {ticked(flow)}: "
            "jobs and numbers that name it must follow",
            tenant=tenant,
            flow=flow,
            part="flow",
            before=old[1],
            after=flow,
        )
    names = renamed_nodes(before, after)
    proofs = base.proofs.get(old)
    sides = (
        Side(
            with_nodes_renamed(before, names),
            base.entries,
            base.required(old[0], before),
            proofs.renamed(names) if proofs is not None else None,
        ),
        Side(
            after,
            head.entries,
            head.required(tenant, after),
            head.proofs.get(new),
            partial(_leading, head, tenant),
        ),
    )
    edits = [
        *(
            Edit(
                "node-renamed",
                f"the node {ticked(was)} is now called {ticked(now)}",
                node=now,
                part="name",
                before=was,
                after=now,
            )
            for was, now in sorted(names.items())
        ),
        *flow_edits(*sides),
    ]
    causes = _Causes(old, new, base, head)
    for edit in edits:
        yield causes.given(replace(edit, tenant=tenant, flow=flow))


def _leading(head: Snapshot, tenant: str, flow: str) -> frozenset[str]:
    """What a flow of the tenant leads to, for one that links to it."""
    table = head.tables.get((tenant, flow))
    if table is None:
        return frozenset()
    side = Side(table, head.entries, {})
    return frozenset().union(*(side.leads(id) for id in side.nodes))


class _Causes:
    """Finds the file behind an edit of one flow, where that is not the flow's own."""

    def __init__(self, old: FlowId, new: FlowId, base: Snapshot, head: Snapshot) -> None:
        self.shared = _changed_origins(
            base.origins.get(old, ()), head.origins.get(new, ()), base, head
        )
        self.untouched = base.document(_path(old)) == head.document(_path(new))
        self.changed_entries = [
            f"catalog/tools/{entry.connection}/{tool}.yaml"
            for tool, entry in sorted(head.entries.items())
            if tool in tools_of(head.tables[new])
            and (tool not in base.entries or base.entries[tool].document != entry.document)
        ]
        if base.document("catalog/facts.yaml") != head.document("catalog/facts.yaml"):
            self.changed_entries.append("catalog/facts.yaml")

    def given(self, edit: Edit) -> Edit:
        """The edit with its cause, and its node as the shared file calls it."""
        origin = _origin(edit.node, self.shared)
        if origin is None and self.untouched and self.shared:
            origin = self.shared[0]
        if origin is not None:
            node = edit.node.removeprefix(origin.prefix) if edit.node is not None else None
            return replace(
                edit,
                node=node,
                cause=Cause("shared", origin.path),
                circumstances=edit.circumstances | {"shared"},
            )
        if self.untouched and self.changed_entries:
            return replace(edit, cause=Cause("catalogue", self.changed_entries[0]))
        return edit


def _changed_origins(
    before: Iterable[Origin], after: Iterable[Origin], base: Snapshot, head: Snapshot
) -> list[Origin]:
    """The shared flows in both revisions of a flow whose text changed; the innermost first."""
    common = set(before) & set(after)
    changed = [one for one in common if base.document(one.path) != head.document(one.path)]
    return sorted(changed, key=lambda origin: (-len(origin.prefix), origin.prefix))


def _origin(node: str | None, origins: Iterable[Origin]) -> Origin | None:
    for origin in origins:
        if origin.prefix == "" or (node is not None and node.startswith(origin.prefix)):
            return origin
    return None


def _path(id: FlowId) -> str:
    tenant, flow = id
    return f"flows/{tenant}/{flow}.yaml"


def _gone(id: FlowId, base: Snapshot, head: Snapshot) -> Iterator[Edit]:
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
            f"the flow {ticked(flow)} is gone: no call can use it{_outcomes(table)}",
            tenant=tenant,
            flow=flow,
            part=f"flow {fingerprint(table)}",
            before=_summary(table),
            circumstances=_brings(table),
        )


def _come(id: FlowId, base: Snapshot, head: Snapshot) -> Iterator[Edit]:
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
        f"a new flow {ticked(flow)}{_told(table)}",
        tenant=tenant,
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
    message = f"the flow {ticked(flow)} {told} ({reason.code})"
    return Edit(kind, message, tenant=tenant, flow=flow, part=f"flow {reason.code}")


def _told(table: Written) -> str:
    tools = sorted(tools_of(table))
    granted = f"; it may call {listed(tools)}" if tools else "; it calls no tools"
    purpose = f" for {ticked(table['purpose'])}" if table.get("purpose") else ""
    return f" ({table.get('direction')}{purpose}, {len(table['nodes'])} nodes){granted}"


def _outcomes(table: Written) -> str:
    outcomes = _summary(table)["outcomes"]
    return f", or end with {shown(outcomes)} in it" if outcomes else ""


def _summary(table: Written) -> dict[str, Any]:
    nodes: Mapping[str, Written] = table["nodes"]
    return {
        "direction": table.get("direction"),
        "purpose": table.get("purpose"),
        "nodes": len(nodes),
        "tools": sorted(tools_of(table)),
        "outcomes": sorted({node["outcome"] for node in nodes.values() if "outcome" in node}),
    }
