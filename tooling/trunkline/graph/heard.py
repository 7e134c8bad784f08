"""What the caller has heard of the policy's disclosures, on every path."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline.graph.analysis import Analysis
from trunkline.graph.changes import Bits
from trunkline.graph.edge import Kind
from trunkline.graph.flow_graph import Passage
from trunkline.graph.known import Change, known_on_entry
from trunkline.model.nodes import Node, TalkNode

DISCLOSURE = "disclosures."
# A call that fails, or whose time is up, may leave a node before its words are spoken.
_IN_HASTE = frozenset({Kind.ERROR, Kind.LIMITS})


@dataclass(frozen=True)
class Heard:
    """`steps` beside `graph.out`; `known` for each vertex, None where no path leads.

    What a node speaks is heard there before anything else happens on it, and cannot be interrupted.
    """

    bits: Bits
    steps: Sequence[Sequence[Change]]
    known: Sequence[int | None]

    def on(self, vertex: int, node: Node) -> int:
        """The disclosures heard once the node's own have been spoken; call it for reached ones."""
        return (self.known[vertex] or 0) | self.spoken(node)

    def spoken(self, node: Node) -> int:
        """The disclosures that a node speaks."""
        return self.bits.of(DISCLOSURE, node.speak) if isinstance(node, TalkNode) else 0


def heard(analysis: Analysis) -> Heard:
    """The disclosures that have been heard on every path to each node."""
    graph, bits = analysis.graph, Bits()

    def change(passage: Passage) -> Change:
        node = graph.vertices[passage.source].inlined.node
        if passage.edge.kind in _IN_HASTE or not isinstance(node, TalkNode):
            return Change()
        return Change(gains=bits.of(DISCLOSURE, node.speak))

    steps = [[change(passage) for passage in out] for out in graph.out]
    return Heard(bits, steps, known_on_entry(graph, steps))
