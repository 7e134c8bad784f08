"""Every place of a flow file that names a slot outside expressions and texts."""

from collections.abc import Iterator, Sequence

from trunkline.model.edge import Edge
from trunkline.model.flow import Flow
from trunkline.model.nodes import RouteNode, TalkNode, TransferNode
from trunkline.model.place import Place
from trunkline.model.tool_use import ToolUse

Name = tuple[str, Place]


def slot_names(flow: Flow) -> Iterator[Name]:
    """`(slot, place)` for each."""
    yield from _edges(flow.anywhere)
    yield from _sets(flow.after_call)
    for node in flow.nodes.values():
        match node:
            case TalkNode():
                yield from _list(node.collect, node.place.at("collect"))
                yield from _edges(node.edges)
                yield from _sets(node.tools)
            case RouteNode():
                yield from _edges(node.edges)
            case TransferNode():
                yield from _list(node.summary, node.place.at("summary"))
                if node.decided_by is not None:
                    yield node.decided_by, node.place.at("number", "by")


def _edges(edges: Sequence[Edge]) -> Iterator[Name]:
    for edge in edges:
        yield from _list(edge.clears, edge.place.at("clears"))
        for index, name in enumerate(edge.requires):
            if name.startswith("slots."):
                yield name.removeprefix("slots."), edge.place.at("requires", index)


def _sets(uses: Sequence[ToolUse]) -> Iterator[Name]:
    for use in uses:
        for slot in use.sets:
            yield slot, use.place.at("sets", slot).key


def _list(names: Sequence[str], place: Place) -> Iterator[Name]:
    for index, name in enumerate(names):
        yield name, place.at(index)
