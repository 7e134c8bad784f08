"""TL304: a tool whose arguments no model can be held to.

Finds: in the `parameters` of a catalogue entry, keywords that constrained decoders refuse or leave
unenforced: `uniqueItems`, `contains`, `not`, `if`, `dependentRequired` and its like,
`propertyNames`, `unevaluatedProperties`, `patternProperties`, formats other than `date` and
`email`, patterns that look ahead or behind, and a `oneOf` whose branches no constant tells apart.

On the phone: one engine answers with an error and the agent falls silent; another ignores the
keyword and the model sends what the tool then turns down.

Fails:

    parameters:
      type: object
      properties:
        days: {type: array, uniqueItems: true, items: {type: string}}

Passes:

    parameters:
      type: object
      properties:
        days: {type: array, maxItems: 7, items: {type: string}}
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.model.place import Place
from trunkline.model.repository import Repository

CODE = "TL304"
# What the engines behind the usual model servers (llguidance, xgrammar, llama.cpp) do not enforce.
_REFUSED = frozenset(
    {
        *("uniqueItems", "contains", "minContains", "maxContains", "not", "if", "then", "else"),
        *("dependentRequired", "dependentSchemas", "dependencies", "propertyNames"),
        *("unevaluatedProperties", "unevaluatedItems", "patternProperties"),
    }
)
_FORMATS = frozenset({"date", "email"})
_LOOKAROUND = re.compile(r"\(\?[=!<]")
_SCHEMAS = ("items", "additionalProperties", "additionalItems")
_LISTS = ("anyOf", "allOf", "oneOf", "prefixItems")
_NAMED = ("properties", "$defs", "definitions")
_HELP = "Leave it out and let the tool check it: every answer is validated again before it runs."


def check_catalogue(repository: Repository) -> Iterator[Finding]:
    """Keywords of tool schemas that decoders do not enforce."""
    catalogue = repository.catalogue
    for id, entry in catalogue.entries.items():
        yield from _schema(entry.parameters, catalogue.places[id].at("parameters"))


def _schema(schema: Any, place: Place) -> Iterator[Finding]:
    if not isinstance(schema, Mapping):
        return
    for keyword in schema:
        if keyword in _REFUSED:
            message = f"constrained decoders do not enforce `{keyword}`"
            yield error_at(CODE, place.at(keyword).key, message, _HELP)
    format, pattern = schema.get("format"), schema.get("pattern")
    if isinstance(format, str) and format not in _FORMATS:
        message = f"constrained decoders do not know the format `{format}`"
        help = "Use a `pattern`; the formats `date` and `email` are known."
        yield error_at(CODE, place.at("format"), message, help)
    if isinstance(pattern, str) and _LOOKAROUND.search(pattern):
        message = "constrained decoders refuse a pattern that looks ahead or behind"
        yield error_at(CODE, place.at("pattern"), message, "Write it without `(?=`, `(?!`, `(?<`.")
    if "$ref" in schema and len(schema) > 1:
        message = "some constrained decoders ignore what stands beside `$ref`"
        yield error_at(CODE, place.at("$ref").key, message, "Let `$ref` stand alone.")
    if isinstance(schema.get("oneOf"), list) and not _are_told_apart(schema["oneOf"]):
        message = "constrained decoders refuse a `oneOf` whose branches can both fit"
        help = "Give each branch a property with another `const`, or write `anyOf`."
        yield error_at(CODE, place.at("oneOf").key, message, help)
    yield from _inner(schema, place)


def _inner(schema: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    for keyword in _SCHEMAS:
        yield from _schema(schema.get(keyword), place.at(keyword))
    for keyword in _LISTS:
        for index, inner in enumerate(schema.get(keyword, ())):
            yield from _schema(inner, place.at(keyword, index))
    for keyword in _NAMED:
        for name, inner in schema.get(keyword, {}).items():
            yield from _schema(inner, place.at(keyword, name))


def _are_told_apart(branches: Sequence[Any]) -> bool:
    """True if the branches have different types, or one required property with other constants."""
    if not all(isinstance(branch, Mapping) for branch in branches):
        return False
    types = [branch.get("type") for branch in branches]
    if len(set(map(repr, types))) == len(types) and all(isinstance(each, str) for each in types):
        # A whole number is a number, too.
        return not {"integer", "number"} <= set(types)
    names = [frozenset(branch.get("required", ())) for branch in branches]
    for name in sorted(frozenset.intersection(*names)) if names else ():
        constants = [_constants(branch.get("properties", {}).get(name, {})) for branch in branches]
        together = [value for values in constants for value in values]
        if all(constants) and len(set(together)) == len(together):
            return True
    return False


def _constants(schema: Any) -> list[str]:
    if not isinstance(schema, Mapping):
        return []
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return [repr(value) for value in values]
