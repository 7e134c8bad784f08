"""All flows of two revisions: which is which, and what changed in each, with the cause."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from trunkline.diff.change import Cause, Edit, FlowId
from trunkline.diff.effects import hung_together
from trunkline.diff.flows import flow_edits
from trunkline.diff.phrases import ticked
from trunkline.diff.reached import tools_of
from trunkline.diff.renames import renamed_nodes, with_nodes_renamed
from trunkline.diff.side import Side
from trunkline.diff.snapshot import Origin, Snapshot
from trunkline.diff.whole_flows import come, gone


def flow_set_edits(base: Snapshot, head: Snapshot, names: Mapping[FlowId, FlowId]) -> list[Edit]:
    """Every edit in the flows of two revisions; `names` (old → new) are those only renamed."""
    back = {new: old for old, new in names.items()}
    found: list[Edit] = []
    for id in sorted(base.tables.keys() | base.unreadable.keys()):
        if id not in head.tables and id not in names:
            found += gone(id, base, head)
    for id in sorted(head.tables.keys() | head.unreadable.keys()):
        old = back.get(id, id)
        if id in head.tables and old in base.tables:
            found += _compared(old, id, base, head)
        elif old not in base.tables:
            found += come(id, base, head)
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
            f"this flow was called {ticked(old[1])}: whatever still names it so starts no call",
            tenant=tenant,
            flow=flow,
            part="flow",
            name=f"flow {old[1]}",
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
            facts=base.facts(),
        ),
        Side(
            after,
            head.entries,
            head.required(tenant, after),
            head.proofs.get(new),
            partial(_leading, head, tenant),
            head.facts(),
        ),
    )
    edits = [
        *(
            Edit(
                "node-renamed",
                f"this node was called {ticked(was)}; a name alone changes nothing for callers",
                node=now,
                part="name",
                before=was,
                after=now,
            )
            for was, now in sorted(names.items())
        ),
        *hung_together(flow_edits(*sides), *sides, flow),
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
        if edit.node is not None and edit.tenant is not None and edit.flow is not None:
            edit = replace(edit, at={(edit.tenant, edit.flow): (edit.node,)})
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
