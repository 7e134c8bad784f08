"""The edges without `when` of a tenant's flows, and of the flows that link to each other."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from trunkline.graph.analysis import Analysis
from trunkline.graph.edge import Kind
from trunkline.graph.flow_graph import Passage, Vertex
from trunkline.graph.reach import components
from trunkline.graph.silent import SilentEdge
from trunkline.model.nodes import LinkNode, TalkNode, TransferNode

_SILENT = frozenset({Kind.LOCAL, Kind.ANYWHERE, Kind.SILENCE, Kind.LIMITS, Kind.ON_FAILURE})


@dataclass(frozen=True, slots=True)
class SilentGraph:
    """The vertices of one flow, or of flows in a loop of links, and the edges without `when`.

    `collects` and `edges` number the vertices as `vertices` has them: in the order of the files.
    A slot is told apart by its flow: a flow's slots are its own.
    """

    vertices: Sequence[tuple[Analysis, Vertex]]
    collects: Sequence[frozenset[Hashable]]
    edges: Sequence[SilentEdge]


def silent_graphs(analyses: Sequence[Analysis]) -> list[SilentGraph]:
    """A graph for each set of a tenant's flows that lead to each other by links and may loop."""
    known = {analysis.inlined.flow.id: number for number, analysis in enumerate(analyses)}
    linked = [
        [
            known[inner.node.flow]
            for inner in analysis.inlined.nodes.values()
            if isinstance(inner.node, LinkNode) and inner.node.flow in known
        ]
        for analysis in analyses
    ]
    groups = ([analyses[number] for number in sorted(group)] for group in components(linked))
    return [_graph(group) for group in groups if _may_loop(group)]


def _may_loop(group: Sequence[Analysis]) -> bool:
    """False for a flow that no link leads back to and that has no loop of silent edges at all.

    Most flows are such; looking up where their edges stand would cost more than all the rest.
    """
    if len(group) > 1:
        return True
    graph, id = group[0].graph, group[0].inlined.flow.id
    for vertex in graph.vertices:
        if isinstance(vertex.inlined.node, LinkNode) and vertex.inlined.node.flow == id:
            return True
    successors = [
        [passage.target for passage in out if _is_silent(vertex, passage)]
        for vertex, out in zip(graph.vertices, graph.out, strict=True)
    ]
    loops = any(number in out for number, out in enumerate(successors))
    return loops or any(len(component) > 1 for component in components(successors))


def _graph(analyses: Sequence[Analysis]) -> SilentGraph:
    vertices = [(analysis, vertex) for analysis in analyses for vertex in analysis.graph.vertices]
    vertices.sort(key=lambda each: each[1].inlined.node.place.key.order)
    numbers = {
        (analysis.inlined.flow.id, vertex.index): number
        for number, (analysis, vertex) in enumerate(vertices)
    }
    collects: list[frozenset[Hashable]] = []
    edges: list[SilentEdge] = []
    for number, (analysis, vertex) in enumerate(vertices):
        flow, node = analysis.inlined.flow.id, vertex.inlined.node
        slots = node.collect if isinstance(node, TalkNode) else ()
        collects.append(frozenset((flow, slot) for slot in slots))
        out = [each for each in analysis.graph.out[vertex.index] if _is_silent(vertex, each)]
        for passage in sorted(out, key=lambda each: each.edge.place.order):
            clears = frozenset((flow, slot) for slot in _asked_anew(analysis, passage))
            edges.append(SilentEdge(number, numbers[flow, passage.target], clears))
        if isinstance(node, LinkNode):
            edges += _link(number, node.flow, analyses, numbers)
    return SilentGraph(vertices, collects, edges)


def _asked_anew(analysis: Analysis, passage: Passage) -> frozenset[str]:
    """The slots that a node asks for once more: those cleared, and by a correction all it collects.

    A correction waits for the caller where its target collects anything, also where nothing is
    cleared. One that a limit turns away is an edge of its own, and corrects nothing.
    """
    written = passage.edge.edge
    if written is None:
        return frozenset()
    target = analysis.graph.vertices[passage.target].inlined.node
    asked = target.collect if written.correction and isinstance(target, TalkNode) else ()
    return frozenset((*written.clears, *asked))


def _link(
    number: int,
    flow: str,
    analyses: Sequence[Analysis],
    numbers: Mapping[tuple[str, int], int],
) -> list[SilentEdge]:
    """The edge from a link node to the start of its flow, if that is among these flows."""
    return [
        SilentEdge(number, numbers[flow, start.target], frozenset())
        for analysis in analyses
        if analysis.inlined.flow.id == flow
        for start in analysis.graph.starts
        if start.edge.kind is not Kind.ANSWER
    ]


def _is_silent(vertex: Vertex, passage: Passage) -> bool:
    """A transfer ends the call unless it fails, so its limit is no loop of the flow."""
    if passage.edge.kind is Kind.LIMITS and isinstance(vertex.inlined.node, TransferNode):
        return False
    return passage.edge.kind in _SILENT and not passage.edge.asks_model
