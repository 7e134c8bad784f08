"""TL203: a loop that runs without the caller.

Finds: a loop of exits without `when` (routes, `silence`, `limits`, `on_failure` and links to other
flows included) on which no node collects a slot that the loop clears. An exit with
`correction: true` asks again for all that its target collects, so it counts as one that clears
them. A yes or no to a confirm node, a key and an error are not such exits: they do not come by
themselves.

On the phone: the agent talks to itself, or says nothing at all, until a limit ends the call; and
every round may cost a tool call.

Fails:

    look_up:
      kind: route
      edges:
        - {to: pay, if: slots.amount_due > 0.0}
        - {to: try_again, else: true}
    try_again:
      kind: route
      edges:
        - {to: look_up, else: true}

Passes:

    look_up:
      kind: route
      edges:
        - {to: pay, if: slots.amount_due > 0.0}
        - {to: ask_amount, else: true}
    ask_amount:
      collect: [amount_due]
      edges:
        - {to: look_up}
        - {to: goodbye, when: they do not know it}
"""

from collections.abc import Iterator, Sequence

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.linked import SilentGraph, silent_graphs
from trunkline.graph.silent import silent_cycles

CODE = "TL203"


def check_flows(analyses: Sequence[Analysis]) -> Iterator[Finding]:
    """The silent loops in the flows of one tenant, also those that links make between them."""
    for graph in silent_graphs([analysis for analysis in analyses if analysis.has_graph]):
        for cycle in silent_cycles(graph.collects, graph.edges):
            yield _finding(graph, cycle)


def _finding(graph: SilentGraph, cycle: tuple[int, ...]) -> Finding:
    vertices = [graph.vertices[number][1] for number in cycle]
    first = vertices[0]
    node = first.inlined.node
    if len(cycle) == 1:
        message = f"`{node.id}` leads to itself without the caller having said anything"
    else:
        message = f"from `{node.id}` the call comes back to it without the caller"
    help = (
        "Let an exit of the loop ask (`when`), or let a node on it collect a slot that an exit "
        "of it clears, or asks for again (`correction: true`)."
    )
    trace = tuple(vertex.id for vertex in [*vertices, first])
    return error_at(CODE, node.place.key, message, help, trace)
