"""The comparison: two snapshots in, changes out."""

from collections.abc import Iterator
from dataclasses import replace

from trunkline.diff.catalogue import catalogue_edits
from trunkline.diff.change import Change, Edit, FlowId
from trunkline.diff.declared import declared_outcome_edits, fact_edits
from trunkline.diff.flow_names import flow_names, following
from trunkline.diff.flow_set import flow_set_edits
from trunkline.diff.grouping import changes_of
from trunkline.diff.phrases import ticked
from trunkline.diff.policy_documents import policy_edits, tenant_policy_edits
from trunkline.diff.rests import Rests
from trunkline.diff.snapshot import Document, Snapshot
from trunkline.diff.tenants import channel_edits, tenant_edits
from trunkline.diff.unread import unread_edits, without_unread


def compare(base: Snapshot, head: Snapshot) -> tuple[Change, ...]:
    """What changes in calls from `base` to `head`, the worst first; empty if nothing does."""
    unread = list(unread_edits(base, head))
    base, head = without_unread(base, head)
    names = flow_names(base, head)
    base = following(base, names)
    rests = Rests(base, head)
    outside = [
        *catalogue_edits(base.entries, head.entries, rests.using, rests.resting),
        *fact_edits(_declared(base, "facts"), _declared(head, "facts"), rests.resting),
        *declared_outcome_edits(_declared(base, "outcomes"), _declared(head, "outcomes")),
        *policy_edits(base, head),
    ]
    inside = flow_set_edits(base, head, names)
    return changes_of([*unread, *_explained(outside, inside), *_tenants(base, head)])


def _declared(side: Snapshot, what: str) -> Document:
    declared: Document = side.document(f"catalog/{what}.yaml").get(what, {})
    return declared


def _explained(outside: list[Edit], inside: list[Edit]) -> Iterator[Edit]:
    """A proof lost in flows that nobody touched is told where it was lost: in the catalogue."""
    causes = {edit.cause: edit for edit in inside if edit.cause and edit.kind in _PROOFS}
    for edit in outside:
        found = causes.get(edit.cause) if edit.cause is not None else None
        if found is None or "proof" not in edit.circumstances or found.kind != "proof-lost":
            yield edit
        else:
            yield replace(edit, message=f"{edit.message}; {found.message}", trace=found.trace)
    told = {edit.cause for edit in outside if "proof" in edit.circumstances}
    for edit in inside:
        if not (edit.kind in _PROOFS and edit.cause is not None and edit.cause in told):
            yield edit


_PROOFS = ("proof-lost", "proof-gained")


def _tenants(base: Snapshot, head: Snapshot) -> Iterator[Edit]:
    old, new = base.tenants(), head.tenants()
    for tenant in sorted(old.keys() | new.keys()):
        if tenant not in old or tenant not in new:
            added = tenant in new
            kind, told = ("tenant-added", "is new") if added else ("tenant-removed", "is gone")
            yield Edit(kind, f"the tenant {ticked(tenant)} {told}", tenant=tenant, part="tenant")
        else:
            for edit in tenant_edits(old[tenant], new[tenant]):
                yield replace(edit, tenant=tenant, affects=_dialling(edit, tenant, base, head))
            yield from tenant_policy_edits(tenant, base, head)
    channels = base.channels(), head.channels()
    for tenant in sorted(channels[0].keys() | channels[1].keys()):
        for edit in channel_edits(channels[0].get(tenant, {}), channels[1].get(tenant, {})):
            yield replace(edit, tenant=tenant)


def _dialling(edit: Edit, tenant: str, base: Snapshot, head: Snapshot) -> tuple[FlowId, ...]:
    """For a number that a tenant names: its flows that put calls through to it."""
    word, _, name = edit.part.partition(" ")
    if word != "number":
        return ()
    return tuple(
        sorted(
            {
                id
                for side in (base, head)
                for id, table in side.tables.items()
                if id[0] == tenant and name in _numbers(table)
            }
        )
    )


def _numbers(table: Document) -> set[str]:
    """The names of the numbers that a flow's transfers use."""
    found: set[str] = set()
    for node in table["nodes"].values():
        number = node.get("number")
        found |= {number} if isinstance(number, str) else set((number or {}).values())
    return found
