"""Whether the disclosures are spoken before the flow does what has to wait for them."""

from collections.abc import Callable

from trunkline.checks.at import listed
from trunkline.checks.obligations.breach import Breach
from trunkline.graph.analysis import Analysis
from trunkline.graph.flow_graph import Passage
from trunkline.graph.heard import DISCLOSURE, Heard, heard
from trunkline.graph.inline import InlinedNode
from trunkline.graph.trace import shortest_trace
from trunkline.model.nodes import ConfirmNode, EndNode, TalkNode, TransferNode
from trunkline_runtime.policy.rule import Disclosure
from trunkline_runtime.policy.step_facts import DISCLOSED_EFFECTS


def breach(
    analysis: Analysis, rule: Disclosure, is_exempt: Callable[[InlinedNode], bool]
) -> Breach | None:
    """The first node that does not wait for a disclosure, on the shortest path, and all of them.

    What has to wait: collecting, and the tools for which the gate asks about disclosures; or,
    with `before: anything_else`, every other word.
    """
    known = heard(analysis)
    paths = {
        name: _unheard(analysis, known, rule, name, is_exempt) for name in sorted(rule.disclosures)
    }
    missing = {name: path for name, path in paths.items() if path is not None}
    if not missing:
        return None
    first = min(missing.values(), key=lambda path: (len(path), analysis.graph.names(path)))
    here = analysis.graph.vertices[first[-1].target].inlined
    there = tuple(name for name, path in missing.items() if path[-1].target == first[-1].target)
    message = (
        f"`{here.node.id}` {_does(analysis, here, rule.before)} before the caller has heard "
        f"{listed(there)} on every path"
    )
    help = (
        f"Let the node with which every call begins say `speak: [{', '.join(missing)}]`: it is "
        "spoken first, and nobody can interrupt it."
    )
    return Breach(here, first, message, help)


def _unheard(
    analysis: Analysis,
    known: Heard,
    rule: Disclosure,
    name: str,
    is_exempt: Callable[[InlinedNode], bool],
) -> tuple[Passage, ...] | None:
    """The shortest path to a node that does not wait for a disclosure."""
    bit = known.bits.of(DISCLOSURE, [name])
    graph = analysis.graph

    def is_too_soon(vertex: int, held: bool) -> bool:
        inner = graph.vertices[vertex].inlined
        if held or known.spoken(inner.node) & bit or is_exempt(inner):
            return False
        return _does(analysis, inner, rule.before) != ""

    if not any(
        is_too_soon(each, bool((known.known[each] or 0) & bit)) for each in analysis.reached
    ):
        return None
    return shortest_trace(graph, known.steps, bit, is_too_soon)


def _does(analysis: Analysis, inner: InlinedNode, before: str) -> str:
    """What a node does that must wait, as the rest of a sentence; empty if it does nothing."""
    node = inner.node
    if before != "collect":
        speaks = isinstance(node, TalkNode | ConfirmNode)
        speaks = speaks or (isinstance(node, EndNode | TransferNode) and node.say is not None)
        return "speaks" if speaks else ""
    if not isinstance(node, TalkNode):
        return ""
    if node.collect:
        return f"collects {listed(node.collect[:1])}"
    for use in node.tools:
        entry = analysis.catalogue.entries.get(use.id)
        if entry is not None and entry.effects & DISCLOSED_EFFECTS:
            return f"grants {listed((use.id,))}"
    return ""
