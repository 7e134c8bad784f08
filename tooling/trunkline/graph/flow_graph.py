"""The graph that the proofs walk: the compiled graph, with each aside once per node it serves."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline.graph.asides import asides_of
from trunkline.graph.edge import GraphEdge
from trunkline.graph.edges import graph_edges
from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.remembered import compiled_adjacency

BEGINNING = -1


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """A node of the graph; an aside once for each node (`host`) that it can be entered from."""

    index: int
    inlined: InlinedNode
    host: str | None

    @property
    def id(self) -> str:
        """The inlined id of the node, whoever the host is."""
        return self.inlined.id


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """An edge between two vertices, by index; `source` is BEGINNING where the call begins."""

    source: int
    target: int
    edge: GraphEdge


@dataclass(frozen=True, slots=True, eq=False)
class FlowGraph:
    """All vertices with the passages out of and into each, by index."""

    inlined: Inlined
    edges: tuple[GraphEdge, ...]
    vertices: Sequence[Vertex]
    starts: Sequence[Passage]
    out: Sequence[Sequence[Passage]]
    into: Sequence[Sequence[Passage]]
    of_node: dict[str, list[int]] = field(default_factory=dict)

    def names(self, path: Sequence[Passage]) -> tuple[str, ...]:
        """The ids of the nodes that a path comes to."""
        return tuple(self.vertices[passage.target].id for passage in path)


def flow_graph(inlined: Inlined) -> FlowGraph:
    """Builds the LangGraph graph of an inlined flow and hangs our edges on what it compiled."""
    edges = graph_edges(inlined)
    targets: dict[str, dict[str, None]] = {}
    for edge in edges:
        if edge.source is not None:
            targets.setdefault(edge.source, {})[edge.target] = None
    pairs = compiled_adjacency(inlined.nodes, targets)
    leaving: dict[str | None, list[GraphEdge]] = {}
    for edge in edges:
        if edge.source is None or (edge.source, edge.target) in pairs:
            leaving.setdefault(edge.source, []).append(edge)
    return _Unfolding(inlined, leaving).graph(edges)


class _Unfolding:
    """Makes the vertices, from the nodes that are no asides to the asides that they can enter."""

    def __init__(self, inlined: Inlined, leaving: dict[str | None, list[GraphEdge]]) -> None:
        self.inlined = inlined
        self.leaving = leaving
        self.asides = asides_of(inlined)
        self.vertices: list[Vertex] = []
        self.index: dict[tuple[str, str | None], int] = {}
        self.out: list[list[Passage]] = []

    def graph(self, edges: tuple[GraphEdge, ...]) -> FlowGraph:
        for id in self.inlined.nodes:
            if id not in self.asides:
                self.vertex(id, None)
        starts = [
            Passage(BEGINNING, self.vertex(edge.target, None), edge)
            for edge in self.leaving.get(None, ())
        ]
        self.walk(0)
        entered = {vertex.id for vertex in self.vertices}
        alone = len(self.vertices)
        for id in self.inlined.nodes:
            if id not in entered:
                self.vertex(id, None)
        self.walk(alone)
        into: list[list[Passage]] = [[] for _ in self.vertices]
        of_node: dict[str, list[int]] = {}
        for vertex in self.vertices:
            of_node.setdefault(vertex.id, []).append(vertex.index)
        for passage in (*starts, *(passage for out in self.out for passage in out)):
            into[passage.target].append(passage)
        return FlowGraph(self.inlined, edges, self.vertices, starts, self.out, into, of_node)

    def walk(self, first: int) -> None:
        """Makes the passages of every vertex from `first` on, and the vertices that they reach."""
        position = first
        while position < len(self.vertices):
            vertex = self.vertices[position]
            for edge in self.leaving.get(vertex.id, ()):
                if edge.entered_from is None or edge.entered_from == vertex.host:
                    host = vertex.host if vertex.id in self.asides else vertex.id
                    reached = self.vertex(edge.target, host if edge.target in self.asides else None)
                    self.out[position].append(Passage(position, reached, edge))
            position += 1

    def vertex(self, id: str, host: str | None) -> int:
        """The index of a vertex, which is made if it is new."""
        key = (id, host)
        if key not in self.index:
            self.index[key] = len(self.vertices)
            self.vertices.append(Vertex(len(self.vertices), self.inlined.nodes[id], host))
            self.out.append([])
        return self.index[key]
