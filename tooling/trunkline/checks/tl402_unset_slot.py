"""TL402: a slot that is read where it is not set on every path.

Finds: a slot in an `if`, `say`, `ask`, `instructions`, the words of a disclosure, the `with` of a
tool, a sub-flow or a link, the `sets` of a tool, or the number of a transfer, on a node that a call
can come to while the slot is not set. A slot is set by `collect` (unless it is optional; on exits
without `when`, which wait for it) and by `requires: [slots.x]`. What a tool `sets` is unset while
it runs; only `requires` proves that it came. A flow that only links lead to begins with the slots
that each of them gives by `with`, as a name or a fixed value: no call can begin with such a flow.
The trace is the shortest path on which the slot is not set.

On the phone: a sentence with a hole in it, a tool called with nothing, a condition that is false
for no reason that anybody sees.

Fails:

    state_invoice:
      tools:
        - {id: get_invoice, sets: {amount_due: result.amount_due}}
      edges:
        - {to: pay, when: they want to pay, if: slots.amount_due > 0.0}

Passes:

    state_invoice:
      tools:
        - {id: get_invoice, sets: {amount_due: result.amount_due}}
      edges:
        - to: pay
          when: they want to pay
          requires: [slots.amount_due]
          if: slots.amount_due > 0.0
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.changes import SLOTS
from trunkline.graph.reads import Read
from trunkline.graph.trace import shortest_trace

CODE = "TL402"
_Reader = tuple[str, str, int, int]


def check(analysis: Analysis) -> Iterator[Finding]:
    """Each reader of a slot, once, with the shortest path on which the slot is not set."""
    if not analysis.has_graph:
        return
    readers: dict[_Reader, list[Read]] = {}
    for read in analysis.reads:
        if analysis.may_be_unset(read):
            readers.setdefault((read.slot, *read.place.order), []).append(read)
    for reads in readers.values():
        yield _finding(analysis, reads)


def _finding(analysis: Analysis, reads: list[Read]) -> Finding:
    slot, place, by = reads[0].slot, reads[0].place, reads[0].by
    bit = analysis.changes.bits.of(SLOTS, [slot])
    nodes = {read.node: bool(read.lost & bit) for read in reads}
    lost = {
        vertex: lost_there
        for node, lost_there in nodes.items()
        for vertex in analysis.graph.of_node[node]
    }
    trace = shortest_trace(
        analysis.graph,
        analysis.steps,
        bit,
        lambda vertex, held: vertex in lost and (lost[vertex] or not held),
        analysis.known_at_start,
    )
    message = f"{by} reads `slots.{slot}`, which is not set on every path to it"
    return error_at(CODE, place, message, _help(slot, by), analysis.graph.names(trace or ()))


def _help(slot: str, by: str) -> str:
    if by in ("`if`", "`say` of this edge"):
        return f"Add `requires: [slots.{slot}]` to this exit."
    return (
        f"Collect `{slot}` on every way to this node, or let each exit that leads here say "
        f"`requires: [slots.{slot}]`."
    )
