"""Exits that lead nowhere: what else would be found because of one is a consequence, no cause."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trunkline.graph.flow_graph import FlowGraph
from trunkline.graph.inline import Inlined
from trunkline.graph.scope import Scope
from trunkline.model.nodes import SubflowNode, TalkNode
from trunkline.model.place import Place
from trunkline.model.targets import target_names, targets
from trunkline.nearest import only_near

# The exits of a conversation, as TL202 counts them.
_LEADING_OUT = frozenset({"edges", "on_yes", "on_no", "on_unclear", "on_failure", "exits"})


@dataclass(frozen=True, slots=True)
class Dangling:
    """An exit to a node that is not there.

    `sources` are the inlined ids of the nodes that have it, None where the flow gives it to all.
    `meant` is the inlined id of the only node with a name that is near. `leads_out` is False for
    exits that are there for when something went wrong.
    """

    sources: frozenset[str] | None
    meant: str | None
    leads_out: bool


def dangling_exits(inlined: Inlined) -> tuple[Dangling, ...]:
    """Every exit of an inlined flow whose target does not exist."""
    return tuple(
        found
        for scope in inlined.scopes
        if any(scope.resolve(target) is None for target in set(target_names(scope.flow)))
        for found in _of_scope(inlined, scope)
    )


def leading_nowhere(exits: Iterable[Dangling], graph: FlowGraph) -> frozenset[int]:
    """The vertices that have one of these exits; one that the flow gives is on every talk node."""
    found: set[int] = set()
    for each in exits:
        for vertex in graph.vertices:
            if each.sources is None:
                has_it = isinstance(vertex.inlined.node, TalkNode)
            else:
                has_it = vertex.id in each.sources
            if has_it:
                found.add(vertex.index)
    return frozenset(found)


def _of_scope(inlined: Inlined, scope: Scope) -> Iterator[Dangling]:
    for target, place in targets(scope.flow):
        if scope.resolve(target) is None:
            near = only_near(target, scope.flow.nodes)
            meant = None if near is None else scope.resolve(near)
            yield Dangling(_sources(inlined, scope, place), meant, _leads_out(place))


def _sources(inlined: Inlined, scope: Scope, place: Place) -> frozenset[str] | None:
    if place.keys[0] != "nodes":
        return None
    node = str(place.keys[1])
    if not isinstance(scope.flow.nodes[node], SubflowNode):
        return frozenset({scope.id_of(node)})
    prefix = f"{scope.id_of(node)}/"
    return frozenset(id for id in inlined.nodes if id.startswith(prefix))


def _leads_out(place: Place) -> bool:
    key = place.keys[2] if place.keys[0] == "nodes" else place.keys[0]
    return key in _LEADING_OUT or key == "anywhere"
