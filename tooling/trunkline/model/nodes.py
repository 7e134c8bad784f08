"""The nodes of a flow file, one dataclass for each kind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from trunkline.model.edge import Edge, read_edges
from trunkline.model.place import Place
from trunkline.model.tool_use import ToolUse, read_tool_uses
from trunkline_runtime.table.parts import Bound


@dataclass(frozen=True, slots=True)
class TalkNode:
    """A node on which the model talks. `silence`, `limits` and `history` are as written."""

    id: str
    place: Place
    speak: tuple[str, ...]
    say: str | None
    say_again: str | None
    instructions: str | None
    collect: tuple[str, ...]
    tools: tuple[ToolUse, ...]
    edges: tuple[Edge, ...]
    history: Mapping[str, Any]
    silence: Mapping[str, Any]
    limits: Mapping[str, Any]
    keys: Mapping[str, str]
    aside: bool

    @classmethod
    def read(cls, id: str, place: Place, written: Mapping[str, Any]) -> "TalkNode":
        return cls(
            id=id,
            place=place,
            speak=tuple(written.get("speak", ())),
            say=written.get("say"),
            say_again=written.get("say_again"),
            instructions=written.get("instructions"),
            collect=tuple(written.get("collect", ())),
            tools=read_tool_uses(place.at("tools"), written.get("tools", ())),
            edges=read_edges(place.at("edges"), written.get("edges", ())),
            history=written.get("history", {}),
            silence=written.get("silence", {}),
            limits=written.get("limits", {}),
            keys=written.get("keys", {}),
            aside=written.get("return", False),
        )


@dataclass(frozen=True, slots=True)
class ConfirmNode:
    """Exact words and a strict yes or no; `times` is None where nothing is written."""

    id: str
    place: Place
    say: str
    establishes: tuple[str, ...]
    on_yes: str
    on_no: str
    on_unclear: str
    times: int | None

    @classmethod
    def read(cls, id: str, place: Place, written: Mapping[str, Any]) -> "ConfirmNode":
        return cls(
            id=id,
            place=place,
            say=written["say"],
            establishes=tuple(written.get("establishes", ())),
            on_yes=written["on_yes"],
            on_no=written["on_no"],
            on_unclear=written["on_unclear"],
            times=written.get("times"),
        )


@dataclass(frozen=True, slots=True)
class RouteNode:
    """A silent choice by conditions, in order."""

    id: str
    place: Place
    edges: tuple[Edge, ...]

    @classmethod
    def read(cls, id: str, place: Place, written: Mapping[str, Any]) -> "RouteNode":
        return cls(id, place, read_edges(place.at("edges"), written["edges"]))


@dataclass(frozen=True, slots=True)
class SubflowNode:
    """A shared flow, `flow: shared/<id>`, that comes back by its exits."""

    id: str
    place: Place
    flow: str
    bind: Mapping[str, Bound]
    exits: Mapping[str, str]

    @classmethod
    def read(cls, id: str, place: Place, written: Mapping[str, Any]) -> "SubflowNode":
        return cls(id, place, written["flow"], written.get("with", {}), written["exits"])


@dataclass(frozen=True, slots=True)
class LinkNode:
    """The call goes on in another flow of the same tenant and does not come back."""

    id: str
    place: Place
    flow: str
    bind: Mapping[str, Bound]

    @classmethod
    def read(cls, id: str, place: Place, written: Mapping[str, Any]) -> "LinkNode":
        return cls(id, place, written["flow"], written.get("with", {}))


@dataclass(frozen=True, slots=True)
class TransferNode:
    """Hands the call to a human. `number` is a number's name, or a choice of names by a slot."""

    id: str
    place: Place
    number: str | Mapping[str, str]
    mode: str
    summary: tuple[str, ...]
    say: str | None
    on_failure: str

    @property
    def numbers(self) -> Mapping[str, str]:
        """The names of numbers in it, by the key under which each stands ("" for a plain one)."""
        if isinstance(self.number, str):
            return {"": self.number}
        return {key: name for key, name in self.number.items() if key != "by"}

    @property
    def decided_by(self) -> str | None:
        """The slot that chooses the number, if one does."""
        return None if isinstance(self.number, str) else self.number["by"].removeprefix("slots.")

    @property
    def has_default_number(self) -> bool:
        """True if there is a number even where the slot is not set."""
        return isinstance(self.number, str) or "default" in self.number

    @classmethod
    def read(cls, id: str, place: Place, written: Mapping[str, Any]) -> "TransferNode":
        return cls(
            id=id,
            place=place,
            number=written["number"],
            mode=written.get("mode", "warm"),
            summary=tuple(written.get("summary", ())),
            say=written.get("say"),
            on_failure=written["on_failure"],
        )


@dataclass(frozen=True, slots=True)
class EndNode:
    """Says its words and ends the call with an outcome."""

    id: str
    place: Place
    say: str | None
    outcome: str

    @classmethod
    def read(cls, id: str, place: Place, written: Mapping[str, Any]) -> "EndNode":
        return cls(id, place, written.get("say"), written["outcome"])


Node: TypeAlias = (
    TalkNode | ConfirmNode | RouteNode | SubflowNode | LinkNode | TransferNode | EndNode
)
TERMINALS = (EndNode, TransferNode, LinkNode)

_KINDS: Mapping[str, Callable[[str, Place, Mapping[str, Any]], Node]] = {
    "talk": TalkNode.read,
    "confirm": ConfirmNode.read,
    "route": RouteNode.read,
    "subflow": SubflowNode.read,
    "link": LinkNode.read,
    "transfer": TransferNode.read,
    "end": EndNode.read,
}


def read_node(id: str, place: Place, written: Mapping[str, Any]) -> Node:
    """The node that a flow's entry describes; the file has been checked against its schema."""
    return _KINDS[written.get("kind", "talk")](id, place, written)
