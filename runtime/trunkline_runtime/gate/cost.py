"""What a call of a tool can cost at most, in micro-units, from its catalogue entry."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import (
    EvaluationError,
    Expression,
    ExpressionError,
    Unset,
    compile_expression,
    schema_names,
)
from trunkline_runtime.table.canonical import Json, canonical_bytes


class Uncountable(ValueError):
    """A cost that cannot be told, or that passes the entry's own maximum."""


@dataclass(frozen=True)
class Amount:
    """Integer micro-units of a currency."""

    micros: int
    currency: str


def worst_cost(entry: ToolEntry, args: Mapping[str, Json]) -> Amount | None:
    """The cost of one call with these arguments, or None for a free tool. Raises Uncountable."""
    cost = entry.cost
    if cost is None:
        return None
    if cost.expression is None:
        return Amount(cost.worst_micros, cost.currency)
    try:
        expression = _compiled(cost.expression, canonical_bytes(dict(entry.parameters)))
        value = expression.value(_flattened("args", args))
    except (ExpressionError, Unset, EvaluationError):
        raise Uncountable("the cost cannot be computed from these arguments") from None
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
        raise Uncountable("the cost is no amount")
    micros = int(value)
    if micros != value or micros > cost.worst_micros:
        raise Uncountable("the cost passes the maximum that the catalogue gives")
    return Amount(micros, cost.currency)


def _flattened(prefix: str, value: Json) -> dict[str, object]:
    if not isinstance(value, Mapping):
        return {prefix: value}
    names: dict[str, object] = {prefix: value}
    for key, inner in value.items():
        names.update(_flattened(f"{prefix}.{key}", inner))
    return names


@lru_cache(maxsize=256)
def _compiled(text: str, parameters: bytes) -> Expression:
    return compile_expression(text, dict(schema_names("args", json.loads(parameters))))
