"""Which edit of a flow brought another one about: a guard that went, what runs without it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from trunkline.diff.change import Edit
from trunkline.diff.side import Side
from trunkline_runtime.table.parts import DEFAULT_MAX_CALLS

_OPENING = ("guard-removed", "guard-weakened", "guard-changed", "edge-added", "edge-retargeted")
_CLOSING = ("guard-added", "guard-strengthened", "guard-changed", "edge-removed", "edge-retargeted")


class _Edits:
    """The edits of a flow, to be looked up by kind and by node."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._by_kind: dict[str, list[Edit]] = {}
        self._by_place: dict[tuple[str, str | None], list[Edit]] = {}
        for edit in edits:
            self._by_kind.setdefault(edit.kind, []).append(edit)
            self._by_place.setdefault((edit.kind, edit.node), []).append(edit)

    def of(self, *kinds: str) -> Iterator[Edit]:
        """Those of some kinds, kind by kind."""
        for kind in kinds:
            yield from self._by_kind.get(kind, ())

    def at(self, kind: str, node: str | None) -> Sequence[Edit]:
        """Those of a kind at a node."""
        return self._by_place.get((kind, node), ())


_Candidates = Callable[[Edit, _Edits, Side, Side], Iterable[Edit]]


def hung_together(edits: Sequence[Edit], before: Side, after: Side, flow: str) -> tuple[Edit, ...]:
    """The edits of one flow, each with a name and the name of the one that brought it about."""
    names = [f"{flow} {edit.kind} {edit.node} {edit.part} {edit.to}" for edit in edits]
    named = {id(edit): name for edit, name in zip(edits, names, strict=True)}
    known = _Edits(edits)
    found: list[Edit] = []
    for edit, name in zip(edits, names, strict=True):
        look = _LOOK.get(edit.kind)
        cause = next(iter(look(edit, known, before, after)), None) if look is not None else None
        by = named[id(cause)] if cause is not None else edit.effect_of
        found.append(replace(edit, name=edit.name or name, effect_of=by if by != name else ""))
    return tuple(found)


def _of_a_path(edit: Edit, edits: _Edits, before: Side, after: Side) -> Iterator[Edit]:
    """What opened the path: a changed exit on it, first one that held the lost fact."""
    steps = {*zip(edit.trace, edit.trace[1:], strict=False)}
    fact = f"facts.{edit.part.removeprefix('fact ')}"
    on_path = [
        one
        for one in edits.of(*_OPENING)
        if (one.node, one.to) in steps or (one.node is None and one.to in edit.trace)
    ]
    yield from (one for one in on_path if isinstance(one.before, str) and fact in one.before)
    yield from on_path
    yield from (one for one in edits.of("start-changed") if [one.after] == list(edit.trace[:1]))
    for node in edit.trace:
        yield from edits.at("confirm-establishes-removed", node)


def _of_a_proof(edit: Edit, edits: _Edits, before: Side, after: Side) -> Iterator[Edit]:
    fact = edit.part.removeprefix("fact ")
    for one in edits.of(*_CLOSING):
        if one.to == edit.node or (isinstance(one.after, str) and f"facts.{fact}" in one.after):
            yield one
    said = edits.of("confirm-establishes-added")
    yield from (one for one in said if one.part == f"establishes {fact}")


def _only_closing(edit: Edit, edits: _Edits, before: Side, after: Side) -> list[Edit]:
    """The one exit that closed, if it is the only one: no path tells which."""
    closing = list(edits.of(*_CLOSING))
    return closing if len(closing) == 1 else []


def _of_spend(edit: Edit, edits: _Edits, before: Side, after: Side) -> list[Edit]:
    """What costs most of the tools that came, went, or may run another number of times."""
    grown = edit.kind == "worst-case-spend-grown"
    kinds = ("tool-granted", "max-calls-raised") if grown else ("tool-revoked", "max-calls-lowered")
    costs = [(_cost(one, before, after), one) for one in edits.of(*kinds)]
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


def _of_its_node(edit: Edit, edits: _Edits, before: Side, after: Side) -> Sequence[Edit]:
    """A tool that came or went with its node."""
    return edits.at("node-added" if edit.kind == "tool-granted" else "node-removed", edit.node)


def _of_its_end(edit: Edit, edits: _Edits, before: Side, after: Side) -> Iterator[Edit]:
    """An exit that came or went with the node that it leads to, or led to."""
    if edit.kind != "edge-removed":
        yield from edits.at("node-added", edit.to)
    if edit.kind != "edge-added":
        was = edit.before if edit.kind == "edge-retargeted" else edit.to
        yield from edits.at("node-removed", str(was))


def _of_an_end(edit: Edit, edits: _Edits, before: Side, after: Side) -> Iterator[Edit]:
    """An outcome that came or went with a node, with what a node ends with, or with an exit."""
    lost = edit.kind == "outcome-lost"
    outcome = edit.before if lost else edit.after
    side = before if lost else after
    ends = {id for id, node in side.nodes.items() if _outcome(node) == outcome}
    for end in sorted(ends):
        yield from edits.at("node-removed" if lost else "node-added", end)
    for one in edits.of("outcome-changed"):
        if (one.before if lost else one.after) == outcome:
            yield one
    kinds = _CLOSING if lost else _OPENING
    yield from (one for one in edits.of(*kinds) if {one.to, str(one.before)} & ends)


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
