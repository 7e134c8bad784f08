"""Names that a flow file gives to its own nodes, exits and params, and to shared flows."""

from collections.abc import Iterator, Mapping

from trunkline.checks.at import error_at, listed, misspelt
from trunkline.finding import Finding
from trunkline.graph.scope import EXIT
from trunkline.model.flow import Flow
from trunkline.model.nodes import SubflowNode
from trunkline.model.place import Place
from trunkline.model.repository import Repository
from trunkline.model.targets import targets
from trunkline.model.template import fields
from trunkline.model.texts import texts
from trunkline.nearest import did_you_mean
from trunkline_runtime.table.parts import Bound

CODE = "TL103"
_SHARED = "shared/"
_FEW = 8  # so many names can be told in one sentence


def names_of_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """Names that are wrong whoever uses the file."""
    yield from _targets(flow)
    yield from _params_in_texts(flow)
    for node in flow.nodes.values():
        if isinstance(node, SubflowNode):
            yield from _subflow(node, repository)
    if flow.use is not None:
        place = flow.place.at("use")
        used = repository.shared.get(flow.use.removeprefix(_SHARED))
        yield from _shared_flow(flow.use, place, repository, subflow=False)
        if used is not None and used.exits is None:
            yield from _given(flow.given, flow.place.at("with"), place, used)


def _targets(flow: Flow) -> Iterator[Finding]:
    for target, place in targets(flow):
        if target.startswith(EXIT):
            yield from _exit(flow, target, place)
        elif target == "back":
            message = "`back` is not a node: an aside (`return: true`) goes back by itself"
            yield error_at(CODE, place, message, "Name the node to go to.")
        elif target not in flow.nodes:
            message = f"`{target}` is not a node of this flow"
            found = error_at(CODE, place, message, _meant(target, flow.nodes, "The nodes are"))
            yield misspelt(found, target, flow.nodes)


def _exit(flow: Flow, target: str, place: Place) -> Iterator[Finding]:
    name = target.removeprefix(EXIT)
    if flow.exits is None:
        message = f"`{target}` leaves a shared sub-flow, and this flow is none"
        help = "Name a node; only a file in flows/shared/ with `exits` has exits to leave by."
        yield error_at(CODE, place, message, help)
    elif name not in flow.exits:
        message = f"this flow has no exit `{name}`"
        found = error_at(CODE, place, message, _meant(name, flow.exits, "Its `exits` are"))
        yield misspelt(found, name, flow.exits, EXIT)
    elif place.keys == ("start",):
        message = "a sub-flow cannot begin with its own exit"
        yield error_at(CODE, place, message, "Name the node to begin with.")


def _params_in_texts(flow: Flow) -> Iterator[Finding]:
    for text, place in texts(flow):
        for field in fields(text):
            parts = field.parts
            if field.is_name and parts[0] == "params" and parts[1] not in flow.params:
                message = f"`{field.name}` is not a param of this flow"
                yield error_at(CODE, place, message, _meant(parts[1], flow.params, "It has"))


def _subflow(node: SubflowNode, repository: Repository) -> Iterator[Finding]:
    place = node.place.at("flow")
    yield from _shared_flow(node.flow, place, repository, subflow=True)
    used = repository.shared.get(node.flow.removeprefix(_SHARED))
    if used is None or used.exits is None:
        return
    yield from _given(node.bind, node.place.at("with"), place, used)
    for name in node.exits:
        if name not in used.exits:
            message = f"{node.flow} has no exit `{name}`"
            help = _meant(name, used.exits, "Its exits are")
            found = error_at(CODE, node.place.at("exits", name).key, message, help)
            yield misspelt(found, name, set(used.exits) - node.exits.keys())
    missing = tuple(name for name in used.exits if name not in node.exits)
    if missing:
        message = f"nothing says where the exit {listed(missing)} of {node.flow} leads"
        help = f"Add `{missing[0]}: <node>` under `exits`."
        yield error_at(CODE, node.place.at("exits").key, message, help)


def _shared_flow(
    named: str, place: Place, repository: Repository, subflow: bool
) -> Iterator[Finding]:
    id = named.removeprefix(_SHARED)
    found = repository.shared.get(id)
    if found is None and id not in repository.unreadable_shared:
        known = [f"{_SHARED}{other}" for other in repository.shared]
        message = f"there is no flow {named}"
        help = _meant(named, known, "There are") or f"It would be flows/{named}.yaml."
        yield misspelt(error_at(CODE, place, message, help), named, known)
    elif found is not None and subflow and found.exits is None:
        message = f"{named} is a whole flow, and a subflow node needs one with `exits`"
        help = f"Give flows/{named}.yaml `exits`, or let a flow of its own say `use: {named}`."
        yield error_at(CODE, place, message, help)
    elif found is not None and not subflow and found.exits is not None:
        message = f"{named} is a sub-flow: it has `exits` and cannot be a whole call"
        help = f"Put it into a node: `kind: subflow`, `flow: {named}`."
        yield error_at(CODE, place, message, help)


def _given(given: Mapping[str, Bound], place: Place, use: Place, shared: Flow) -> Iterator[Finding]:
    """The params of a shared flow that it does not have, and those that are not given."""
    for name in given:
        if name not in shared.params:
            message = f"`{name}` is not a param of shared/{shared.id}"
            help = _meant(name, shared.params, "It has")
            finding = error_at(CODE, place.at(name).key, message, help)
            yield misspelt(finding, name, shared.params.keys() - given.keys())
    missing = tuple(name for name in shared.params if name not in given)
    if missing:
        message = f"the param {listed(missing)} of shared/{shared.id} is not given"
        yield error_at(CODE, use, message, f"Add `{missing[0]}: <value>` under `with`.")


def _meant(name: str, known: Mapping[str, object] | list[str] | tuple[str, ...], all: str) -> str:
    """The name that was meant, or all that there are if they are few."""
    nearest = did_you_mean(name, known)
    if nearest or not known or len(known) > _FEW:
        return nearest
    return f"{all} {listed(tuple(known))}."
