"""Every place of a flow file that names the node to go to."""

from collections.abc import Iterator, Mapping

from trunkline.model.edge import Edge
from trunkline.model.flow import Flow
from trunkline.model.nodes import ConfirmNode, RouteNode, SubflowNode, TalkNode, TransferNode
from trunkline.model.place import Place

Target = tuple[str, Place]


def targets(flow: Flow) -> Iterator[Target]:
    """`(target, place)` for each, in no particular order."""
    place = flow.place
    if flow.start is not None:
        yield flow.start, place.at("start")
    if flow.error is not None:
        yield flow.error, place.at("error")
    yield from _edges(flow.anywhere)
    yield from _mapping(flow.keys, place.at("keys"))
    yield from _mapping(flow.answer, place.at("answer"))
    yield from _to(flow.silence, place.at("silence"))
    yield from _to(flow.limits, place.at("limits"))
    for node in flow.nodes.values():
        match node:
            case TalkNode():
                yield from _edges(node.edges)
                yield from _mapping(node.keys, node.place.at("keys"))
                yield from _to(node.silence, node.place.at("silence"))
                yield from _to(node.limits, node.place.at("limits"))
            case RouteNode():
                yield from _edges(node.edges)
            case ConfirmNode():
                for key in ("on_yes", "on_no", "on_unclear"):
                    yield getattr(node, key), node.place.at(key)
            case SubflowNode():
                yield from _mapping(node.exits, node.place.at("exits"))
            case TransferNode():
                yield node.on_failure, node.place.at("on_failure")


def _edges(edges: tuple[Edge, ...]) -> Iterator[Target]:
    for edge in edges:
        yield edge.to, edge.place.at("to")


def _mapping(leads: Mapping[str, str], place: Place) -> Iterator[Target]:
    for key, target in leads.items():
        yield target, place.at(key)


def _to(written: Mapping[str, str], place: Place) -> Iterator[Target]:
    if "to" in written:
        yield written["to"], place.at("to")


def target_names(flow: Flow) -> Iterator[str]:
    """The same targets without their places, which takes a tenth of the time."""
    yield from (target for target in (flow.start, flow.error) if target is not None)
    yield from (edge.to for edge in flow.anywhere)
    yield from (*flow.keys.values(), *flow.answer.values())
    yield from (written["to"] for written in (flow.silence, flow.limits) if "to" in written)
    for node in flow.nodes.values():
        match node:
            case TalkNode():
                yield from (edge.to for edge in node.edges)
                yield from node.keys.values()
                yield from (each["to"] for each in (node.silence, node.limits) if "to" in each)
            case RouteNode():
                yield from (edge.to for edge in node.edges)
            case ConfirmNode():
                yield from (node.on_yes, node.on_no, node.on_unclear)
            case SubflowNode():
                yield from node.exits.values()
            case TransferNode():
                yield node.on_failure
