"""What there is to reach in a flow, with the lines where it stands: the measure of coverage."""

from collections.abc import Iterator

from trunkline.graph.analysis import Analysis
from trunkline.model.nodes import ConfirmNode, RouteNode, TalkNode, TransferNode
from trunkline.model.place import Place
from trunkline.scenario.result import Way
from trunkline.scenario.spot import Spot
from trunkline.scenario.ways import (
    ANYWHERE,
    NODE,
    OPEN,
    SHUT,
    edge_way,
    guard_way,
    is_guarded,
    other_way,
    refusal_way,
    written_edges,
)
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import TalkNode as TableTalkNode
from trunkline_runtime.table.nodes import TransferNode as TableTransferNode
from trunkline_runtime.table.parts import Edge


def ground_of(analysis: Analysis, table: NodeTable) -> tuple[Spot, ...]:
    """Everything that scenarios of a flow can reach, in the order of the file.

    Edges are the exits of nodes, those of the whole flow once (not for each node), and those that
    are written elsewhere: keys, answers, silence, limits, the error node, failed transfers, the
    answers of confirm nodes, the ways back of asides.
    """
    places = dict(_places(analysis, table))
    edges = dict(written_edges(table))
    found = [Spot(way, *_at(place), words) for way, (place, words) in places.items()]
    for way, edge in edges.items():
        if is_guarded(edge):
            where, words = places[way]
            found += [
                Spot(guard_way(way, which), *_at(where), f"{words} {which}")
                for which in (OPEN, SHUT)
            ]
    found += _refusals(analysis, table, places)
    return tuple(sorted(found, key=lambda spot: (spot.path, spot.line, spot.way)))


def _at(place: Place) -> tuple[str, int]:
    return place.path, place.mark.line


def _places(analysis: Analysis, table: NodeTable) -> Iterator[tuple[Way, tuple[Place, str]]]:
    inlined = analysis.inlined
    flow, whole = table.flow, inlined.whole
    for id, here in inlined.nodes.items():
        node = here.node
        yield (NODE, flow, id), (node.place.key, id)
        if isinstance(node, TalkNode | RouteNode):
            for index, edge in enumerate(node.edges):
                words = f"{id} → {_to(table, id, index)}"
                yield edge_way(flow, id, index), (edge.place, words)
        if isinstance(node, ConfirmNode):
            for what in ("on_yes", "on_no", "on_unclear"):
                target = getattr(table.nodes[id], what)
                yield other_way(flow, id, what), (node.place.at(what), f"{id} {what} → {target}")
        if isinstance(node, TransferNode):
            mine = table.nodes[id]
            assert isinstance(mine, TableTransferNode)
            target = mine.on_failure
            place = node.place.at("on_failure")
            yield other_way(flow, id, "on_failure"), (place, f"{id} on_failure → {target}")
        if isinstance(node, TalkNode):
            yield from _of_talk(table, id, node)
    root = whole.place
    for index, edge in enumerate(whole.anywhere):
        words = f"anywhere → {table.anywhere[index].to}"
        yield edge_way(flow, ANYWHERE, index), (edge.place, words)
    for key, target in table.keys.items():
        where = root.at("keys", key)
        yield other_way(flow, ANYWHERE, f"key {key}"), (where, f"key {key} → {target}")
    for what, target in table.answer.items():
        where = root.at("answer", what)
        yield other_way(flow, ANYWHERE, f"answer {what}"), (where, f"answer {what} → {target}")
    for what, to in (("silence", table.silence.to), ("limits", table.limits.to)):
        if to is not None:
            yield other_way(flow, ANYWHERE, what), (root.at(what, "to"), f"{what} → {to}")
    if table.error is not None:
        yield other_way(flow, ANYWHERE, "error"), (root.at("error"), f"error → {table.error}")


def _of_talk(table: NodeTable, id: str, node: TalkNode) -> Iterator[tuple[Way, tuple[Place, str]]]:
    flow, mine = table.flow, table.nodes[id]
    assert isinstance(mine, TableTalkNode)
    for key, target in mine.keys.items():
        where = node.place.at("keys", key)
        yield other_way(flow, id, f"key {key}"), (where, f"{id} key {key} → {target}")
    for what, rules in (("silence", mine.silence), ("limits", mine.limits)):
        if rules is not None and rules.to is not None and "to" in getattr(node, what):
            where = node.place.at(what, "to")
            yield other_way(flow, id, what), (where, f"{id} {what} → {rules.to}")
    if mine.aside:
        yield other_way(flow, id, "back"), (node.place.at("return"), f"{id} → back")


def _to(table: NodeTable, node: str, index: int) -> str:
    edges: tuple[Edge, ...] = getattr(table.nodes[node], "edges", ())
    return edges[index].to


def _refusals(
    analysis: Analysis, table: NodeTable, places: dict[Way, tuple[Place, str]]
) -> Iterator[Spot]:
    """Each target that a node's model may name and not get: every edge to it has a guard."""
    for id, here in table.nodes.items():
        if not isinstance(here, TableTalkNode):
            continue
        own = [(edge_way(table.flow, id, index), edge) for index, edge in enumerate(here.edges)]
        anywhere = [edge for edge in table.anywhere if edge.asks_model]
        for way, edge in own:
            others = [other for _, other in own if other.to == edge.to and other.asks_model]
            others += [other for other in anywhere if other.to == edge.to]
            first = next((other for other in others), None)
            if edge.asks_model and first is edge and all(is_guarded(other) for other in others):
                where, words = places[way]
                yield Spot(refusal_way(table.flow, id, edge.to), *_at(where), f"{words} refused")
