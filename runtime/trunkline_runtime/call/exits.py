"""The exits of a node: what the model may choose, and which move holds now. Changes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trunkline_runtime.call.conditions import Conditions
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.watched import watcher
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import Node, TalkNode
from trunkline_runtime.table.parts import Edge

BACK = "back"


@dataclass(frozen=True)
class Move:
    """A move that holds: where to, why, and the edge that it takes (None for one without)."""

    to: str
    reason: Reason
    edge: Edge | None = None


@dataclass(frozen=True)
class NoMove:
    """A move that does not hold now; `missing` says what it needs, for the model to read."""

    to: str
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Exit:
    """One target that the model may name, and when it should."""

    to: str
    when: str


def offered(table: NodeTable, node: TalkNode) -> tuple[Exit, ...]:
    """What `move_to` offers on a node: its own `when` targets, the `anywhere` ones, `back`.

    Each target once, in the order of the file; a target with several edges gives all their `when`.
    """
    whens: dict[str, list[str]] = {}
    for edge in (*node.edges, *table.anywhere):
        if edge.when is not None:
            said = whens.setdefault(edge.to, [])
            if edge.when not in said:
                said.append(edge.when)
    if node.aside:
        whens[BACK] = ["this is dealt with, and the call goes back to where it was"]
    return tuple(Exit(to, "; or ".join(said)) for to, said in whens.items())


def chosen(
    table: NodeTable,
    node: TalkNode,
    to: str,
    state: CallState,
    conditions: Conditions,
    values: Mapping[str, Json],
) -> Move | NoMove:
    """The move that the model asks for: the first edge to that target that holds."""
    if node.aside and to == BACK and state.host is not None:
        return Move(state.host, Reason("back"))
    candidates = [
        edge for edge in (*node.edges, *table.anywhere) if edge.asks_model and edge.to == to
    ]
    for edge in candidates:
        if holds(edge, state, conditions, values):
            return Move(to, Reason("model", edge.when or ""), edge)
    missing = [lack for edge in candidates for lack in lacks(edge, state, conditions, values)]
    return NoMove(to, tuple(dict.fromkeys(missing)) or (f"no exit of this step leads to {to}",))


def automatic(
    edges: Iterable[Edge], state: CallState, conditions: Conditions, values: Mapping[str, Json]
) -> Move | None:
    """The first edge without `when` that holds, or the one marked `else`; None if none does."""
    for edge in edges:
        if not edge.asks_model and (edge.otherwise or holds(edge, state, conditions, values)):
            why = edge.condition or ", ".join(edge.requires)
            return Move(edge.to, Reason("edge", "else" if edge.otherwise else why), edge)
    return None


def collected(node: Node, state: CallState) -> bool:
    """Whether each slot that the node collects is set or declined, and none is asked for again."""
    return not isinstance(node, TalkNode) or not missing_slots(node, state)


def missing_slots(node: TalkNode, state: CallState) -> Sequence[str]:
    """The slots that the node still has to ask for, in the order of the file."""
    return [
        name
        for name in node.collect
        if name in state.ask_again or (name not in state.slots and name not in state.declined)
    ]


def holds(edge: Edge, state: CallState, conditions: Conditions, values: Mapping[str, Json]) -> bool:
    """Whether `requires` is met and then `if` is true."""
    held = _holds(edge, state, conditions, values)
    watching = watcher.get()
    if watching is not None:
        watching.looked_at(edge, held)
    return held


def _holds(
    edge: Edge, state: CallState, conditions: Conditions, values: Mapping[str, Json]
) -> bool:
    if any(fact not in state.facts for fact in edge.required_facts):
        return False
    if any(slot not in state.slots for slot in edge.required_slots):
        return False
    return edge.condition is None or conditions.of(edge.condition).holds(values)


def lacks(
    edge: Edge, state: CallState, conditions: Conditions, values: Mapping[str, Json]
) -> tuple[str, ...]:
    """What an edge that does not hold still needs, in the order in which it is checked."""
    unmet = [
        f"{fact} is not established" for fact in edge.required_facts if fact not in state.facts
    ]
    unmet += [f"{slot} is not known yet" for slot in edge.required_slots if slot not in state.slots]
    if not unmet and edge.condition is not None and not conditions.of(edge.condition).holds(values):
        unmet.append(f"this must be true and is not: {edge.condition}")
    return tuple(unmet)
