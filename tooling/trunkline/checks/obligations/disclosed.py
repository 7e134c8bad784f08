"""Whether the disclosures are spoken before the flow does what has to wait for them."""

from collections.abc import Callable

from trunkline.checks.at import listed
from trunkline.checks.obligations.breach import Breach
from trunkline.graph.analysis import Analysis
from trunkline.graph.heard import DISCLOSURE, Heard, heard
from trunkline.graph.inline import InlinedNode
from trunkline.graph.trace import shortest_trace
from trunkline.model.nodes import ConfirmNode, EndNode, TalkNode, TransferNode
from trunkline_runtime.policy.rule import Disclosure
from trunkline_runtime.policy.step_facts import DISCLOSED_EFFECTS


def breach(
    analysis: Analysis, rule: Disclosure, is_exempt: Callable[[InlinedNode], bool]
) -> Breach | None:
    """The first node that does not wait for one of the disclosures, on the shortest path.

    What has to wait: collecting, and the tools for which the gate asks about disclosures; or,
    with `before: anything_else`, every other word.
    """
    known = heard(analysis)
    breaches = (_unheard(analysis, known, rule, name, is_exempt) for name in rule.disclosures)
    found = [each for each in breaches if each is not None]
    return min(found, key=lambda each: (len(each.path), each.message), default=None)


def _unheard(
    analysis: Analysis,
    known: Heard,
    rule: Disclosure,
    name: str,
    is_exempt: Callable[[InlinedNode], bool],
) -> Breach | None:
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
    path = shortest_trace(graph, known.steps, bit, is_too_soon)
    if path is None:
        return None
    here = graph.vertices[path[-1].target].inlined
    message = (
        f"`{here.node.id}` {_does(analysis, here, rule.before)} before the caller has heard "
        f"{listed((name,))} on every path"
    )
    help = (
        f"Let the node with which every call begins say `speak: [{name}]`: it is spoken first, "
        "and nobody can interrupt it."
    )
    return Breach(here, path, message, help)


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
