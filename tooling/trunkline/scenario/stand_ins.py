"""Made-up values in the place of a person's: of the same type and shape, and nobody's."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from trunkline_runtime.table.parts import Slot

# Numbers of 555-01xx belong to nobody.
NUMBER = "+12025550143"
_OF_TYPE: Mapping[str, Any] = {
    "integer": 1,
    "number": 1.0,
    "boolean": False,
    "date": "2026-12-03",
    "time": "10:00",
    "datetime": "2026-12-03T10:00",
    "phone": NUMBER,
    "email": "jane@example.com",
}
_KEPT = frozenset({"integer", "number", "boolean", "date", "time", "datetime", "choice"})


def stand_in(name: str, slot: Slot, known: Any) -> Any:
    """What a scenario says in the place of a slot's value.

    A value that is no personal data and cannot be words of somebody's is kept.
    """
    if not slot.pii and slot.type in _KEPT and known is not None:
        return known
    if slot.choices:
        return slot.choices[0]
    return _OF_TYPE.get(slot.type) or shaped(str(known or "")) or _words(name)


def _words(name: str) -> str:
    if "name" in name:
        return "Jane Doe"
    return "20001" if "code" in name else "something"


def shaped(text: str) -> str:
    """A text of the same shape: `A-7731` becomes `A-1001`. Empty for one that was masked."""
    if "•" in text:
        return ""
    digits = itertools.cycle("1001")
    return "".join(
        next(digits)
        if each.isdigit()
        else ("A" if each.isupper() else "a")
        if each.isalpha()
        else each
        for each in text
    )


def results_of(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Results that fit a tool's schema, with every combination of its closed choices."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    names = [name for name in schema.get("required", properties) if name in properties]
    choices = [_values(properties[name]) for name in names]
    for values in itertools.islice(itertools.product(*choices), 200):
        yield dict(zip(names, values, strict=True))


def _values(schema: Mapping[str, Any]) -> list[Any]:
    if "enum" in schema:
        return list(schema["enum"])
    kind = schema.get("type")
    if kind == "boolean":
        return [True, False]
    if kind in ("integer", "number"):
        return [max(1, schema.get("minimum", 1))]
    if kind == "array":
        return [[]]
    if kind == "object":
        return [next(results_of(schema), {})]
    return [_text(schema.get("pattern", ""))]


def _text(pattern: str) -> str:
    known = {"^[A-Z]{3}$": "USD", "^cap_[a-z0-9]{8,40}$": "cap_00000001"}
    return known.get(pattern, "something")
