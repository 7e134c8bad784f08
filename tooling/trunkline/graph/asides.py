"""Asides go back to the node that they were entered from, so each is told apart by that node."""

from collections.abc import Iterable, Iterator

from trunkline.graph.edge import GraphEdge, Kind
from trunkline.graph.inline import Inlined
from trunkline.model.nodes import TalkNode


def asides_of(inlined: Inlined) -> frozenset[str]:
    """The inlined ids of the nodes that say `return: true`."""
    return frozenset(
        id
        for id, inner in inlined.nodes.items()
        if isinstance(inner.node, TalkNode) and inner.node.aside
    )


def returns(inlined: Inlined, edges: Iterable[GraphEdge]) -> Iterator[GraphEdge]:
    """The ways back: from each aside to each node that it can be entered from.

    An aside that is entered from another one takes its place and returns to the same node.
    """
    asides = asides_of(inlined)
    if not asides:
        return
    entered: dict[str, dict[str, None]] = {aside: {} for aside in asides}
    replaced_by: dict[str, dict[str, None]] = {aside: {} for aside in asides}
    for edge in edges:
        if edge.source is None or edge.target not in asides:
            continue
        known = replaced_by if edge.source in asides else entered
        known[edge.source if edge.source in asides else edge.target][
            edge.target if edge.source in asides else edge.source
        ] = None
    _spread(entered, replaced_by)
    for id, inner in inlined.nodes.items():
        for host in entered.get(id, ()):
            place = inner.node.place.at("return")
            yield GraphEdge(id, host, Kind.BACK, inner.scope, place, entered_from=host)


def _spread(entered: dict[str, dict[str, None]], replaced_by: dict[str, dict[str, None]]) -> None:
    """Gives the hosts of each aside to every aside that can take its place."""
    waiting = list(entered)
    while waiting:
        aside = waiting.pop()
        for other in replaced_by[aside]:
            before = len(entered[other])
            entered[other].update(entered[aside])
            if len(entered[other]) > before:
                waiting.append(other)
