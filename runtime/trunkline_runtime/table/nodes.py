"""The nodes of a node table, one dataclass for each kind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from trunkline_runtime.table.parts import (
    DEFAULT_CONFIRM_TIMES,
    Bound,
    Edge,
    History,
    Limits,
    Silence,
    ToolUse,
)


@dataclass(frozen=True)
class TalkNode:
    """A node on which the model talks, with its own tools and exits."""

    id: str
    speak: tuple[str, ...] = ()
    say: str | None = None
    say_again: str | None = None
    instructions: str | None = None
    collect: tuple[str, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    edges: tuple[Edge, ...] = ()
    history: History | None = None
    silence: Silence | None = None
    limits: Limits | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    aside: bool = False

    @classmethod
    def from_json(cls, id: str, value: Mapping[str, Any]) -> "TalkNode":
        return cls(
            id=id,
            speak=tuple(value.get("speak", ())),
            say=value.get("say"),
            say_again=value.get("say_again"),
            instructions=value.get("instructions"),
            collect=tuple(value.get("collect", ())),
            tools=tuple(ToolUse.from_json(use) for use in value.get("tools", ())),
            edges=tuple(Edge.from_json(edge) for edge in value.get("edges", ())),
            history=History.from_json(value["history"]) if "history" in value else None,
            silence=Silence.from_json(value["silence"]) if "silence" in value else None,
            limits=Limits.from_json(value["limits"]) if "limits" in value else None,
            keys=dict(value.get("keys", {})),
            aside=value.get("return", False),
        )


@dataclass(frozen=True)
class ConfirmNode:
    """Exact words and a strict yes or no, heard without a model."""

    id: str
    say: str
    on_yes: str
    on_no: str
    on_unclear: str
    establishes: tuple[str, ...] = ()
    times: int = DEFAULT_CONFIRM_TIMES

    @classmethod
    def from_json(cls, id: str, value: Mapping[str, Any]) -> "ConfirmNode":
        return cls(
            id=id,
            say=value["say"],
            on_yes=value["on_yes"],
            on_no=value["on_no"],
            on_unclear=value["on_unclear"],
            establishes=tuple(value.get("establishes", ())),
            times=value.get("times", DEFAULT_CONFIRM_TIMES),
        )


@dataclass(frozen=True)
class RouteNode:
    """A silent choice: the first edge that holds, the last one always."""

    id: str
    edges: tuple[Edge, ...]

    @classmethod
    def from_json(cls, id: str, value: Mapping[str, Any]) -> "RouteNode":
        return cls(id=id, edges=tuple(Edge.from_json(edge) for edge in value["edges"]))


@dataclass(frozen=True)
class NumberChoice:
    """A transfer number chosen by a slot: its value → the name of a number."""

    by: str
    names: Mapping[str, str]
    default: str | None


@dataclass(frozen=True)
class TransferNode:
    """Hands the call to a human; `number` is the name of a number, or a choice of names."""

    id: str
    number: str | NumberChoice
    mode: str
    on_failure: str
    summary: tuple[str, ...] = ()
    say: str | None = None

    @classmethod
    def from_json(cls, id: str, value: Mapping[str, Any]) -> "TransferNode":
        number = value["number"]
        if not isinstance(number, str):
            names = {key: name for key, name in number.items() if key not in ("by", "default")}
            number = NumberChoice(number["by"], names, number.get("default"))
        return cls(
            id=id,
            number=number,
            mode=value["mode"],
            on_failure=value["on_failure"],
            summary=tuple(value.get("summary", ())),
            say=value.get("say"),
        )


@dataclass(frozen=True)
class EndNode:
    """Says its words and ends the call with an outcome."""

    id: str
    outcome: str
    say: str | None = None

    @classmethod
    def from_json(cls, id: str, value: Mapping[str, Any]) -> "EndNode":
        return cls(id=id, outcome=value["outcome"], say=value.get("say"))


@dataclass(frozen=True)
class LinkNode:
    """The call goes on in another flow of the same tenant and does not come back."""

    id: str
    flow: str
    bind: Mapping[str, Bound] = field(default_factory=dict)

    @classmethod
    def from_json(cls, id: str, value: Mapping[str, Any]) -> "LinkNode":
        return cls(id=id, flow=value["flow"], bind=dict(value.get("with", {})))


Node: TypeAlias = TalkNode | ConfirmNode | RouteNode | TransferNode | EndNode | LinkNode

_KINDS: Mapping[str, Callable[[str, Mapping[str, Any]], Node]] = {
    "talk": TalkNode.from_json,
    "confirm": ConfirmNode.from_json,
    "route": RouteNode.from_json,
    "transfer": TransferNode.from_json,
    "end": EndNode.from_json,
    "link": LinkNode.from_json,
}


def node_from_json(id: str, value: Mapping[str, Any]) -> Node:
    """The node that a table's entry describes; the table has been checked against its schema."""
    return _KINDS[value.get("kind", "talk")](id, value)
