"""The comparison: two snapshots in, changes out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from trunkline.diff.acceptance import PATH, acceptances
from trunkline.diff.acceptances import acceptance_edits
from trunkline.diff.catalogue import catalogue_edits
from trunkline.diff.change import Change, Edit, FlowId
from trunkline.diff.declared import declared_outcome_edits, fact_edits
from trunkline.diff.flow_names import flow_names, following
from trunkline.diff.flow_set import flow_set_edits
from trunkline.diff.grouping import changes_of, in_order
from trunkline.diff.level import Level
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
        *catalogue_edits(base.entries, head.entries, rests),
        *fact_edits(_declared(base, "facts"), _declared(head, "facts"), rests),
        *declared_outcome_edits(_declared(base, "outcomes"), _declared(head, "outcomes")),
        *policy_edits(base, head),
    ]
    inside = flow_set_edits(base, head, names)
    changes = changes_of([*unread, *_explained(outside, inside), *_tenants(base, head)])
    here = {change.fingerprint for change in changes if change.level is Level.BREAKING}
    was, now = acceptances(base.document(PATH)), acceptances(head.document(PATH))
    return in_order([*changes, *changes_of(acceptance_edits(was, now, here))])


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
            kind = "tenant-added" if added else "tenant-removed"
            told = "may now be made and answered" if added else "are no longer made or answered"
            message = f"calls for the tenant {ticked(tenant)} {told}"
            yield Edit(kind, message, tenant=tenant, part="tenant", name="tenant")
        else:
            for edit in tenant_edits(old[tenant], new[tenant]):
                at = _dialling(edit, tenant, base, head)
                yield replace(edit, tenant=tenant, affects=tuple(sorted(at)), at=at)
            yield from tenant_policy_edits(tenant, base, head)
    channels = base.channels(), head.channels()
    for tenant in sorted(channels[0].keys() | channels[1].keys()):
        for edit in channel_edits(channels[0].get(tenant, {}), channels[1].get(tenant, {})):
            yield replace(edit, tenant=tenant)


def _dialling(
    edit: Edit, tenant: str, base: Snapshot, head: Snapshot
) -> Mapping[FlowId, tuple[str, ...]]:
    """For a number that a tenant names: its flows, and their nodes, that put calls through."""
    word, _, name = edit.part.partition(" ")
    found: dict[FlowId, dict[str, None]] = {}
    for side in (base, head) if word == "number" else ():
        for id, table in side.tables.items():
            for node, written in table["nodes"].items() if id[0] == tenant else ():
                if name in _numbers(written):
                    found.setdefault(id, {})[node] = None
    return {id: tuple(nodes) for id, nodes in found.items()}


def _numbers(node: Document) -> set[str]:
    """The names of the numbers that a transfer may use."""
    number = node.get("number")
    return {number} if isinstance(number, str) else set((number or {}).values())
