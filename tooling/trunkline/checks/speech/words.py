"""Every text of a flow file that is spoken, or that tells the model what to say."""

from collections.abc import Iterator, Mapping

from trunkline.model.edge import Edge
from trunkline.model.flow import Flow
from trunkline.model.nodes import RouteNode, SubflowNode, TalkNode
from trunkline.model.place import Place
from trunkline.model.texts import texts
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.table.parts import Bound

Words = tuple[str, Place]


def spoken(flow: Flow) -> Iterator[Words]:
    """What callers hear word by word."""
    return ((text, place) for text, place in texts(flow) if place.keys[-1] != "instructions")


def choices(flow: Flow) -> Iterator[Words]:
    """The `when` of every exit."""
    edges: list[Edge] = list(flow.anywhere)
    for node in flow.nodes.values():
        if isinstance(node, TalkNode | RouteNode):
            edges += node.edges
    return ((edge.when, edge.place.at("when")) for edge in edges if edge.when is not None)


def everything_said(flow: Flow) -> Iterator[Words]:
    """Speech and instructions, and the texts that tools, sub-flows and shared flows are given."""
    yield from texts(flow)
    for name, value in flow.given.items():
        if isinstance(value, str):
            yield value, flow.place.at("with", name)
    uses: list[ToolUse] = list(flow.after_call)
    for node in flow.nodes.values():
        if isinstance(node, TalkNode):
            uses += node.tools
        if isinstance(node, SubflowNode):
            yield from _bound(node.bind, node.place)
    for use in uses:
        yield from _bound(use.bind, use.place)


def described(flow: Flow) -> Iterator[Words]:
    """The descriptions of the flow and of its data."""
    written = flow.place.document.data
    if "description" in written:
        yield written["description"], flow.place.at("description")
    for group in (flow.slots, flow.inputs, flow.params):
        for declared in group.values():
            if "description" in declared.written:
                yield declared.written["description"], declared.place.at("description")


def _bound(bind: Mapping[str, Bound], place: Place) -> Iterator[Words]:
    """The arguments that hold a text in quotes."""
    for name, value in bind.items():
        if isinstance(value, str) and any(quote in value for quote in "\"'"):
            yield value, place.at("with", name)
