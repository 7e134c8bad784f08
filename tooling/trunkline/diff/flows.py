"""One flow in two revisions: every edit, from its settings to what can be proven of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.edges import edge_edits
from trunkline.diff.exits import exits_of_flow
from trunkline.diff.heard import heard_edits
from trunkline.diff.limits import limit_edits, silence_edits
from trunkline.diff.nodes import node_edits
from trunkline.diff.phrases import grown, instead, ticked
from trunkline.diff.proven import proof_edits
from trunkline.diff.reach import offers_opt_out, opt_out_edits, outcome_edits
from trunkline.diff.routes import route_edits
from trunkline.diff.side import Side
from trunkline.diff.slots import slot_edits
from trunkline.diff.tools import tool_edits

_NOTHING: Mapping[str, Any] = {}
_PLAIN: Mapping[str, tuple[str, str]] = {
    "direction": ("direction-changed", "calls now go the other way"),
    "purpose": ("purpose-changed", "calls are now made for another purpose"),
    "language": ("language-changed", "calls are now in another language"),
    "start": ("start-changed", "calls now begin elsewhere"),
}
# `tools` are digests of catalogue entries, whose changes are told where they are made.
_COMPARED = frozenset(_PLAIN) | {
    *("schema", "tenant", "flow", "inputs", "slots", "error", "anywhere", "keys", "answer"),
    *("silence", "limits", "after_call", "nodes", "tools"),
}


def flow_edits(before: Side, after: Side) -> tuple[Edit, ...]:
    """Every edit between two versions of one flow, nodes already renamed alike."""
    if _same(before, after):
        return tuple(proof_edits(before, after))
    found = [*_setting_edits(before, after), *node_edits(before, after)]
    found += proof_edits(before, after)
    found += outcome_edits(before, after)
    found += opt_out_edits(before, after)
    found += heard_edits(before, after, _disclosures(found))
    found += route_edits(before, after, _told(found))
    found += _spend_edits(before, after)
    return tuple(_without_echoes(found, before, after))


def _same(before: Side, after: Side) -> bool:
    """True if the tables are the same but for the catalogue entries that they name."""
    keys = (before.table.keys() | after.table.keys()) - {"tools"}
    return all(before.table.get(key) == after.table.get(key) for key in keys)


def _setting_edits(before: Side, after: Side) -> Iterator[Edit]:
    old, new = before.table, after.table
    for key, (kind, message) in _PLAIN.items():
        if old.get(key) != new.get(key):
            told = f"{message}: {instead(new.get(key), old.get(key))}"
            yield Edit(kind, told, part=key, before=old.get(key), after=new.get(key))
    language = str(new.get("language", ""))
    yield from edge_edits(exits_of_flow(old), exits_of_flow(new), after.leads, language)
    for key, word in (("slots", "slot"), ("inputs", "input")):
        yield from slot_edits(old.get(key, _NOTHING), new.get(key, _NOTHING), word, language)
    yield from limit_edits(old, new)
    yield from silence_edits(old, new, language)
    yield from tool_edits(old.get("after_call", ()), new.get("after_call", ()), None, after)
    for key in sorted((old.keys() | new.keys()) - _COMPARED):
        if old.get(key) != new.get(key):
            message = f"{ticked(key)} of the flow is {instead(new.get(key), old.get(key))}"
            yield Edit(
                "flow-setting-changed", message, part=key, before=old.get(key), after=new.get(key)
            )


def _spend_edits(before: Side, after: Side) -> Iterator[Edit]:
    """The worst case of a call, where the flow itself moves it: prices are the catalogue's."""
    prices = {**after.entries, **before.entries}
    old = Side(before.table, prices, before.required, before.proofs).worst_case()
    new = Side(after.table, prices, after.required, after.proofs).worst_case()
    for currency in sorted(old.keys() | new.keys()):
        was, now = old.get(currency, 0), new.get(currency, 0)
        if was == now:
            continue
        kind = "worst-case-spend-grown" if now > was else "worst-case-spend-shrunk"
        yield Edit(
            kind,
            f"the tools of one call may cost up to {grown(now, was, currency)}",
            part=f"spend {currency}",
            before={"micros": was, "currency": currency},
            after={"micros": now, "currency": currency},
        )


def _told(edits: Sequence[Edit]) -> frozenset[str]:
    """The nodes to which an edit already says that there is, or was, another way."""
    told: set[str] = set()
    for edit in edits:
        for value in (edit.before, edit.after):
            if edit.kind in ("edge-added", "edge-removed") and isinstance(value, Mapping):
                told.add(str(value.get("to")))
            elif edit.kind == "edge-retargeted":
                told.add(str(value))
        if edit.kind in ("proof-lost", "proof-gained") and edit.node is not None:
            told.add(edit.node)
    return frozenset(told)


def _disclosures(edits: Sequence[Edit]) -> frozenset[str]:
    """The disclosures that an edit of a node tells as gone or new."""
    told: set[str] = set()
    for edit in edits:
        if edit.kind in ("disclosure-added", "disclosure-removed"):
            old, new = (one if isinstance(one, list) else [] for one in (edit.before, edit.after))
            told |= set(old) ^ set(new)
    return frozenset(told)


def _without_echoes(edits: Sequence[Edit], before: Side, after: Side) -> Iterator[Edit]:
    """Leaves out exits to an opt-out where the opt-out itself is told as gone or new."""
    kinds = {edit.kind for edit in edits}
    for edit in edits:
        gone = edit.kind == "edge-removed" and "opt-out-removed" in kinds
        new = edit.kind == "edge-added" and "opt-out-added" in kinds
        written = edit.before if gone else edit.after
        if (gone or new) and isinstance(written, Mapping):
            nodes = before.nodes if gone else after.nodes
            if offers_opt_out(nodes, str(written.get("to"))):
                continue
        yield edit
