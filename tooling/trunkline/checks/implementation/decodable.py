"""Schemas that constrained decoders enforce: which keywords, and what they may hold."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.checks.at import error_at
from trunkline.checks.implementation.branches import are_told_apart
from trunkline.checks.implementation.pattern import refused
from trunkline.finding import Finding
from trunkline.model.place import Place
from trunkline.nearest import did_you_mean

CODE = "TL304"
# Enforced by the engines behind the usual model servers (llguidance and xgrammar); what is not in
# this list one of them refuses, and another one ignores without a word.
_ENFORCED = frozenset(
    {
        *("type", "enum", "const", "required", "properties", "additionalProperties"),
        *("items", "minItems", "maxItems", "prefixItems", "$defs", "definitions", "$ref"),
        *("anyOf", "oneOf", "pattern", "minLength", "maxLength", "format", "minimum", "maximum"),
        *("exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    }
)
# They constrain nothing.
_REMARKS = frozenset(
    {
        *("title", "description", "default", "examples", "$schema", "$id", "$comment"),
        *("readOnly", "writeOnly", "deprecated"),
    }
)
_FORMATS = frozenset({"date", "email"})
_LISTS = ("anyOf", "oneOf", "prefixItems")
_NAMED = ("properties", "$defs", "definitions")
_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("exclusiveMinimum", "exclusiveMaximum"),
)
_HELP = "Leave it out and let the tool check it: every answer is validated again before it runs."


def faults_of_schema(schema: Any, place: Place, root: Any = None) -> Iterator[Finding]:
    """What a model that is constrained by the schema would not be held to.

    `root` is the schema that `$ref` points into: the outermost one if it is not given.
    """
    if schema is False:
        yield error_at(CODE, place, "nothing fits the schema `false`", "Leave the property out.")
    if not isinstance(schema, Mapping):
        return
    root = schema if root is None else root
    for keyword in schema:
        if keyword not in _ENFORCED | _REMARKS and not keyword.startswith("x-"):
            message = f"constrained decoders do not enforce `{keyword}`"
            nearest = did_you_mean(keyword, _ENFORCED - {"$defs", "$ref"})
            yield error_at(CODE, place.at(keyword).key, message, nearest or _HELP)
    yield from _values(schema, place)
    yield from _reference(schema, place, root)
    yield from _nothing_fits(schema, place)
    yield from _inner(schema, place, root)


def _values(schema: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    format, pattern = schema.get("format"), schema.get("pattern")
    if isinstance(format, str) and format not in _FORMATS:
        message = f"constrained decoders do not know the format `{format}`"
        help = "Use a `pattern`; the formats `date` and `email` are known."
        yield error_at(CODE, place.at("format"), message, help)
    against = refused(pattern) if isinstance(pattern, str) else None
    if against is not None:
        message = f"constrained decoders refuse this pattern: in it stands {against}"
        yield error_at(CODE, place.at("pattern"), message, "Write it without.")
    if isinstance(schema.get("additionalProperties"), Mapping):
        message = "constrained decoders do not hold further properties to a schema"
        help = "Name the properties, and write `additionalProperties: false`."
        yield error_at(CODE, place.at("additionalProperties").key, message, help)
    if isinstance(schema.get("items"), list):
        message = "a list of schemas under `items` is not enforced"
        yield error_at(CODE, place.at("items").key, message, "Write `prefixItems`.")
    if isinstance(schema.get("oneOf"), list) and not are_told_apart(schema["oneOf"]):
        message = "constrained decoders refuse a `oneOf` whose branches can both fit"
        help = "Give each branch a property with another `const`, or write `anyOf`."
        yield error_at(CODE, place.at("oneOf").key, message, help)


def _reference(schema: Mapping[str, Any], place: Place, root: Any) -> Iterator[Finding]:
    pointer = schema.get("$ref")
    if not isinstance(pointer, str):
        return
    if not schema.keys() <= _REMARKS | {"$ref", "$defs", "definitions"}:
        message = "some constrained decoders ignore what stands beside `$ref`"
        yield error_at(CODE, place.at("$ref").key, message, "Let `$ref` stand alone.")
    found: Any = root if pointer.startswith("#") else None
    for step in pointer.removeprefix("#").strip("/").split("/") if pointer != "#" else ():
        step = step.replace("~1", "/").replace("~0", "~")
        found = found.get(step) if isinstance(found, Mapping) else None
    if found is None:
        message = f"`{pointer}` leads nowhere in this schema"
        yield error_at(CODE, place.at("$ref"), message, 'Write it as "#/$defs/<name>".')


def _nothing_fits(schema: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    for low, high in _BOUNDS:
        least, most = schema.get(low, 0), schema.get(high, 0)
        if low in schema and high in schema and least > most:
            message = f"nothing fits: `{low}` is more than `{high}`"
            yield error_at(CODE, place.at(low), message)
    if schema.get("enum") == []:
        yield error_at(CODE, place.at("enum"), "nothing fits an empty `enum`")
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and schema.get("additionalProperties") is not True:
        for index, name in enumerate(schema.get("required", ())):
            if name not in properties:
                message = f"`{name}` is required, and no property has that name"
                help = did_you_mean(name, properties)
                yield error_at(CODE, place.at("required", index), message, help)


def _inner(schema: Mapping[str, Any], place: Place, root: Any) -> Iterator[Finding]:
    yield from faults_of_schema(schema.get("items"), place.at("items"), root)
    for keyword in _LISTS:
        for index, inner in enumerate(schema.get(keyword, ())):
            yield from faults_of_schema(inner, place.at(keyword, index), root)
    for keyword in _NAMED:
        for name, inner in schema.get(keyword, {}).items():
            yield from faults_of_schema(inner, place.at(keyword, name), root)
