"""Names for what scenarios can reach in a flow: its nodes, every kind of edge, guards, refusals."""

from collections.abc import Iterator, Mapping

from trunkline.scenario.result import Way
from trunkline_runtime.call.exits import Move
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import RouteNode, TalkNode
from trunkline_runtime.table.parts import Edge

NODE, EDGE, GUARD, REFUSAL, RULE = "node", "edge", "guard", "refusal", "rule"
# Guards are to be seen both ways.
OPEN, SHUT = "open", "shut"
# The node under which the exits of a whole flow stand.
ANYWHERE = ""


def written_edges(table: NodeTable) -> Iterator[tuple[Way, Edge]]:
    """Every edge that a table holds as such, with its name."""
    for node in table.nodes.values():
        if isinstance(node, TalkNode | RouteNode):
            for index, edge in enumerate(node.edges):
                yield edge_way(table.flow, node.id, index), edge
    for index, edge in enumerate(table.anywhere):
        yield edge_way(table.flow, ANYWHERE, index), edge


def edge_way(flow: str, node: str, index: int) -> Way:
    return EDGE, flow, node, str(index)


def other_way(flow: str, node: str, what: str) -> Way:
    """An edge that is no exit of a node: `what` is `silence`, `limits`, `key 9`, `on_yes`, …"""
    return EDGE, flow, node, what


def guard_way(edge: Way, which: str) -> Way:
    """A guard of an edge, seen `open` or `shut`."""
    return GUARD, *edge[1:], which


def refusal_way(flow: str, node: str, to: str) -> Way:
    return REFUSAL, flow, node, to


def is_guarded(edge: Edge) -> bool:
    return edge.condition is not None or bool(edge.requires)


def way_of(table: NodeTable, before: str, move: Move, names: Mapping[int, Way]) -> Way | None:
    """The edge that a move takes from the node `before`; None for one that no file writes down.

    `names` maps the identity of an edge of the table to its name.
    """
    flow, cause, words = table.flow, move.reason.cause, move.reason.words
    if move.edge is not None:
        return names.get(id(move.edge))
    node = table.nodes.get(before)
    own = node if isinstance(node, TalkNode) else None
    if cause == "key":
        mine = own is not None and words in own.keys and words not in table.keys
        return other_way(flow, before if mine else ANYWHERE, f"key {words}")
    if cause == "silence":
        mine = own is not None and own.silence is not None and own.silence.to is not None
        return other_way(flow, before if mine else ANYWHERE, "silence")
    if cause == "limit":
        return other_way(flow, _limited(table, words), "limits")
    if cause == "confirm":
        return other_way(flow, before, _CONFIRMED.get(words, "on_unclear"))
    if cause == "answer":
        return other_way(flow, ANYWHERE, f"answer {words}")
    if cause in ("back", "on_failure"):
        return other_way(flow, before, cause)
    if cause == "error":
        return other_way(flow, ANYWHERE, cause)
    return None


_CONFIRMED = {"yes": "on_yes", "no": "on_no"}


def _limited(table: NodeTable, words: str) -> str:
    """The node whose own limit it was, else the flow's."""
    id = words.partition(" was entered ")[0]
    node = table.nodes.get(id)
    own = isinstance(node, TalkNode) and node.limits is not None and node.limits.to is not None
    return id if own else ANYWHERE
