"""TL204: a choice without a way back (a warning).

Finds: a node that the model chose at a node with two or more such exits to further steps, from
which neither that node nor another of these steps can be reached.

On the phone: the model misheard, and the caller who says "no, the other one" cannot be helped.

Fails:

    greeting:
      edges:
        - {to: book, when: they want an appointment}
        - {to: question, when: they have a question}
    book:
      edges:
        - {to: goodbye, when: it is booked}

Passes:

    greeting:
      edges:
        - {to: book, when: they want an appointment}
        - {to: question, when: they have a question}
    book:
      edges:
        - {to: goodbye, when: it is booked}
        - {to: question, when: they rather have a question}
"""

from collections.abc import Iterator

from trunkline.checks.at import warning_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.dangling import leading_nowhere
from trunkline.graph.edge import Kind
from trunkline.graph.reach import closure
from trunkline.model.nodes import TERMINALS, TalkNode

CODE = "TL204"
_ACCIDENTS = frozenset({Kind.LIMITS, Kind.ERROR, Kind.SILENCE})


def check(analysis: Analysis) -> Iterator[Finding]:
    """Each exit that the model may choose by mistake and cannot undo."""
    if not analysis.has_graph:
        return
    graph = analysis.graph
    reached = closure(graph, lambda passage: passage.edge.kind not in _ACCIDENTS)
    # What an exit that leads nowhere was meant to lead to may be the way back.
    nowhere = sum(1 << each for each in leading_nowhere(analysis.dangling_anywhere, graph))
    for vertex in graph.vertices:
        if not isinstance(vertex.inlined.node, TalkNode):
            continue
        chosen = {
            passage.target: passage
            for passage in reversed(graph.out[vertex.index])
            if passage.edge.kind is Kind.LOCAL
            and passage.edge.asks_model
            and not isinstance(graph.vertices[passage.target].inlined.node, TERMINALS)
        }
        if len(chosen) < 2:
            continue
        for target, passage in chosen.items():
            ways_back = {vertex.index, *chosen} - {target}
            if (reached[target] | 1 << target) & nowhere:
                continue
            if target != vertex.index and not any(
                reached[target] >> back & 1 for back in ways_back
            ):
                edge = passage.edge.edge
                name = edge.to if edge is not None else ""
                message = f"whoever is sent to `{name}` by mistake cannot come back"
                here = vertex.inlined.node.id
                help = f"Let `{name}` have an exit to `{here}`, or to another choice."
                yield warning_at(CODE, passage.edge.place, message, help)
