"""What the compiler proved of a flow, in the words of a comparison."""

from collections.abc import Iterator, Mapping
from functools import cache, partial

from trunkline.diff.change import FlowId
from trunkline.diff.snapshot import Proofs
from trunkline.graph.analysis import Analysis
from trunkline.graph.changes import FACTS
from trunkline.graph.flow_graph import Passage
from trunkline.graph.trace import shortest_path, shortest_trace


class LazyProofs(Mapping[FlowId, Proofs]):
    """The proofs of each flow, computed when a flow is first asked for: most never are."""

    def __init__(self, analyses: Mapping[FlowId, Analysis]) -> None:
        self._analyses = {id: one for id, one in analyses.items() if one.has_graph}
        self._proofs: dict[FlowId, Proofs] = {}

    def __getitem__(self, id: FlowId) -> Proofs:
        if id not in self._proofs:
            self._proofs[id] = proofs_of(self._analyses[id])
        return self._proofs[id]

    def __iter__(self) -> Iterator[FlowId]:
        return iter(self._analyses)

    def __len__(self) -> int:
        return len(self._analyses)


def proofs_of(analysis: Analysis) -> Proofs:
    """What is proven of a flow, in the words of a comparison."""
    bits = {fact: analysis.changes.bits.of(FACTS, [fact]) for fact in _facts(analysis)}
    at_tools: dict[tuple[str, str], frozenset[str]] = {}
    for inner, use in analysis.inlined.uses():
        vertices = frozenset(analysis.graph.of_node[inner.id]) & analysis.reached
        if vertices:
            lost = analysis.changes.lost_on(inner.id)
            held = ~lost
            for vertex in vertices:
                held &= analysis.known[vertex] or 0
            at_tools[inner.id, use.id] = frozenset(fact for fact, bit in bits.items() if held & bit)
    return Proofs(
        reachable=analysis.reached_ids,
        at_tools=at_tools,
        path=cache(partial(_path, analysis)),
        path_without=cache(partial(_path_without, analysis)),
    )


def _facts(analysis: Analysis) -> frozenset[str]:
    """Every fact that could be proven: those of the catalogue, and those the flow names."""
    catalogue = analysis.catalogue
    established = (fact for entry in catalogue.entries.values() for fact in entry.establishes)
    return catalogue.fact_names | frozenset(established)


def _path(analysis: Analysis, node: str) -> tuple[str, ...]:
    goals = frozenset(analysis.graph.of_node.get(node, ())) & analysis.reached
    return _names(analysis, shortest_path(analysis.graph, goals))


def _path_without(analysis: Analysis, node: str, fact: str) -> tuple[str, ...]:
    bit = analysis.changes.bits.of(FACTS, [fact])
    goals = frozenset(analysis.graph.of_node.get(node, ())) & analysis.reached
    lost_here = bool(analysis.changes.lost_on(node) & bit)
    found = shortest_trace(
        analysis.graph,
        analysis.steps,
        bit,
        lambda vertex, held: vertex in goals and (lost_here or not held),
    )
    return _names(analysis, found)


def _names(analysis: Analysis, found: tuple[Passage, ...] | None) -> tuple[str, ...]:
    return () if found is None else analysis.graph.names(found)
