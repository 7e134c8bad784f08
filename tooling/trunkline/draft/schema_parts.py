"""The parts that answer schemas are made of: only keywords that constrained decoders enforce.

Enforced by llguidance, xgrammar and llama.cpp alike: enum, const, required, additionalProperties:
false, minItems, maxItems, minLength, maxLength, pattern, anyOf and $ref. Every property is
required, so that an answer says `null` or `[]` where there is nothing: strict servers ask for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]

NULL: Schema = {"type": "null"}
NAME: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,30}$"}
TYPES = ("string", "integer", "number", "boolean", "date", "time", "datetime", "phone", "email")


@dataclass(frozen=True)
class Limits:
    """How much an answer may hold: counts, and characters of a text or an expression."""

    steps: int = 24
    data: int = 20
    edges: int = 8
    tools: int = 8
    gaps: int = 8
    text: int = 600
    expression: int = 160


def text(longest: int) -> Schema:
    """A text that says something."""
    return {"type": "string", "minLength": 1, "maxLength": longest}


def one_of(names: Sequence[str]) -> Schema:
    """One name of a closed list, which must not be empty."""
    return {"type": "string", "enum": list(names)}


def or_null(schema: Schema) -> Schema:
    """The schema, or `null` for nothing."""
    return {"anyOf": [schema, NULL]}


def some_of(names: Sequence[str], most: int) -> Schema | None:
    """A list out of a closed list; None where there is nothing to choose from."""
    return listed(one_of(names), most) if names else None


def listed(item: Schema, most: int, least: int = 0) -> Schema:
    """A list of so many items."""
    schema: Schema = {"type": "array", "items": item, "maxItems": most}
    return {**schema, "minItems": least} if least else schema


def closed(properties: Mapping[str, Schema | None]) -> Schema:
    """An object with these properties, all of them, in this order; None leaves one out."""
    kept = {name: schema for name, schema in properties.items() if schema is not None}
    return {
        "type": "object",
        "properties": kept,
        "required": list(kept),
        "additionalProperties": False,
    }
