"""Whether every talk node offers the caller not to be called again."""

from collections.abc import Callable

from trunkline.checks.obligations.breach import Breach, first_met, others
from trunkline.graph.analysis import Analysis
from trunkline.graph.edge import Kind
from trunkline.graph.flow_graph import Passage
from trunkline.graph.inline import InlinedNode
from trunkline.model.nodes import ConfirmNode, EndNode, RouteNode, TalkNode

OPT_OUT = "opt_out"
_OFFERED = frozenset({Kind.LOCAL, Kind.ANYWHERE})


def breach(analysis: Analysis, is_exempt: Callable[[InlinedNode], bool]) -> Breach | None:
    """The first talk node without such an exit.

    An exit offers it if the caller can ask for it in words (`when`), if nothing else is asked of
    them (`if`, `requires`), and if it leads to an end with the outcome `opt_out`: at once, after a
    yes, or over nodes that lead nowhere else. A key alone is not enough: while digits are being
    collected no key is heard as an exit.
    """
    taking = _taking_off(analysis)
    silent = [
        inner
        for inner in analysis.inlined.nodes.values()
        if isinstance(inner.node, TalkNode)
        and inner.id in analysis.reached_ids
        and not is_exempt(inner)
        and not _offers(analysis, inner, taking)
    ]
    met = first_met(analysis, silent)
    if met is None:
        return None
    node, path = met
    here = f"`{node.node.id}`{others(len(silent) - 1)}"
    verb = "offers" if len(silent) == 1 else "offer"
    message = f"{here} {verb} no way to ask not to be called again"
    help = (
        "Add an exit under `anywhere` that leads to an end with `outcome: opt_out`, such as "
        "`- {to: do_not_call, when: the person asks not to be called again}`."
    )
    return Breach(node, path, message, help)


def _offers(analysis: Analysis, inner: InlinedNode, taking: frozenset[int]) -> bool:
    """An aside is told apart by its host; each of its vertices has the same exits."""
    vertices = [each for each in analysis.graph.of_node[inner.id] if each in analysis.reached]
    return all(
        any(_asks(passage) and passage.target in taking for passage in analysis.graph.out[vertex])
        for vertex in vertices
    )


def _asks(passage: Passage) -> bool:
    edge = passage.edge.edge
    return (
        passage.edge.kind in _OFFERED
        and edge is not None
        and edge.asks_model
        and edge.condition is None
        and not edge.requires
    )


def _taking_off(analysis: Analysis) -> frozenset[int]:
    """The vertices from which the call goes on to an opt-out: a least fixed point."""
    graph = analysis.graph
    taking: set[int] = set()
    for vertex in graph.vertices:
        node = vertex.inlined.node
        if isinstance(node, EndNode) and node.outcome == OPT_OUT:
            taking.add(vertex.index)
    waiting = list(taking)
    while waiting:
        for passage in graph.into[waiting.pop()]:
            source = passage.source
            if source >= 0 and source not in taking and _goes_on(analysis, source, taking):
                taking.add(source)
                waiting.append(source)
    return frozenset(taking)


def _goes_on(analysis: Analysis, vertex: int, taking: set[int]) -> bool:
    node, out = analysis.graph.vertices[vertex].inlined.node, analysis.graph.out[vertex]
    if isinstance(node, ConfirmNode):
        return any(p.edge.kind is Kind.ON_YES and p.target in taking for p in out)
    own = [passage for passage in out if passage.edge.kind is Kind.LOCAL]
    if not isinstance(node, TalkNode | RouteNode) or not own:
        return False
    return all(passage.target in taking for passage in own)
