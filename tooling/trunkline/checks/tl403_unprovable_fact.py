"""TL403: a fact that is read or required and that nothing reachable establishes.

Finds: a fact in `requires`, or `facts.x` in the `if` of an exit or in the `if`, `with` or `sets` of
a tool, that no tool on a node which a call can come to establishes. A tool does not count where its
arguments under `spoken` are bound to anything but what the caller said. A confirm node counts only
for facts that `catalog/facts.yaml` lets it confirm, and a confirm node that establishes any other
is told itself.

On the phone: the exit would never open; or a "yes" to whatever question would pass for a proof.

Fails:

    verify:
      edges:
        - {to: pay, when: account holder confirmed, requires: [identity_verified]}

Passes:

    verify:
      collect: [full_name, postcode]
      tools:
        - id: lookup_crm
          with: {full_name: slots.full_name, postcode: slots.postcode}
      edges:
        - {to: pay, when: account holder confirmed, requires: [identity_verified]}
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at, listed, misspelt
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.params import names_in_expression
from trunkline.graph.scope import Scope
from trunkline.model.edge import Edge
from trunkline.model.nodes import ConfirmNode
from trunkline.model.place import Place
from trunkline.nearest import did_you_mean
from trunkline_runtime.catalogue.entry import ToolEntry

CODE = "TL403"


def check(analysis: Analysis) -> Iterator[Finding]:
    """Each reader of a fact, on a node that a call can come to, that can never come true."""
    if not analysis.has_graph:
        return
    seen: set[int] = set()
    for edge in analysis.graph.edges:
        written = edge.edge
        if written is None or edge.source not in analysis.reached_ids or id(written) in seen:
            continue
        seen.add(id(written))
        yield from _required(analysis, written)
        yield from _expression(analysis, edge.scope, written.condition, written.place.at("if"))
    for inner, use in analysis.inlined.uses():
        if inner.id in analysis.reached_ids:
            yield from _expression(analysis, inner.scope, use.condition, use.place.at("if"))
            for argument, value in use.bind.items():
                place = use.place.at("with", argument)
                yield from _expression(analysis, inner.scope, value, place)
            for slot, value in use.sets.items():
                place = use.place.at("sets", slot)
                entry = analysis.catalogue.entries.get(use.id)
                yield from _expression(analysis, inner.scope, value, place, entry)
    yield from _pretending(analysis)


def _required(analysis: Analysis, edge: Edge) -> Iterator[Finding]:
    for index, fact in enumerate(edge.requires):
        if not fact.startswith("slots."):
            yield from _unprovable(analysis, fact, edge.place.at("requires", index))


def _expression(
    analysis: Analysis,
    scope: Scope,
    text: object,
    place: Place,
    result_of: ToolEntry | None = None,
) -> Iterator[Finding]:
    if isinstance(text, str) and analysis.conditions.meaning(scope, text, result_of) is not None:
        for reading in names_in_expression(text, scope.params, place):
            if reading.root == "facts":
                yield from _unprovable(analysis, reading.name, reading.place)


def _unprovable(analysis: Analysis, fact: str, place: Place) -> Iterator[Finding]:
    known = analysis.establishers
    if fact in analysis.establishable:
        return
    if fact not in analysis.catalogue.fact_names:
        yield _no_such_fact(analysis, fact, place)
        return
    message = f"nothing that a call can come to establishes `{fact}`"
    if fact in known.unproving:
        each = known.unproving[fact][0]
        help = (
            f"`{each.use.id}` on `{each.node.node.id}` would, if {listed(each.arguments)} were "
            "bound under `with` to slots that only `collect` fills: it must be what the caller "
            "said."
        )
    else:
        tools = sorted(
            id for id, entry in analysis.catalogue.entries.items() if fact in entry.establishes
        )
        help = f"It comes from {listed(tuple(tools))}." if tools else "No tool establishes it."
        if analysis.catalogue.may_confirm(fact):
            help = "A `confirm` node with `establishes` can prove it, on a path to this place."
    yield error_at(CODE, place, message, help)


def _no_such_fact(analysis: Analysis, fact: str, place: Place) -> Finding:
    help = did_you_mean(fact, analysis.catalogue.fact_names)
    help = help or "Compliance lists facts in catalog/facts.yaml."
    finding = error_at(CODE, place, f"there is no fact `{fact}`", help)
    return misspelt(finding, fact, analysis.catalogue.fact_names)


def _pretending(analysis: Analysis) -> Iterator[Finding]:
    """Confirm nodes that establish what only a tool can know, reachable or not."""
    for inner in analysis.inlined.nodes.values():
        node = inner.node
        if not isinstance(node, ConfirmNode):
            continue
        for index, fact in enumerate(node.establishes):
            place = node.place.at("establishes", index)
            if fact not in analysis.catalogue.fact_names:
                yield _no_such_fact(analysis, fact, place)
            elif not analysis.catalogue.may_confirm(fact):
                message = f"a yes to a question cannot establish `{fact}`"
                help = (
                    "Let a tool establish it. Compliance decides in catalog/facts.yaml "
                    "(`confirm: true`) what callers may confirm themselves."
                )
                yield error_at(CODE, place, message, help)
