"""TL202: a node from which the call cannot end.

Finds: a node from which no `end`, `transfer` or `link` can be reached over its exits, those that
the flow offers `anywhere`, and `on_failure`. Keys, silence, limits and errors do not count: they
are for when something went wrong. Nodes that no path reaches are held to it as well.

On the phone: the caller goes round in circles until a limit throws them out.

Fails:

    ask:
      edges:
        - {to: ask_again, when: they answer}
    ask_again:
      edges:
        - {to: ask, when: they answer}

Passes:

    ask:
      edges:
        - {to: ask_again, when: they answer}
    ask_again:
      edges:
        - {to: ask, when: they answer}
        - {to: goodbye, when: they have had enough}
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.dangling import leading_nowhere
from trunkline.graph.edge import CONFIRM_KINDS, Kind
from trunkline.graph.flow_graph import Passage
from trunkline.graph.reach import leading_to
from trunkline.graph.scope import Scope
from trunkline.model.nodes import TERMINALS, SubflowNode, TalkNode

CODE = "TL202"
_COUNTING = frozenset({Kind.LOCAL, Kind.ANYWHERE, Kind.ON_FAILURE, Kind.BACK}) | CONFIRM_KINDS


def check(analysis: Analysis) -> Iterator[Finding]:
    """Each node from which no terminal can be reached."""
    if analysis.has_graph:
        graph = analysis.graph
        ends = [each.index for each in graph.vertices if isinstance(each.inlined.node, TERMINALS)]
        # An exit to a node that is not there is told by itself; it may have led out.
        leading_out = [each for each in analysis.dangling_anywhere if each.leads_out]
        ends += leading_nowhere(leading_out, graph)
        ending = leading_to(graph, ends, _counts)
        yield from _in_scope(analysis, analysis.inlined.root, ending)


def _in_scope(analysis: Analysis, scope: Scope, ending: frozenset[int]) -> Iterator[Finding]:
    """The faults of one file: those inside a sub-flow count only up to its exits.

    Where such an exit leads to is the host's affair and is told at the host's node.
    """
    for id, node in scope.flow.nodes.items():
        if isinstance(node, SubflowNode):
            inner = scope.inner[id]
            within = _ending_within(analysis, inner, ending)
            yield from _in_scope(analysis, inner, within)
            entry = scope.resolve(id)
            stuck = entry is not None and _all_stuck(analysis, entry, ending)
            if stuck and entry is not None and not _all_stuck(analysis, entry, within):
                yield _finding(scope, id)
        elif _is_stuck(analysis, scope, id, ending):
            yield _finding(scope, id)


def _is_stuck(analysis: Analysis, scope: Scope, id: str, ending: frozenset[int]) -> bool:
    """An aside that nothing enters would go back if something did: it is not stuck by itself."""
    node = scope.flow.nodes[id]
    vertices = analysis.graph.of_node[scope.id_of(id)]
    if isinstance(node, TalkNode) and node.aside:
        vertices = [each for each in vertices if analysis.graph.vertices[each].host is not None]
    return bool(vertices) and not any(each in ending for each in vertices)


def _all_stuck(analysis: Analysis, entry: str, ending: frozenset[int]) -> bool:
    return not any(vertex in ending for vertex in analysis.graph.of_node[entry])


def _ending_within(analysis: Analysis, scope: Scope, ending: frozenset[int]) -> frozenset[int]:
    """As `ending`, for a call that is over when it leaves the scope by one of its exits."""
    graph = analysis.graph
    goals = set(ending)
    for vertex in graph.vertices:
        if not vertex.id.startswith(scope.prefix):
            continue
        for passage in graph.out[vertex.index]:
            target = graph.vertices[passage.target].id
            leaves = not target.startswith(scope.prefix)
            if leaves and _counts(passage) and passage.edge.kind is not Kind.ANYWHERE:
                goals.add(vertex.index)
    return leading_to(graph, goals, _counts)


def _counts(passage: Passage) -> bool:
    return passage.edge.kind in _COUNTING


def _finding(scope: Scope, id: str) -> Finding:
    message = f"from `{id}` no exit leads to the end of the call"
    help = "Add an exit that leads to an `end`, `transfer` or `link` node."
    return error_at(CODE, scope.flow.nodes[id].place.key, message, help)
