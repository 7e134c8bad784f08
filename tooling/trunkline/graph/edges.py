"""Every way on from every node: the edges that are written, and those that hold everywhere."""

from collections.abc import Iterator, Mapping

from trunkline.graph.asides import returns
from trunkline.graph.edge import GraphEdge, Kind, way
from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.refusals import refusals
from trunkline.graph.scope import Scope
from trunkline.model.nodes import ConfirmNode, RouteNode, TalkNode, TransferNode
from trunkline.model.place import Place


def graph_edges(inlined: Inlined) -> tuple[GraphEdge, ...]:
    """Every edge of the inlined flow.

    An edge whose target does not exist is left out; what follows from that is reported as it is.
    """
    found = list(_beginnings(inlined))
    for node in inlined.nodes.values():
        found.extend(_own(node))
        found.extend(_from_everywhere(inlined, node))
    found.extend(returns(inlined, found))
    found.extend(refusals(inlined, found))
    return tuple(found)


def _beginnings(inlined: Inlined) -> Iterator[GraphEdge]:
    root, flow = inlined.root, inlined.whole
    if flow.start is not None:
        yield from way(None, root, flow.start, Kind.START, flow.place.at("start"))
    for answered, target in flow.answer.items():
        place = flow.place.at("answer", answered)
        yield from way(None, root, target, Kind.ANSWER, place, label=answered)


def _own(inlined: InlinedNode) -> Iterator[GraphEdge]:
    """The exits that stand in the node itself."""
    node, scope = inlined.node, inlined.scope
    match node:
        case TalkNode() | RouteNode():
            for edge in node.edges:
                yield from way(inlined.id, scope, edge.to, Kind.LOCAL, edge.place, edge)
        case ConfirmNode():
            for kind, target in (
                (Kind.ON_YES, node.on_yes),
                (Kind.ON_NO, node.on_no),
                (Kind.ON_UNCLEAR, node.on_unclear),
            ):
                yield from way(inlined.id, scope, target, kind, node.place.at(kind.value))
        case TransferNode():
            place = node.place.at("on_failure")
            yield from way(inlined.id, scope, node.on_failure, Kind.ON_FAILURE, place)


def _from_everywhere(inlined: Inlined, here: InlinedNode) -> Iterator[GraphEdge]:
    """The exits that the flow gives to nodes of this kind."""
    root, flow, node = inlined.root, inlined.whole, here.node
    if isinstance(node, TalkNode):
        for edge in flow.anywhere:
            yield from way(here.id, root, edge.to, Kind.ANYWHERE, edge.place, edge)
        # A key of the flow is not shadowed by the node's own.
        own = {key: target for key, target in node.keys.items() if key not in flow.keys}
        yield from _keys(here, here.scope, own, node.place.at("keys"))
    if isinstance(node, TalkNode | ConfirmNode):
        yield from _silence(inlined, here, node)
        yield from _keys(here, root, flow.keys, flow.place.at("keys"))
    if isinstance(node, TalkNode | ConfirmNode | RouteNode) and flow.error is not None:
        yield from way(here.id, root, flow.error, Kind.ERROR, flow.place.at("error"))
    if isinstance(node, TalkNode | ConfirmNode | RouteNode | TransferNode) and "to" in flow.limits:
        place = flow.place.at("limits", "to")
        yield from way(here.id, root, flow.limits["to"], Kind.LIMITS, place)


def _silence(
    inlined: Inlined, here: InlinedNode, node: TalkNode | ConfirmNode
) -> Iterator[GraphEdge]:
    if isinstance(node, TalkNode) and "to" in node.silence:
        place = node.place.at("silence", "to")
        yield from way(here.id, here.scope, node.silence["to"], Kind.SILENCE, place)
    elif "to" in inlined.whole.silence:
        place = inlined.whole.place.at("silence", "to")
        yield from way(here.id, inlined.root, inlined.whole.silence["to"], Kind.SILENCE, place)


def _keys(
    here: InlinedNode, scope: Scope, keys: Mapping[str, str], place: Place
) -> Iterator[GraphEdge]:
    for key, target in keys.items():
        yield from way(here.id, scope, target, Kind.KEY, place.at(key), label=key)
