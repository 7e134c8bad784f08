"""What calls can come to: outcomes, and ways to get off the list."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trunkline.diff.change import Edit
from trunkline.diff.exits import Exit, Written, exits_of_flow, exits_of_node, is_talk
from trunkline.diff.phrases import listed, ticked
from trunkline.diff.side import Side

_OPT_OUT = "opt_out"
_HOW = ("by saying so", "by key")
_LEADS_ON = ("confirm", "route")  # an opt-out may lie behind a question or a silent choice


def outcome_edits(before: Side, after: Side) -> Iterator[Edit]:
    """Outcomes that calls can no longer, or can now, end with."""
    old, new = _outcomes(before), _outcomes(after)
    for outcome in sorted(old - new):
        message = f"no call can end with {ticked(outcome)} any more"
        yield Edit("outcome-lost", message, part=f"outcome {outcome}", before=outcome)
    for outcome in sorted(new - old):
        message = f"calls can now end with {ticked(outcome)}"
        yield Edit("outcome-gained", message, part=f"outcome {outcome}", after=outcome)


def _outcomes(side: Side) -> frozenset[str]:
    found: set[str] = set()
    for id in side.reachable:
        node = side.nodes.get(id, {})
        if node.get("kind") == "transfer":
            found.add("transferred")
        elif isinstance(node.get("outcome"), str):
            found.add(node["outcome"])
    return frozenset(found)


def opt_out_edits(before: Side, after: Side) -> Iterator[Edit]:
    """Ways to get off the list that are gone or new, by talk node and by how."""
    old, new = _opt_outs(before), _opt_outs(after)
    for kind, one, other, told in (
        ("opt-out-removed", old, new, "can no longer opt out"),
        ("opt-out-added", new, old, "can now opt out"),
    ):
        for how in _HOW:
            lost = _lost(one, other, how)
            if lost:
                yield Edit(
                    kind,
                    f"the person {told} {how} {_where(lost, other)}",
                    part=f"opt-out {how}",
                    before=sorted(old.offered[how]),
                    after=sorted(new.offered[how]),
                )


@dataclass(frozen=True)
class _OptOuts:
    """The talk nodes that calls come to, and those on which the person can opt out, by how."""

    talks: tuple[str, ...]
    offered: Mapping[str, frozenset[str]]


def _lost(one: _OptOuts, other: _OptOuts, how: str) -> list[str]:
    """The talk nodes of `other` that owe the person a way out which `one` gave.

    Those that gave it before; and all, where all did before.
    """
    everywhere = bool(one.talks) and one.offered[how] == frozenset(one.talks)
    return [
        id
        for id in other.talks
        if id not in other.offered[how] and (everywhere or id in one.offered[how])
    ]


def _opt_outs(side: Side) -> _OptOuts:
    found: dict[str, set[str]] = {how: set() for how in _HOW}
    given = exits_of_flow(side.table)
    talks = tuple(id for id, node in side.nodes.items() if id in side.reachable and is_talk(node))
    for id in talks:
        for exit in (*exits_of_node(side.nodes[id]), *given):
            how = _how(exit)
            if how is not None and offers_opt_out(side.nodes, exit.to):
                found[how].add(id)
    return _OptOuts(talks, {how: frozenset(nodes) for how, nodes in found.items()})


def _where(nodes: list[str], flow: _OptOuts) -> str:
    return "anywhere" if nodes == list(flow.talks) else f"on {listed(nodes)}"


def _how(exit: Exit) -> str | None:
    if exit.how == "when":
        return "by saying so"
    return "by key" if exit.how.startswith("key ") else None


def offers_opt_out(nodes: Mapping[str, Written], target: str) -> bool:
    """True if the target ends the call with `opt_out`, or asks or decides on the way to it."""
    seen: set[str] = set()
    waiting = [target]
    while waiting:
        id = waiting.pop()
        node = nodes.get(id, {})
        if id in seen:
            continue
        seen.add(id)
        if node.get("outcome") == _OPT_OUT:
            return True
        if node.get("kind") in _LEADS_ON:
            waiting += [exit.to for exit in exits_of_node(node)]
    return False
