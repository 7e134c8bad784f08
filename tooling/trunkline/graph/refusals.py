"""Where a call goes instead of a node that may not be entered once more."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trunkline.graph.edge import GraphEdge, Kind, way
from trunkline.graph.inline import Inlined
from trunkline.model.nodes import LinkNode, TalkNode


def refusals(inlined: Inlined, edges: Iterable[GraphEdge]) -> Iterator[GraphEdge]:
    """For each edge into a node with a `limits.to` of its own, one to that target instead.

    The call never enters the node that is over its limit, so the slots that the intended edge
    clears stay as they are; what the edge requires was there when it was chosen. A target that is
    over its own limit ends the call. Where a call begins counts too: a link may lead back there.
    """
    again = any(isinstance(each.node, LinkNode) for each in inlined.nodes.values())
    for edge in tuple(edges):
        if edge.source is None:
            if edge.kind is Kind.START and again:
                yield from _instead_of_beginning(inlined, edge)
            continue
        node = inlined.nodes[edge.target].node
        if isinstance(node, TalkNode) and "to" in node.limits:
            yield from _instead(inlined, edge, node)


def _instead(inlined: Inlined, edge: GraphEdge, node: TalkNode) -> Iterator[GraphEdge]:
    scope, place = inlined.nodes[edge.target].scope, node.place.at("limits", "to")
    for refused in way(edge.source, scope, node.limits["to"], Kind.LIMITS, place):
        yield replace(refused, entered_from=edge.entered_from, instead_of=edge)


def _instead_of_beginning(inlined: Inlined, edge: GraphEdge) -> Iterator[GraphEdge]:
    """A link that leads back to a start that was entered too often: nothing is known then."""
    node, flow = inlined.nodes[edge.target].node, inlined.whole
    if isinstance(node, TalkNode) and "to" in node.limits:
        yield from _instead(inlined, edge, node)
    elif "to" in flow.limits:
        place = flow.place.at("limits", "to")
        yield from way(None, inlined.root, flow.limits["to"], Kind.LIMITS, place)
