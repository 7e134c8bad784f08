"""TL401: a tool granted where what its effect requires is not proven on every path.

Finds: a tool with an effect for which `policy/requirements.yaml` (or the tenant's policy) requires
a fact, on a node that a call can come to without the fact. It stands on the tool's entry; the trace
is the shortest path that skips the proof. Every kind of edge counts: exits, `anywhere`, keys,
silence, limits, errors, failed transfers, returns of asides. A fact ends when a tool that revokes
it starts, and when a slot that it rests on is collected, set or cleared, also on the node itself.
`after_call` takes no payment and no transfer at all. A tool with a subagent does what those tools
do that it may use. A rule of level `overridable` may be waived by an exception that names the flow,
the node or the tool.

On the phone: somebody who was never verified is charged, or told what is not theirs to know.

Fails:

    verify:
      tools: [lookup_crm]
      edges:
        - {to: pay, when: account holder confirmed}
    pay:
      tools: [take_payment]

Passes:

    verify:
      tools: [lookup_crm]
      edges:
        - {to: pay, when: account holder confirmed, requires: [identity_verified]}
    pay:
      tools: [take_payment]
"""

from collections.abc import Iterator, Mapping
from datetime import date

from trunkline.checks.at import error_at, listed
from trunkline.checks.waived import waived_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.changes import FACTS
from trunkline.graph.edge import Kind
from trunkline.graph.flow_graph import Passage
from trunkline.graph.inline import InlinedNode
from trunkline.graph.trace import shortest_trace
from trunkline.model.policy import facts_of
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.catalogue.entry import run_by

CODE = "TL401"
_NEVER_AFTER_CALL = ("payment", "transfer")


def check(analysis: Analysis, today: date) -> Iterator[Finding]:
    """Each tool, on a node that a call can come to, whose facts are not proven there."""
    if not analysis.has_graph:
        return
    for inner, use in analysis.inlined.uses():
        if inner.id in analysis.reached_ids:
            for fact, does in _required(analysis, use.id, inner.id, today).items():
                yield from _unproven(analysis, inner, use, fact, does)
    yield from _after_call(analysis, today)


def _required(analysis: Analysis, tool: str, node: str | None, today: date) -> Mapping[str, str]:
    """The facts that a tool needs, and those it may use in its turn; each with what needs it."""
    found: dict[str, str] = {}
    for entry in run_by(analysis.catalogue.entries, tool):
        waived = waived_at(analysis, today, node, entry.id)
        required = (
            analysis.repository.policy.required_facts(
                analysis.tenant, analysis.inlined.whole, waived
            )
            if waived
            else analysis.required_facts
        )
        for fact, effect in facts_of(entry.effects, required).items():
            found.setdefault(fact, _does(tool, entry.id, effect))
    return found


def _does(tool: str, used: str, effect: str) -> str:
    """A tool with what it does, itself or by another one, as a reader says it."""
    by = "" if used == tool else f"it uses `{used}`: "
    return f"`{tool}` ({by}{_words(effect)})"


def _unproven(
    analysis: Analysis, inner: InlinedNode, use: ToolUse, fact: str, does: str
) -> Iterator[Finding]:
    bit = analysis.changes.bits.of(FACTS, [fact])
    lost_here = bool(analysis.changes.lost_on(inner.id) & bit)
    vertices = frozenset(analysis.graph.of_node[inner.id]) & analysis.reached
    if not lost_here and all((analysis.known[each] or 0) & bit for each in vertices):
        return
    trace = shortest_trace(
        analysis.graph,
        analysis.steps,
        bit,
        lambda vertex, held: vertex in vertices and (lost_here or not held),
    )
    if trace is None:
        return
    needs = f"{does} may run here only once `{fact}` is proven"
    if lost_here:
        message = f"{needs}, and this node itself can end it"
    else:
        message = f"{needs}, and a call can come here without it"
    cleared = () if lost_here else _cleared(analysis, trace[-1], bit)
    help = _help(fact, inner, trace[-1], lost_here, cleared)
    yield error_at(CODE, use.place, message, help, analysis.graph.names(trace))


def _cleared(analysis: Analysis, last: Passage, bit: int) -> tuple[str, ...]:
    """The slots that the last edge clears and on which the fact rests."""
    written = last.edge.edge
    slots = written.clears if written is not None else ()
    return tuple(slot for slot in slots if analysis.changes.resting_on(frozenset([slot])) & bit)


def _help(
    fact: str, inner: InlinedNode, last: Passage, lost_here: bool, cleared: tuple[str, ...]
) -> str:
    id = inner.node.id
    if cleared:
        return (
            f"The exit that leads to `{id}` clears {listed(cleared)}, and `{fact}` falls with it, "
            "whatever the exit requires: take that out of `clears`, or lead to where it is proven."
        )
    if lost_here:
        return (
            f"A tool here revokes `{fact}`, or the node changes a slot that it rests on. Grant the "
            f"tool on a node of its own, and let the exit to it say `requires: [{fact}]`."
        )
    if last.edge.edge is not None:
        where = "under `anywhere` " if last.edge.kind is Kind.ANYWHERE else ""
        return f"Add `requires: [{fact}]` to the exit {where}that leads to `{id}`."
    if last.edge.kind in (Kind.START, Kind.ANSWER):
        return f"Begin elsewhere, and let an exit with `requires: [{fact}]` lead to `{id}`."
    return (
        f"The call comes here by `{last.edge.kind.value}`, which proves nothing: let it lead "
        f"elsewhere, or prove `{fact}` on every path before."
    )


def _after_call(analysis: Analysis, today: date) -> Iterator[Finding]:
    """A caller can hang up on the first node, where nothing is proven yet."""
    begins = [passage for passage in analysis.graph.starts if passage.edge.kind is Kind.START]
    trace = analysis.graph.names(begins[:1])
    for use in analysis.inlined.whole.after_call:
        banned = [
            _does(use.id, entry.id, effect)
            for entry in run_by(analysis.catalogue.entries, use.id)
            for effect in _NEVER_AFTER_CALL
            if effect in entry.effects
        ]
        if banned:
            message = f"{banned[0]} cannot run once the call is over"
            help = "Run it on a node, where the caller is still there and the proof holds."
            yield error_at(CODE, use.place, message, help)
            continue
        for fact, does in _required(analysis, use.id, None, today).items():
            message = f"{does} may run only once `{fact}` is proven, and a call can end without it"
            help = "Run it on a node that is entered with the proof; callers hang up anywhere."
            yield error_at(CODE, use.place, message, help, trace)


def _words(effect: str) -> str:
    """An effect as a reader says it."""
    return {
        "reads_pii": "it reads personal data",
        "contact": "it contacts somebody",
        "payment": "it takes a payment",
        "writes": "it changes records",
        "transfer": "it transfers the call",
    }.get(effect, effect)
