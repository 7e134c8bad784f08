"""The parts of a node table that nodes are made of: slots, edges, tool uses, silence, limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# What a flow means where it says nothing (design, Semantics 7 and the flow file).
DEFAULT_MAX_CALLS = 3
DEFAULT_SILENCE_SECONDS = 8.0
DEFAULT_SILENCE_TIMES = 2
DEFAULT_MAX_VISITS = 10
DEFAULT_MAX_MINUTES = 30.0
DEFAULT_CONFIRM_TIMES = 2

Literal = bool | int | float
Bound = str | Literal  # a CEL expression, or a literal number or boolean


@dataclass(frozen=True)
class Slot:
    """A typed slot, input or param as declared."""

    type: str
    ask: str | None = None
    description: str | None = None
    pattern: str | None = None
    choices: tuple[str, ...] = ()
    choices_from: str | None = None
    optional: bool = False
    pii: bool = False

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Slot":
        return cls(**{**value, "choices": tuple(value.get("choices", ()))})


@dataclass(frozen=True)
class Edge:
    """An exit. `condition` is the CEL text of `if`; `asks_model` tells the two kinds apart."""

    to: str
    when: str | None = None
    condition: str | None = None
    requires: tuple[str, ...] = ()
    otherwise: bool = False
    say: str | None = None
    correction: bool = False
    clears: tuple[str, ...] = ()

    @property
    def asks_model(self) -> bool:
        """True for an exit that the model chooses (`when`), false for the runtime's own."""
        return self.when is not None

    @property
    def required_facts(self) -> tuple[str, ...]:
        return tuple(name for name in self.requires if not name.startswith("slots."))

    @property
    def required_slots(self) -> tuple[str, ...]:
        return tuple(name[6:] for name in self.requires if name.startswith("slots."))

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Edge":
        return cls(
            to=value["to"],
            when=value.get("when"),
            condition=value.get("if"),
            requires=tuple(value.get("requires", ())),
            otherwise=value.get("else", False),
            say=value.get("say"),
            correction=value.get("correction", False),
            clears=tuple(value.get("clears", ())),
        )


@dataclass(frozen=True)
class ToolUse:
    """A tool as one node grants it: bound arguments, what its result sets, how often."""

    id: str
    bind: Mapping[str, Bound]
    sets: Mapping[str, Bound]
    condition: str | None = None
    once: bool = False
    max_calls: int = DEFAULT_MAX_CALLS

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "ToolUse":
        return cls(
            id=value["id"],
            bind=dict(value.get("with", {})),
            sets=dict(value.get("sets", {})),
            condition=value.get("if"),
            once=value.get("once", False),
            max_calls=value.get("max_calls", DEFAULT_MAX_CALLS),
        )


@dataclass(frozen=True)
class Silence:
    """What happens while the caller says nothing; `to` is None for the outcome `abandoned`."""

    after_seconds: float = DEFAULT_SILENCE_SECONDS
    say: str | None = None
    times: int = DEFAULT_SILENCE_TIMES
    to: str | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Silence":
        return cls(**value)


@dataclass(frozen=True)
class Limits:
    """How long a call may last and how often a node may be entered."""

    max_visits: int = DEFAULT_MAX_VISITS
    max_minutes: float = DEFAULT_MAX_MINUTES
    to: str | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Limits":
        return cls(**value)


@dataclass(frozen=True)
class History:
    """How much of the dialogue the model keeps on a node (`keep` messages), and a summary."""

    keep: int | None = None
    summary: bool = False

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "History":
        return cls(**value)
