"""Where a call goes instead of a node that may not be entered once more."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trunkline.graph.edge import GraphEdge, Kind, way
from trunkline.graph.inline import Inlined
from trunkline.model.nodes import TalkNode


def refusals(inlined: Inlined, edges: Iterable[GraphEdge]) -> Iterator[GraphEdge]:
    """An edge from each neighbour of a node with a `limits.to` of its own to that target.

    The call never enters the node that is over its limit, so nothing that the node or the intended
    edge would change has happened. A target that is over its own limit sends the call on again.
    """
    waiting = list(edges)
    made: set[tuple[str, str, str | None]] = set()
    for edge in waiting:
        node = inlined.nodes[edge.target].node
        if edge.source is None or not isinstance(node, TalkNode) or "to" not in node.limits:
            continue
        key = (edge.source, edge.target, edge.entered_from)
        if key in made:
            continue
        made.add(key)
        scope = inlined.nodes[edge.target].scope
        place = node.place.at("limits", "to")
        for refused in way(edge.source, scope, node.limits["to"], Kind.LIMITS, place):
            on = replace(refused, entered_from=edge.entered_from)
            waiting.append(on)
            yield on
