"""What a call knows while it walks over a node table: slots, facts, and what ends them.

Written from the Semantics alone, apart from the runtime: what the compiler proves is held against
this, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import (
    CelType,
    Expression,
    call_names,
    compile_expression,
    schema_names,
    type_of_declaration,
)

Json = Any
VALUES: Mapping[str, tuple[Json, ...]] = {
    "string": ("A-1", "Jane Doe", "20001"),
    "date": ("2026-12-01", "2026-12-02"),
    "number": (0.0, 12.5),
}


@dataclass
class Pending:
    """A tool that has started: its arguments' slots, and what has happened since."""

    use: Mapping[str, Json]
    entry: ToolEntry
    args: Mapping[str, Json]
    slots: frozenset[str]
    started: int
    spoken: bool


@dataclass
class Knowledge:
    """Slots with their values, facts with the slots that they rest on, and a clock of changes."""

    table: Mapping[str, Json]
    facts_known: frozenset[str]
    slots: dict[str, Json] = field(default_factory=dict)
    declined: set[str] = field(default_factory=set)
    facts: dict[str, frozenset[str]] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    filled_by_tools: set[str] = field(default_factory=set)
    tick: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    revoked: dict[str, int] = field(default_factory=dict)
    minutes: int = 0
    visits: int = 0

    def set(self, slot: str, value: Json) -> None:
        """A slot gets a value; a new one ends the facts that rest on it."""
        before = self.slots.get(slot)
        self.slots[slot] = value
        self.declined.discard(slot)
        if before is not None and before != value:
            self._change(slot)

    def unset(self, slot: str) -> None:
        self.declined.discard(slot)
        if self.slots.pop(slot, None) is not None:
            self._change(slot)

    def _change(self, slot: str) -> None:
        self.tick += 1
        self.changed[slot] = self.tick
        for fact in [fact for fact, rests in self.facts.items() if slot in rests]:
            del self.facts[fact]

    def start(self, use: Mapping[str, Json], entry: ToolEntry, chance: Random) -> Pending:
        """A tool starts: what it revokes ends, what it sets is unset."""
        args: dict[str, Json] = {}
        rests: set[str] = set()
        spoken = all(argument in use.get("with", {}) for argument in entry.spoken)
        for argument, bound in use.get("with", {}).items():
            expression = self.expression(bound) if isinstance(bound, str) else None
            args[argument] = bound if expression is None else expression.value(self.values())
            read = expression.slots if expression is not None else frozenset()
            rests |= read
            if argument in entry.spoken:
                names = expression.names if expression is not None else frozenset()
                only = all(name.startswith("slots.") for name in names) and bool(names)
                spoken = spoken and only and not read & self.filled_by_tools
        for argument, schema in entry.parameters.get("properties", {}).items():
            if argument not in args:
                args[argument] = 1.0 if schema.get("type") == "number" else "word"
        self.tick += 1
        pending = Pending(use, entry, args, frozenset(rests), self.tick, spoken)
        for fact in entry.revokes:
            self.facts.pop(fact, None)
            self.revoked[fact] = self.tick
        for slot in use.get("sets", {}):
            self.unset(slot)
        return pending

    def settle(self, done: Pending, result: Mapping[str, Json] | None) -> None:
        """A result arrives, or None where the tool failed."""
        if result is None:
            self.failed.add(done.entry.id)
            return
        self.failed.discard(done.entry.id)
        both = {**_flat("args", done.args), **_flat("result", result)}
        declared = {
            **dict(schema_names("args", done.entry.parameters)),
            **dict(schema_names("result", done.entry.result)),
        }
        for fact, condition in done.entry.establishes.items():
            holds = _compiled(condition, declared).holds(both)
            overtaken = self.revoked.get(fact, 0) > done.started or any(
                self.changed.get(slot, 0) > done.started for slot in done.slots
            )
            if holds and done.spoken and not overtaken:
                self.facts[fact] = done.slots
        for slot, value in done.use.get("sets", {}).items():
            self.set(slot, _compiled(value, declared).value(both))
            self.filled_by_tools.add(slot)

    def expression(self, text: str) -> Expression:
        return _compiled(text, self._declared())

    def holds(self, edge: Mapping[str, Json]) -> bool:
        """Whether the `requires` and `if` of an exit hold."""
        for name in edge.get("requires", ()):
            slot = name.removeprefix("slots.")
            if (slot not in self.slots) if slot != name else (name not in self.facts):
                return False
        return "if" not in edge or self.expression(edge["if"]).holds(self.values())

    def values(self) -> dict[str, Json]:
        known: dict[str, Json] = {f"slots.{name}": value for name, value in self.slots.items()}
        known |= {f"facts.{fact}": fact in self.facts for fact in self.facts_known}
        known |= {f"inputs.{name}": "A-1" for name in self.table.get("inputs", {})}
        known |= {f"failed.{tool}": tool in self.failed for tool in self.table.get("tools", {})}
        known |= {"call.minutes": self.minutes, "call.visits": self.visits}
        return known

    def _declared(self) -> dict[str, CelType]:
        boolean = type_of_declaration("boolean")
        names = {
            f"{root}.{name}": type_of_declaration(declared["type"])
            for root in ("slots", "inputs")
            for name, declared in self.table.get(root, {}).items()
        }
        names |= {f"facts.{fact}": boolean for fact in self.facts_known}
        names |= {f"failed.{tool}": boolean for tool in self.table.get("tools", {})}
        return {**names, **call_names()}


_known: dict[tuple[str, tuple[str, ...]], Expression] = {}


def _compiled(text: str, declared: Mapping[str, CelType]) -> Expression:
    key = (text, tuple(sorted(f"{name} {kind.name()}" for name, kind in declared.items())))
    if key not in _known:
        _known[key] = compile_expression(text, declared)
    return _known[key]


def _flat(prefix: str, value: Mapping[str, Json]) -> dict[str, Json]:
    flat: dict[str, Json] = {}
    for name, inner in value.items():
        flat[f"{prefix}.{name}"] = inner
        if isinstance(inner, Mapping):
            flat |= _flat(f"{prefix}.{name}", inner)
    return flat
