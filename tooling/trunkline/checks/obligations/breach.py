"""A way in which a flow breaks an obligation, and the place to point at."""

from collections.abc import Iterable
from dataclasses import dataclass

from trunkline.graph.analysis import Analysis
from trunkline.graph.flow_graph import Passage
from trunkline.graph.inline import InlinedNode
from trunkline.graph.trace import shortest_path
from trunkline.model.place import Place


@dataclass(frozen=True)
class Breach:
    """The node on which it shows first, the shortest path there, and what to say."""

    node: InlinedNode
    path: tuple[Passage, ...]
    message: str
    help: str


def first_met(
    analysis: Analysis, nodes: Iterable[InlinedNode]
) -> tuple[InlinedNode, tuple[Passage, ...]] | None:
    """The one of these nodes that a call comes to first, and how; None if it comes to none."""
    graph = analysis.graph
    vertices = frozenset(vertex for inner in nodes for vertex in graph.of_node[inner.id])
    # Most flows break nothing, and looking for a path costs more than the proof.
    path = shortest_path(graph, vertices & analysis.reached) if vertices else None
    return None if path is None else (graph.vertices[path[-1].target].inlined, path)


def place_in_host(inner: InlinedNode) -> Place:
    """Where the flow holds the node: by its own name, or by that of the sub-flow around it.

    What a flow offers everywhere, and what it says before, is the host's affair: a sub-flow that
    serves another flow well is not at fault.
    """
    scope, place = inner.scope, inner.node.place
    while scope.host is not None and scope.node is not None:
        place, scope = scope.node.place, scope.host
    return place.key


def others(count: int) -> str:
    """` and 3 more nodes`, or nothing."""
    return f" and {count} more node{'' if count == 1 else 's'}" if count else ""
