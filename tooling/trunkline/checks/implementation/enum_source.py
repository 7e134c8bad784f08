"""Enums that are filled at the start of a call: what can fill one, and where one may stand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.model.catalogue import Catalogue
from trunkline.model.place import Place
from trunkline_runtime.catalogue.entry import ENUM_FROM, ToolEntry

CODE = "TL304"
_WRITE = "Write the tool and the list in its result, such as `list_topics.topics`."


def faults_of_enums(entry: ToolEntry, catalogue: Catalogue) -> Iterator[Finding]:
    """Each `x-enum-from` of an entry that could not be filled. Unknown names are TL301 or TL103."""
    place = catalogue.places[entry.id].at("parameters")
    properties = entry.parameters.get("properties")
    for argument, schema in (properties if isinstance(properties, Mapping) else {}).items():
        if isinstance(schema, Mapping) and ENUM_FROM in schema:
            here = place.at("properties", argument)
            yield from _argument(schema, here)
            yield from _source(entry, schema[ENUM_FROM], here.at(ENUM_FROM), catalogue)
    for path in _elsewhere(entry.parameters, ()):
        message = f"`{ENUM_FROM}` fills the values of an argument, and of nothing inside one"
        help = "Put it on a property of `parameters` itself."
        yield error_at(CODE, place.at(*path).key, message, help)


def _argument(schema: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    if schema.get("type") != "string":
        message = f"`{ENUM_FROM}` fills the values of a text"
        yield error_at(CODE, place.at(ENUM_FROM).key, message, "Write `type: string` beside it.")
    if "enum" in schema:
        message = f"`enum` and `{ENUM_FROM}` stand together, and only one can say the values"
        yield error_at(CODE, place.at("enum").key, message, "Leave one of them out.")


def _source(entry: ToolEntry, source: Any, place: Place, catalogue: Catalogue) -> Iterator[Finding]:
    if not isinstance(source, str) or not all(source.split(".")) or "." not in source:
        yield error_at(CODE, place, f"`{source}` names no list in a tool's result", _WRITE)
        return
    filling = catalogue.entries.get(source.partition(".")[0])
    if filling is None:
        return
    needed = filling.parameters.get("required")
    if needed:
        message = f"{filling.id} runs before the first word, and nobody could give it {needed[0]}"
        yield error_at(CODE, place, message, "Name a tool without required arguments.")
    if filling.effects or filling.establishes or filling.revokes or "subagent" in filling.run:
        message = f"{filling.id} runs at the start of each call, and does more than read"
        help = "Name a tool without effects, which establishes and revokes nothing."
        yield error_at(CODE, place, message, help)
    if filling.enum_sources:
        message = f"{filling.id} takes values from another tool itself"
        yield error_at(CODE, place, message, "Name a tool whose arguments are plain.")


def _elsewhere(schema: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Where the keyword stands in a schema, but for the properties at its top."""
    at_argument = len(path) == 2 and path[0] == "properties"
    if isinstance(schema, Mapping):
        for key, inner in schema.items():
            if key == ENUM_FROM and not at_argument:
                yield (*path, key)
            yield from _elsewhere(inner, (*path, key))
    elif isinstance(schema, Sequence) and not isinstance(schema, str):
        for number, inner in enumerate(schema):
            yield from _elsewhere(inner, (*path, number))
