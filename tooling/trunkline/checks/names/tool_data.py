"""Names of a tool's arguments and results, where a flow binds them or chooses from them."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.checks.at import error_at, listed, misspelt
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.scope import Scope
from trunkline.model.catalogue import Catalogue
from trunkline.model.declaration import Declaration
from trunkline.model.nodes import TalkNode
from trunkline.model.place import Place
from trunkline.model.tool_use import ToolUse
from trunkline.nearest import did_you_mean
from trunkline_runtime.catalogue.entry import ENUM_FROM, ToolEntry

CODE = "TL103"


def names_of_tools(analysis: Analysis, scope: Scope) -> Iterator[Finding]:
    """Arguments that a tool does not have, and lists that choices cannot come from."""
    uses = list(scope.flow.after_call)
    for node in scope.flow.nodes.values():
        if isinstance(node, TalkNode):
            uses += node.tools
    for use in uses:
        entry = analysis.catalogue.entries.get(use.id)
        if entry is not None:
            yield from _arguments(entry, use)
    for slot in scope.flow.slots.values():
        yield from _choices(analysis, slot)


def names_of_entry(entry: ToolEntry, catalogue: Catalogue) -> Iterator[Finding]:
    """Facts and arguments that an entry of the catalogue names and that do not exist."""
    place = catalogue.places[entry.id]
    if catalogue.facts is not None:
        named = [(fact, place.at("establishes", fact).key) for fact in entry.establishes]
        revoked = entry.document.get("revokes", ())
        named += [(fact, place.at("revokes", index)) for index, fact in enumerate(revoked)]
        for fact, where in named:
            if fact not in catalogue.facts:
                message = f"catalog/facts.yaml has no fact `{fact}`"
                help = did_you_mean(fact, catalogue.facts) or f"Add `{fact}` to that file."
                yield error_at(CODE, where, message, help)
    known: Mapping[str, Any] = entry.parameters.get("properties", {})
    for index, argument in enumerate(entry.spoken):
        if argument not in known:
            message = f"the tool {entry.id} has no argument `{argument}`"
            help = did_you_mean(argument, known)
            yield error_at(CODE, place.at("spoken", index), message, help)
    for argument, source in entry.enum_sources.items():
        where = place.at("parameters", "properties", argument, ENUM_FROM)
        if "." in source:  # else it is a TL304
            yield from _list_in_result(catalogue, source, where)


def _arguments(entry: ToolEntry, use: ToolUse) -> Iterator[Finding]:
    if entry.parameters.get("additionalProperties", False) is not False:
        return
    known: Mapping[str, Any] = entry.parameters.get("properties", {})
    for argument in use.bind:
        if argument not in known:
            message = f"the tool {entry.id} has no argument `{argument}`"
            few = f"It has {listed(tuple(known))}." if known else "It takes no arguments."
            help = did_you_mean(argument, known) or few
            found = error_at(CODE, use.place.at("with", argument).key, message, help)
            yield misspelt(found, argument, known.keys() - use.bind.keys())


def _choices(analysis: Analysis, slot: Declaration) -> Iterator[Finding]:
    """A tool that is not in the catalogue at all is a TL301."""
    if slot.choices_from is None:
        return
    tool = slot.choices_from.split(".")[0]
    entry = analysis.catalogue.entries.get(tool)
    place = slot.place.at("choices_from")
    if entry is None:
        return
    if tool not in {use.id for _, use in analysis.inlined.uses()}:
        message = f"no node of this flow has the tool {tool}, so `{slot.name}` has no choices"
        yield error_at(CODE, place, message, f"Add {tool} to the tools of the node that asks.")
    yield from _list_in_result(analysis.catalogue, slot.choices_from, place)


def _list_in_result(catalogue: Catalogue, source: str, place: Place) -> Iterator[Finding]:
    """Whether `<tool>.<path>` is a list in the result of a tool that the catalogue has."""
    tool, *path = source.split(".")
    entry = catalogue.entries.get(tool)
    if entry is None:
        return
    schema: Any = entry.result
    for step in path:
        known = schema.get("properties") if isinstance(schema, Mapping) else None
        if not known:
            return
        if step not in known:
            message = f"the result of {tool} has no `{step}`"
            help = did_you_mean(step, known) or f"It has {listed(tuple(known))}."
            yield error_at(CODE, place, message, help)
            return
        schema = known[step]
    if isinstance(schema, Mapping) and schema.get("type", "array") != "array":
        message = f"`{source}` is not a list, so nobody can choose from it"
        yield error_at(CODE, place, message, "Name a list in the result of the tool.")
