"""Whether the value of an expression, or a literal, fits the place that it is given to."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from trunkline.model.declaration import Declaration
from trunkline_runtime.expression import (
    Expression,
    compile_expression,
    type_of_declaration,
    type_of_schema,
)
from trunkline_runtime.expression.lexer import LONGEST
from trunkline_runtime.schema.accepting import surely_fits

_WORDS = {
    "STRING": "text",
    "INT": "a whole number",
    "DOUBLE": "a number",
    "BOOL": "a yes/no value",
}
_MATCHED = {f"args.{name}": type_of_declaration("string") for name in ("text", "pattern")}


def words_of(type_name: str) -> str:
    """A CEL type as an operator says it."""
    if type_name.startswith("LIST"):
        return "a list"
    if type_name.startswith("MAP"):
        return "a group of values"
    return _WORDS.get(type_name, type_name.lower())


def fits_schema(expression: Expression, schema: Mapping[str, Any]) -> bool:
    """True if the type may be what the JSON Schema of an argument asks for.

    A whole number is a number; an expression without names is a constant and must fit entirely.
    """
    types = schema.get("type")
    wanted = [type_of_schema({**schema, "type": each}).name() for each in _listed(types)]
    if not wanted:
        wanted = [type_of_schema(schema).name()]
    return any(_is(expression.type_name, each, schema) for each in wanted)


def fits_declaration(expression: Expression, declared: Declaration, whole_is_number: bool) -> bool:
    """True if the type is that of the slot, input or param.

    `whole_is_number` is false for params: they are put into expressions, where CEL keeps the two
    kinds of number apart.
    """
    wanted = type_of_declaration(declared.type).name()
    given = expression.type_name
    return given in (wanted, "DYN") or (whole_is_number and (given, wanted) == ("INT", "DOUBLE"))


def literal_fits_schema(value: object, schema: Mapping[str, Any]) -> bool:
    """True if a value that is known now fits the JSON Schema of an argument.

    Where the schema itself is at fault, which is told there, the value fits.
    """
    pattern = schema.get("pattern")
    if isinstance(value, str) and isinstance(pattern, str) and not _matches(value, pattern):
        return False
    rest = _without_patterns(schema)
    if surely_fits(rest, value):
        return True
    import jsonschema  # loading it takes as long as a flow or two
    from referencing.exceptions import Unresolvable

    try:
        return bool(jsonschema.Draft7Validator(rest).is_valid(value))
    # A reference that leads nowhere, or to itself.
    except (jsonschema.exceptions.SchemaError, Unresolvable, RecursionError):
        return True


@lru_cache(maxsize=1000)  # the flows of a repository give their tools the same few texts
def _matches(text: str, pattern: str) -> bool:
    """Whether a pattern is found in a text, by an engine that no pattern keeps busy.

    It reads letters beyond ASCII and some signs otherwise than Python: such a text fits.
    """
    if not text.isascii() or len(text) > LONGEST or len(pattern) > LONGEST:
        return True
    try:
        return _matcher().value({"args.text": text, "args.pattern": pattern}) is True
    except ValueError:
        return True


@cache
def _matcher() -> Expression:
    return compile_expression("args.text.matches(args.pattern)", _MATCHED)


def _without_patterns(schema: Any) -> Any:
    if isinstance(schema, Mapping):
        kept = (each for each in schema.items() if each[0] not in ("pattern", "patternProperties"))
        return {key: _without_patterns(inner) for key, inner in kept}
    return [_without_patterns(inner) for inner in schema] if isinstance(schema, list) else schema


def literal_fits_declaration(value: object, declared: Declaration) -> bool:
    """True if a value that is known now fits the type of a slot, input or param."""
    if isinstance(value, bool):
        return declared.type == "boolean"
    if isinstance(value, int | float):
        whole = isinstance(value, int) or value.is_integer()
        return declared.type == "number" or (declared.type == "integer" and whole)
    if declared.choices:
        return value in declared.choices
    return declared.type not in ("boolean", "integer", "number")


def _listed(types: object) -> list[str]:
    if isinstance(types, str):
        return [types]
    return [each for each in types if isinstance(each, str)] if isinstance(types, list) else []


def _is(given: str, wanted: str, schema: Mapping[str, Any]) -> bool:
    if given in (wanted, "DYN") or wanted == "DYN" or (given, wanted) == ("INT", "DOUBLE"):
        return True
    if wanted.startswith("LIST"):
        return given.startswith("LIST") and ("DYN" in given + wanted or given == wanted)
    return wanted.startswith("MAP") and given.startswith("MAP")
