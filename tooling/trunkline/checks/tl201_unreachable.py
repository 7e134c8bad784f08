"""TL201: a node that no path reaches.

Finds: a node that no call can come to, by whatever kind of edge: an exit, `anywhere`, a key,
`answer`, silence, a limit, an error, a failed transfer. Of a sub-flow that is not reached only the
node that holds it is told. Where an exit leads to a node that is not there (TL103), what
it may have meant is not told too.

On the phone: the step does not exist for callers, although somebody wrote and reviewed it; most
often the exit that should lead there is missing.

Fails:

    greeting:
      edges:
        - {to: goodbye, when: they need nothing}
    opening_hours:
      instructions: Tell them the opening hours.
      edges:
        - {to: goodbye, when: they have heard them}

Passes:

    greeting:
      edges:
        - {to: opening_hours, when: they ask when you are open}
        - {to: goodbye, when: they need nothing}
    opening_hours:
      instructions: Tell them the opening hours.
      edges:
        - {to: goodbye, when: they have heard them}
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.scope import Scope
from trunkline.model.nodes import SubflowNode

CODE = "TL201"


def check(analysis: Analysis) -> Iterator[Finding]:
    """Each node that no path from the beginning of the call reaches.

    An exit that leads nowhere is told by itself: what it may have been meant to reach is not.
    """
    if not analysis.has_graph or any(each.meant is None for each in analysis.dangling):
        return
    meant = analysis.ids_from(each.meant for each in analysis.dangling)
    yield from _in_scope(analysis, analysis.inlined.root, analysis.reached_ids | meant)


def _in_scope(analysis: Analysis, scope: Scope, reached: frozenset[str]) -> Iterator[Finding]:
    for id, node in scope.flow.nodes.items():
        if isinstance(node, SubflowNode):
            inner = scope.inner[id]
            entry = scope.resolve(id)
            if entry in reached:
                yield from _in_scope(analysis, inner, reached)
                continue
        elif scope.id_of(id) in reached:
            continue
        message = f"no path leads to `{id}`"
        help = "Let an exit lead to it, or remove it."
        yield error_at(CODE, node.place.key, message, help)
