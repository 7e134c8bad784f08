"""The CEL type of everything that an expression may name."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from cel_expr_python import cel

CelType: TypeAlias = cel.Type

STRING, INT, DOUBLE, BOOL, DYN = (
    cel.Type.STRING,
    cel.Type.INT,
    cel.Type.DOUBLE,
    cel.Type.BOOL,
    cel.Type.DYN,
)

_DECLARED: dict[str, CelType] = {
    "string": STRING,
    "integer": INT,
    "number": DOUBLE,
    "boolean": BOOL,
    "date": STRING,
    "time": STRING,
    "datetime": STRING,
    "phone": STRING,
    "email": STRING,
    "choice": STRING,
}

_SCHEMA: dict[str, CelType] = {
    "string": STRING,
    "integer": INT,
    "number": DOUBLE,
    "boolean": BOOL,
}


def type_of_declaration(declared: str) -> CelType:
    """The CEL type of a slot, input or param of a declared type (`date` is an ISO string)."""
    return _DECLARED[declared]


def type_of_schema(schema: Mapping[str, Any]) -> CelType:
    """The CEL type of a JSON Schema; `dyn` where the schema leaves it open."""
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _SCHEMA:
        return _SCHEMA[kind]
    if kind == "array":
        items = schema.get("items")
        return cel.Type.List(type_of_schema(items) if isinstance(items, Mapping) else DYN)
    if kind == "object":
        return cel.Type.Map(STRING, DYN)
    enum = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if enum and all(isinstance(value, str) for value in enum):
        return STRING
    return DYN


def schema_names(prefix: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, CelType]]:
    """`(qualified name, type)` of each leaf of an object schema: `result.match`, `result.a.b`.

    An object that declares properties is named leaf by leaf, so that an unknown name is an error
    when it is compiled; one that declares none is a map.
    """
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        yield prefix, type_of_schema(schema)
        return
    for name, inner in properties.items():
        if isinstance(inner, Mapping):
            yield from schema_names(f"{prefix}.{name}", inner)


def call_names() -> Mapping[str, CelType]:
    """The names under `call.` with their types: the same on both sides."""
    return {
        "call.direction": STRING,
        "call.language": STRING,
        "call.outcome": STRING,
        "call.answered_by": STRING,
        "call.visits": INT,
        "call.minutes": INT,
        "call.party_hour": INT,
        "call.tenant_hour": INT,
        "call.tenant_open": BOOL,
    }
