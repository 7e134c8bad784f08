"""Edits become changes: one entry for one cause, however many flows it is found in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trunkline.diff.change import Change, Edit, FlowId, Variant
from trunkline.diff.fingerprint import fingerprint
from trunkline.diff.kinds import AREAS
from trunkline.diff.mask import masked, masked_json
from trunkline.diff.reasons import reason
from trunkline_runtime.table.canonical import Json

_Key = tuple[object, ...]


def changes_of(edits: Iterable[Edit]) -> tuple[Change, ...]:
    """The changes, the worst first.

    Edits with one cause outside of their flows, and edits that are the same in several flows, are
    one change; where some flows have other words in the same place, those are its variants.
    """
    groups: dict[_Key, list[Edit]] = {}
    for edit in edits:
        seen = 0
        while (key := (*_key(edit), seen)) in groups and _holds(groups[key], edit):
            seen += 1
        groups.setdefault(key, []).append(edit)
    parts = [part for group in groups.values() for part in _split(group)]
    changes = _hung_together([(part, _change(part)) for part in parts])
    return tuple(sorted(changes, key=_order))


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes of several comparisons, the worst first."""
    return tuple(sorted(changes, key=_order))


def _hung_together(made: Sequence[tuple[Sequence[Edit], Change]]) -> Iterator[Change]:
    """The changes, each with the one that brought it about, where that is the same everywhere."""
    named = {
        (edit.tenant, edit.name): change for group, change in made for edit in group if edit.name
    }
    for group, change in made:
        causes = {
            cause.fingerprint if cause is not None else ""
            for edit in group
            for cause in [named.get((edit.tenant, edit.effect_of)) if edit.effect_of else None]
        }
        found = causes.pop() if len(causes) == 1 else ""
        yield replace(change, effect_of="" if found == change.fingerprint else found)


def _split(group: Sequence[Edit]) -> Iterator[Sequence[Edit]]:
    """A group without a common cause is one change only if most of it says the same."""
    variants = _variants(group)
    if group[0].cause is not None or len(variants[0].edits) > 1:
        yield group
    else:
        yield from (variant.edits for variant in variants)


def _holds(group: Sequence[Edit], edit: Edit) -> bool:
    """True if the group already has such an edit of the same flow: then it is a second one."""
    return any((one.tenant, one.flow) == (edit.tenant, edit.flow) for one in group)


def _key(edit: Edit) -> _Key:
    """What edits of one change have in common."""
    if edit.cause is not None:
        tenant = edit.tenant if edit.flow is None else None
        return edit.kind, edit.cause, tenant, edit.node, edit.part
    if edit.flow is None:  # a tenant's own settings are its own
        return edit.kind, edit.tenant, edit.part
    return edit.kind, edit.node, edit.part, fingerprint(edit.before)


def _change(group: Sequence[Edit]) -> Change:
    variants = _variants(group)
    first = variants[0].edits[0]
    # The edit that points at the worst place speaks for all.
    worst = max(group, key=lambda edit: edit.level)
    affects = _flows(group)
    tenants = {edit.tenant for edit in group}
    flows = {(edit.tenant, edit.flow) for edit in group}
    identity: list[Json] = [
        first.kind,
        first.cause.path if first.cause is not None else "",
        [list(flow) for flow in sorted(flows, key=str)],
        [list(flow) for flow in affects],
        first.node,
        first.part,
        [[variant.before, variant.after] for variant in variants],
    ]
    return Change(
        level=worst.level,
        kind=first.kind,
        tenant=first.tenant if len(tenants) == 1 else None,
        flow=first.flow if len(flows) == 1 else None,
        node=first.node,
        message=masked(_message(first, group, affects)),
        fingerprint=fingerprint(*identity),
        before=masked_json(first.before),
        after=masked_json(first.after),
        affects=affects,
        trace=first.trace,
        cause=first.cause.path if first.cause is not None else "",
        why=reason(first.registered, worst.level, worst.circumstances),
        nodes=_nodes(group, affects),
        variants=tuple(
            Variant(variant.flows, masked_json(variant.before), masked_json(variant.after))
            for variant in variants[1:]
        ),
    )


@dataclass(frozen=True)
class _Variant:
    """The edits of a group that say the same."""

    edits: tuple[Edit, ...]

    @property
    def before(self) -> Json:
        return self.edits[0].before

    @property
    def after(self) -> Json:
        return self.edits[0].after

    @property
    def flows(self) -> tuple[FlowId, ...]:
        return _flows(self.edits)


def _variants(group: Sequence[Edit]) -> list[_Variant]:
    """The group by what its edits say; the most frequent first."""
    by_words: dict[str, list[Edit]] = {}
    for edit in sorted(group, key=lambda edit: (edit.tenant or "", edit.flow or "")):
        by_words.setdefault(fingerprint(edit.before, edit.after), []).append(edit)
    found = [_Variant(tuple(edits)) for edits in by_words.values()]
    return sorted(found, key=lambda variant: -len(variant.edits))


def _flows(group: Iterable[Edit]) -> tuple[FlowId, ...]:
    found = {flow for edit in group for flow in edit.affects}
    found |= {(edit.tenant, edit.flow) for edit in group if edit.tenant and edit.flow}
    return tuple(sorted(found))


def _nodes(group: Iterable[Edit], affects: Sequence[FlowId]) -> tuple[tuple[str, ...], ...]:
    """The nodes in each of the flows that are affected; empty if none is known."""
    found: dict[FlowId, dict[str, None]] = {id: {} for id in affects}
    for edit in group:
        at = dict(edit.at)
        if edit.tenant and edit.flow and edit.node and not at:
            at[edit.tenant, edit.flow] = (edit.node,)
        for id, nodes in at.items():
            found.setdefault(id, {}).update(dict.fromkeys(nodes))
    by_flow = tuple(tuple(found[id]) for id in affects)
    return by_flow if any(by_flow) else ()


def _message(first: Edit, group: Sequence[Edit], affects: Sequence[FlowId]) -> str:
    if len(group) == 1 and not first.affects:
        return first.message
    parts = [first.message]
    if affects:
        parts.append(affected(affects))
    differing = len(group) - len(_variants(group)[0].edits)
    # A shared flow says the same everywhere, but for what each of its users puts into it.
    if differing and first.cause is None:
        differ = "differs" if differing == 1 else "differ"
        parts.append(f"{len(group) - differing} the same, {differing} {differ}")
    return "; ".join(parts)


def affected(flows: Sequence[FlowId]) -> str:
    """`affects 3 flows of 2 tenants`."""
    tenants = len({tenant for tenant, _ in flows})
    return (
        f"affects {len(flows)} flow{'s' * (len(flows) != 1)} of "
        f"{tenants} tenant{'s' * (tenants != 1)}"
    )


_AREA_ORDER: Mapping[str, int] = {area: index for index, area in enumerate(AREAS)}


def _order(change: Change) -> tuple[object, ...]:
    return (
        -change.level,
        change.tenant or "",
        change.flow or "",
        _AREA_ORDER[change.area],
        change.kind,
        change.node or "",
        change.message,
        change.fingerprint,
    )
