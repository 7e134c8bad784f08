"""One tool of the catalogue, as compliance wrote it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from trunkline_runtime.table.canonical import canonical_bytes, digest

# What a catalogue entry means where it says nothing; schemas/tool.schema.json states the same.
DEFAULT_TIMEOUT_SECONDS = 10.0
DEFAULT_RETRIES = 0
DEFAULT_SUBAGENT_STEPS = 4
# A subagent may call several tools at once; more than this in a step, on average, is refused.
SUBAGENT_CALLS_A_STEP = 4
# On a property of `parameters`: `<tool>.<path in its result>`, the list that its values come from.
ENUM_FROM = "x-enum-from"


def with_needed(entries: Mapping[str, "ToolEntry"], tools: Iterable[str]) -> frozenset[str]:
    """The tools, and all that they need, however far off; those that no entry describes too."""
    found, waiting = set[str](), list(tools)
    while waiting:
        tool = waiting.pop()
        if tool not in found:
            found.add(tool)
            waiting += entries[tool].needs if tool in entries else ()
    return frozenset(found)


def run_by(entries: Mapping[str, "ToolEntry"], tool: str) -> tuple["ToolEntry", ...]:
    """The entry of a tool, and those of all tools that its subagent may run in its turn."""
    found: dict[str, ToolEntry] = {}
    waiting = [tool]
    for each in waiting:
        if each in entries and each not in found:
            found[each] = entries[each]
            waiting += entries[each].nested_calls
    return tuple(found.values())


@dataclass(frozen=True)
class Cost:
    """What one call of a tool costs, in integer micro-units of `currency`.

    `micros` is a fixed cost; `expression` (CEL over `args`) computes it, at most `max_micros`.
    """

    currency: str
    micros: int | None = None
    expression: str | None = None
    max_micros: int | None = None

    @property
    def worst_micros(self) -> int:
        """The most that one call can cost."""
        return self.micros if self.micros is not None else self.max_micros or 0

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Cost":
        return cls(
            currency=document["currency"],
            micros=document.get("micros"),
            expression=document.get("expression"),
            max_micros=document.get("max"),
        )


@dataclass(frozen=True)
class ToolEntry:
    """A catalogue entry. `parameters` and `result` are JSON Schemas of objects.

    `establishes` maps a fact to the CEL condition (over `args`, `result`) that makes it true;
    `revokes` are the facts that end when the tool starts; `spoken` are the arguments that must
    come from what the caller said; `subject` (CEL) says whom the facts are about.
    """

    id: str
    connection: str
    description: str
    parameters: Mapping[str, Any]
    result: Mapping[str, Any]
    effects: frozenset[str]
    spoken: tuple[str, ...]
    subject: str | None
    establishes: Mapping[str, str]
    revokes: frozenset[str]
    cost: Cost | None
    timeout_seconds: float
    retries: int
    idempotent: bool
    run: Mapping[str, Any]
    document: Mapping[str, Any]

    @classmethod
    def from_document(cls, connection: str, document: Mapping[str, Any]) -> "ToolEntry":
        """The entry that a file under `catalog/tools/<connection>/` or a release holds.

        The document has been checked against `tool.schema.json`; a `connection` key in it (a
        release writes one) is left out of `document`.
        """
        own = {key: value for key, value in document.items() if key != "connection"}
        cost = own.get("cost")
        return cls(
            id=own["id"],
            connection=connection,
            description=own["description"],
            parameters=own["parameters"],
            result=own["result"],
            effects=frozenset(own.get("effects", ())),
            spoken=tuple(own.get("spoken", ())),
            subject=own.get("subject"),
            establishes=dict(own.get("establishes", {})),
            revokes=frozenset(own.get("revokes", ())),
            cost=Cost.from_document(cost) if cost is not None else None,
            timeout_seconds=float(own.get("timeout_seconds", DEFAULT_TIMEOUT_SECONDS)),
            retries=own.get("retries", DEFAULT_RETRIES),
            idempotent=own.get("idempotent", False),
            run=own["run"],
            document=own,
        )

    @property
    def nested_calls(self) -> Mapping[str, int]:
        """The tools that a subagent may use, each with how often it may do so in one call."""
        says = self.run.get("subagent", {})
        most = says.get("max_steps", DEFAULT_SUBAGENT_STEPS) * SUBAGENT_CALLS_A_STEP
        return dict.fromkeys(says.get("tools", ()), most)

    @property
    def enum_sources(self) -> Mapping[str, str]:
        """Arguments whose values are a list in another tool's result: name → `<tool>.<path>`."""
        return {
            name: schema[ENUM_FROM]
            for name, schema in self.parameters.get("properties", {}).items()
            if isinstance(schema, Mapping) and isinstance(schema.get(ENUM_FROM), str)
        }

    @property
    def needs(self) -> frozenset[str]:
        """The tools without which this one cannot run: those it uses, and those that fill enums."""
        sources = (source.partition(".")[0] for source in self.enum_sources.values())
        return frozenset((*self.nested_calls, *sources))

    @cached_property
    def canonical(self) -> bytes:
        """RFC 8785 bytes of the entry with its connection: a layer of a release."""
        return canonical_bytes({**self.document, "connection": self.connection})

    @cached_property
    def digest(self) -> str:
        """Digest of `canonical`: what a node table's `tools` names."""
        return digest(self.canonical)
