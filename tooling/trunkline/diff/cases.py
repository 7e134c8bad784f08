"""Which results a condition lets through: told where an entry's schemas name all the values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from trunkline.diff.phrases import joined, ticked
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import (
    Expression,
    ExpressionError,
    compile_expression,
    schema_names,
)

Case = tuple[tuple[str, Any], ...]  # (name, value) of everything that a condition reads
_MOST_CASES = 512


@dataclass(frozen=True)
class Moved:
    """How the cases in which a condition holds moved, and the cases that are new or gone, in
    words (empty where they cannot be named). `same` is told only where all can be named."""

    way: Literal["loosened", "tightened", "changed", "same"]
    opened: str = ""
    closed: str = ""


def moved(before: str, after: str, old: ToolEntry, new: ToolEntry) -> Moved:
    """How a condition over `args` and `result` moved from one version of an entry to another."""
    values = {**_values(old), **_values(new)}
    one, other = _compiled(before, old), _compiled(after, new)
    if one is None or other is None:
        return Moved("changed")
    names = sorted(one.names | other.names)
    if any(name not in values for name in names):
        return Moved("changed")
    cases = list(_cases(names, values))
    if not cases:
        return Moved("changed")
    opened = [case for case in cases if other.holds(dict(case)) and not one.holds(dict(case))]
    closed = [case for case in cases if one.holds(dict(case)) and not other.holds(dict(case))]
    if opened and closed:
        return Moved("changed", _told(opened), _told(closed))
    if opened:
        return Moved("loosened", opened=_told(opened))
    return Moved("tightened", closed=_told(closed)) if closed else Moved("same")


def _compiled(text: str, entry: ToolEntry) -> Expression | None:
    declared = dict(schema_names("result", entry.document.get("result", {})))
    declared |= schema_names("args", entry.document.get("parameters", {}))
    try:
        return compile_expression(text, declared)
    except ExpressionError:
        return None


def _values(entry: ToolEntry) -> dict[str, tuple[Any, ...]]:
    """Every name whose values the schemas list: enums and booleans."""
    return {
        **dict(_listed("result", entry.document.get("result", {}))),
        **dict(_listed("args", entry.document.get("parameters", {}))),
    }


def _listed(prefix: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for name, inner in schema.get("properties", {}).items():
        if not isinstance(inner, Mapping):
            continue
        if isinstance(inner.get("enum"), list):
            yield f"{prefix}.{name}", tuple(inner["enum"])
        elif inner.get("type") == "boolean":
            yield f"{prefix}.{name}", (True, False)
        yield from _listed(f"{prefix}.{name}", inner)


def _cases(names: list[str], values: Mapping[str, tuple[Any, ...]]) -> Iterator[Case]:
    size = 1
    for name in names:
        size *= len(values[name])
    if size <= _MOST_CASES:
        for chosen in product(*(values[name] for name in names)):
            yield tuple(zip(names, chosen, strict=True))


def _told(cases: list[Case]) -> str:
    """The first few cases, as ``match` is `partial``, and how many more there are."""
    told = [joined([f"{ticked(_short(name))} is {_value(value)}" for name, value in case])
            for case in cases[:3]]  # fmt: skip
    more = f", or in {len(cases) - 3} more cases" if len(cases) > 3 else ""
    return f"{', or '.join(told)}{more}"


def _short(name: str) -> str:
    return name.partition(".")[2]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ticked(str(value))
