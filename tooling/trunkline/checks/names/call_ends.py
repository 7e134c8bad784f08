"""Names of what a call speaks and ends with: disclosures, numbers, outcomes, linked flows."""

from collections.abc import Iterator

from trunkline.checks.at import error_at, listed, misspelt
from trunkline.checks.names.call_data import names_of_field
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.scope import Scope
from trunkline.model.catalogue import RESERVED_OUTCOMES
from trunkline.model.flow import Flow
from trunkline.model.nodes import EndNode, LinkNode, TalkNode, TransferNode
from trunkline.model.place import Place
from trunkline.model.policy import disclosed
from trunkline.model.template import fields
from trunkline.nearest import did_you_mean

CODE = "TL103"


def names_of_ends(analysis: Analysis, scope: Scope) -> Iterator[Finding]:
    """Names in the nodes of one file of the flow that the repository does not have."""
    for node in scope.flow.nodes.values():
        match node:
            case TalkNode():
                for index, name in enumerate(node.speak):
                    yield from _disclosure(analysis, name, node.place.at("speak", index))
            case TransferNode():
                yield from _numbers(analysis, node)
            case EndNode():
                yield from _outcome(analysis, node)
            case LinkNode():
                yield from _link(analysis, node)


def _disclosure(analysis: Analysis, name: str, place: Place) -> Iterator[Finding]:
    known = analysis.repository.policy.disclosures
    language = analysis.inlined.whole.language
    if known is None:
        return
    if name not in known:
        message = f"policy/disclosures.yaml has no text `{name}`"
        yield misspelt(error_at(CODE, place, message, did_you_mean(name, known)), name, known)
        return
    text = disclosed(known, name, language)
    if text is None:
        message = f"policy/disclosures.yaml has no words in {language} for `{name}`"
        help = f"It has {listed(tuple(known[name]['texts']))}; compliance must add {language}."
        yield error_at(CODE, place, message, help)
        return
    for field in fields(text):
        yield from names_of_field(analysis, field, place)


def _numbers(analysis: Analysis, node: TransferNode) -> Iterator[Finding]:
    tenant = analysis.tenant
    if tenant is None:
        return
    for key, name in node.numbers.items():
        if name not in tenant.numbers:
            place = node.place.at("number", key) if key else node.place.at("number")
            message = f"the tenant {tenant.id} has no number `{name}`"
            nearest = did_you_mean(name, tenant.numbers)
            help = nearest or f"Add `{name}` under `numbers` in flows/{tenant.id}/tenant.yaml."
            yield misspelt(error_at(CODE, place, message, help), name, tenant.numbers)
    slot = analysis.inlined.whole.slots.get(node.decided_by or "")
    for key in node.numbers:
        if slot is not None and slot.choices and key != "default" and key not in slot.choices:
            message = f"`{key}` is not a choice of `slots.{slot.name}`"
            help = did_you_mean(key, slot.choices) or f"It has {listed(slot.choices)}."
            yield error_at(CODE, node.place.at("number", key).key, message, help)


def _outcome(analysis: Analysis, node: EndNode) -> Iterator[Finding]:
    if not analysis.catalogue.knows_outcome(node.outcome):
        known = {*(analysis.catalogue.outcomes or ()), *RESERVED_OUTCOMES}
        message = f"catalog/outcomes.yaml has no outcome `{node.outcome}`"
        help = did_you_mean(node.outcome, known) or "Compliance adds outcomes to that file."
        found = error_at(CODE, node.place.at("outcome"), message, help)
        yield misspelt(found, node.outcome, known)


def _link(analysis: Analysis, node: LinkNode) -> Iterator[Finding]:
    tenant, place = analysis.inlined.tenant, node.place.at("flow")
    known = analysis.repository.flow_ids_of(tenant)
    if node.flow not in known:
        message = f"the tenant {tenant} has no flow `{node.flow}`"
        found = error_at(CODE, place, message, did_you_mean(node.flow, known))
        yield misspelt(found, node.flow, known)
        return
    target = analysis.repository.whole_flow(tenant, node.flow)
    if target is None:
        return
    taken = {**target.inputs, **target.slots}
    for name in node.bind:
        if name not in taken:
            message = f"`{name}` is neither an input nor a slot of {node.flow}"
            help = did_you_mean(name, taken)
            found = error_at(CODE, node.place.at("with", name).key, message, help)
            yield misspelt(found, name, taken.keys() - node.bind.keys())
    yield from _inputs(node, target, place)


def _inputs(node: LinkNode, target: Flow, place: Place) -> Iterator[Finding]:
    missing = tuple(
        name
        for name, declared in target.inputs.items()
        if name not in node.bind and not declared.optional
    )
    if missing:
        message = f"{node.flow} starts with the input {listed(missing)}, which is not given"
        yield error_at(CODE, place, message, f"Add `{missing[0]}: <value>` under `with`.")
