"""Which edit of a flow brought another one about: a guard that went, what runs without it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from trunkline.diff.change import Edit
from trunkline.diff.side import Side
from trunkline_runtime.table.parts import DEFAULT_MAX_CALLS

_OPENING = frozenset(
    {"edge-added", "edge-retargeted", "guard-removed", "guard-weakened", "guard-changed"}
)
_CLOSING = frozenset(
    {"edge-removed", "edge-retargeted", "guard-added", "guard-strengthened", "guard-changed"}
)
_Candidates = Callable[[Edit, Sequence[Edit], Side, Side], Iterable[Edit]]


def hung_together(edits: Sequence[Edit], before: Side, after: Side, flow: str) -> tuple[Edit, ...]:
    """The edits of one flow, each with a name and the name of the one that brought it about."""
    names = [f"{flow} {edit.kind} {edit.node} {edit.part} {edit.to}" for edit in edits]
    found: list[Edit] = []
    for edit, name in zip(edits, names, strict=True):
        look = _LOOK.get(edit.kind)
        causes = list(look(edit, edits, before, after)) if look is not None else []
        by = names[edits.index(causes[0])] if causes else edit.effect_of
        found.append(replace(edit, name=edit.name or name, effect_of=by if by != name else ""))
    return tuple(found)


def _of_a_path(edit: Edit, edits: Sequence[Edit], before: Side, after: Side) -> Iterator[Edit]:
    """What opened the path: a changed exit on it, first one that held the lost fact."""
    steps = {*zip(edit.trace, edit.trace[1:], strict=False)}
    fact = f"facts.{edit.part.removeprefix('fact ')}"
    on_path = [
        one
        for one in edits
        if one.kind in _OPENING
        and ((one.node, one.to) in steps or (one.node is None and one.to in edit.trace))
    ]
    yield from (one for one in on_path if isinstance(one.before, str) and fact in one.before)
    yield from on_path
    for one in edits:
        starts = one.kind == "start-changed" and [one.after] == list(edit.trace[:1])
        no_yes = one.kind == "confirm-establishes-removed" and one.node in edit.trace
        if starts or no_yes:
            yield one


def _of_a_proof(edit: Edit, edits: Sequence[Edit], before: Side, after: Side) -> Iterator[Edit]:
    fact = edit.part.removeprefix("fact ")
    for one in edits:
        held = isinstance(one.after, str) and f"facts.{fact}" in one.after
        said = one.kind == "confirm-establishes-added" and one.part == f"establishes {fact}"
        if (one.kind in _CLOSING and (held or one.to == edit.node)) or said:
            yield one


def _only_closing(edit: Edit, edits: Sequence[Edit], before: Side, after: Side) -> list[Edit]:
    """The one exit that closed, if it is the only one: no path tells which."""
    closing = [one for one in edits if one.kind in _CLOSING]
    return closing if len(closing) == 1 else []


def _of_spend(edit: Edit, edits: Sequence[Edit], before: Side, after: Side) -> list[Edit]:
    """What costs most of the tools that came, went, or may run another number of times."""
    grown = edit.kind == "worst-case-spend-grown"
    kinds = ("tool-granted", "max-calls-raised") if grown else ("tool-revoked", "max-calls-lowered")
    costs = [(_cost(one, before, after), one) for one in edits if one.kind in kinds]
    return [one for cost, one in sorted(costs, key=lambda pair: -pair[0]) if cost]


def _cost(edit: Edit, before: Side, after: Side) -> int:
    tool = edit.part.removeprefix("tool ").partition(" ")[0]
    entry = after.entries.get(tool) or before.entries.get(tool)
    if entry is None or entry.cost is None:
        return 0
    calls = DEFAULT_MAX_CALLS
    for value in (edit.before, edit.after):
        if isinstance(value, Mapping):
            calls = int(str(value.get("max_calls", DEFAULT_MAX_CALLS)))
    return entry.cost.worst_micros * calls


def _of_its_node(edit: Edit, edits: Sequence[Edit], before: Side, after: Side) -> Iterator[Edit]:
    """A tool that came or went with its node."""
    kind = "node-added" if edit.kind == "tool-granted" else "node-removed"
    yield from (one for one in edits if one.kind == kind and one.node == edit.node)


def _of_its_end(edit: Edit, edits: Sequence[Edit], before: Side, after: Side) -> Iterator[Edit]:
    """An exit that came or went with the node that it leads to."""
    was = edit.before if edit.kind == "edge-retargeted" else edit.to
    for one in edits:
        if one.kind == "node-added" and one.node == edit.to != was:
            yield one
        if one.kind == "node-added" and edit.kind == "edge-added" and one.node == edit.to:
            yield one
        if one.kind == "node-removed" and edit.kind != "edge-added" and one.node == was:
            yield one


def _of_an_end(edit: Edit, edits: Sequence[Edit], before: Side, after: Side) -> Iterator[Edit]:
    """An outcome that came or went with a node, with what a node ends with, or with an exit."""
    lost = edit.kind == "outcome-lost"
    outcome = edit.before if lost else edit.after
    side = before if lost else after
    ends = {id for id, node in side.nodes.items() if _outcome(node) == outcome}
    for one in edits:
        of_node = one.kind == ("node-removed" if lost else "node-added") and one.node in ends
        said = one.kind == "outcome-changed" and (one.before if lost else one.after) == outcome
        if of_node or said:
            yield one
    kinds = _CLOSING if lost else _OPENING
    yield from (one for one in edits if one.kind in kinds and {one.to, str(one.before)} & ends)


def _outcome(node: Mapping[str, object]) -> object:
    return "transferred" if node.get("kind") == "transfer" else node.get("outcome")


_LOOK: Mapping[str, _Candidates] = {
    "proof-lost": _of_a_path,
    "route-opened": _of_a_path,
    "disclosure-skipped": _of_a_path,
    "proof-gained": _of_a_proof,
    "route-closed": _only_closing,
    "disclosure-heard": _only_closing,
    "worst-case-spend-grown": _of_spend,
    "worst-case-spend-shrunk": _of_spend,
    "tool-granted": _of_its_node,
    "tool-revoked": _of_its_node,
    "edge-added": _of_its_end,
    "edge-removed": _of_its_end,
    "edge-retargeted": _of_its_end,
    "outcome-lost": _of_an_end,
    "outcome-gained": _of_an_end,
}
