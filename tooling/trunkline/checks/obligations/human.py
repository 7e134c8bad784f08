"""Whether a human can be reached from wherever the caller may ask for one."""

from collections.abc import Callable

from trunkline.checks.obligations.breach import Breach, first_met, others
from trunkline.graph.analysis import Analysis
from trunkline.graph.edge import Kind
from trunkline.graph.flow_graph import Passage
from trunkline.graph.inline import InlinedNode
from trunkline.graph.reach import leading_to
from trunkline.model.nodes import LinkNode, TalkNode, TransferNode

# What happens when something went wrong is not what a caller who asks for a human can count on.
_ACCIDENTS = frozenset({Kind.LIMITS, Kind.ERROR, Kind.SILENCE})


def breach(analysis: Analysis, is_exempt: Callable[[InlinedNode], bool]) -> Breach | None:
    """The first talk node from which no transfer can be reached.

    A link counts as one: the flow that it leads to is held to the same.
    """
    graph = analysis.graph
    humans = [
        vertex.index
        for vertex in graph.vertices
        if isinstance(vertex.inlined.node, TransferNode | LinkNode)
    ]
    served = leading_to(graph, humans, _counts)
    alone = [
        inner
        for inner in analysis.inlined.nodes.values()
        if isinstance(inner.node, TalkNode)
        and not is_exempt(inner)
        and any(
            vertex in analysis.reached and vertex not in served
            for vertex in graph.of_node[inner.id]
        )
    ]
    met = first_met(analysis, alone)
    if met is None:
        return None
    node, path = met
    message = f"from `{node.node.id}`{others(len(alone) - 1)} no human can be reached"
    help = (
        "Add an exit under `anywhere` that leads to a `transfer` node, such as "
        "`- {to: human, when: the person asks for a human}`."
    )
    return Breach(node, path, message, help)


def _counts(passage: Passage) -> bool:
    return passage.edge.kind not in _ACCIDENTS
