"""Mutants of a flow: one fault each, of the kinds that a hurried hand makes."""

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

Document = dict[str, Any]


@dataclass(frozen=True)
class Fault:
    """A kind of fault, where it was put, and the flow with it."""

    kind: str
    where: str
    flow: Document


KINDS = (
    "drop an edge",
    "retarget an edge",
    "retarget to nowhere",
    "remove a requires",
    "grant a tool",
    "rename a slot",
    "rename a use of a slot",
)


def faults_of(flow: Document, tools: dict[str, Any], chance: Random) -> Iterator[Fault]:
    """Every fault of every kind; a retargeted exit leads to one other node, by chance.

    `tools` maps an id to a grant of a tool whose effect requires a proof.
    """
    for place, edges in _edges(flow):
        for index, edge in enumerate(edges):
            where = f"{'.'.join(place)}[{index}] → {edge['to']}"
            yield _changed(flow, "drop an edge", where, place, lambda all, at=index: all.pop(at))
            others = sorted(set(flow["nodes"]) - {edge["to"]})
            for kind, to in (
                ("retarget an edge", chance.choice(others)),
                ("retarget to nowhere", "nowhere_at_all"),
            ):
                said = f"{where} now {to}"
                yield _changed(flow, kind, said, place, _retarget(index, to))
            if "requires" in edge:
                kind = "remove a requires"
                yield _changed(
                    flow, kind, where, place, lambda all, at=index: all[at].pop("requires")
                )
    yield from _granted(flow, tools)
    yield from _renamed(flow)


def _edges(flow: Document) -> Iterator[tuple[tuple[str, ...], list[Document]]]:
    if flow.get("anywhere"):
        yield ("anywhere",), flow["anywhere"]
    for id, node in flow["nodes"].items():
        if node.get("edges"):
            yield ("nodes", id, "edges"), node["edges"]


def _changed(flow: Document, kind: str, where: str, place: tuple[str, ...], change: Any) -> Fault:
    mutant = copy.deepcopy(flow)
    holder: Any = mutant
    for step in place:
        holder = holder[step]
    change(holder)
    return Fault(kind, where, mutant)


def _retarget(index: int, to: str) -> Any:
    def change(edges: list[Document]) -> None:
        edges[index]["to"] = to

    return change


def _granted(flow: Document, tools: dict[str, Any]) -> Iterator[Fault]:
    for id, node in flow["nodes"].items():
        if node.get("kind", "talk") != "talk":
            continue
        has = {use if isinstance(use, str) else use["id"] for use in node.get("tools", ())}
        for tool, use in tools.items():
            if tool not in has:
                mutant = copy.deepcopy(flow)
                mutant["nodes"][id].setdefault("tools", []).append(copy.deepcopy(use))
                yield Fault("grant a tool", f"{tool} on {id}", mutant)


def _renamed(flow: Document) -> Iterator[Fault]:
    for slot in flow.get("slots", {}):
        mutant = copy.deepcopy(flow)
        mutant["slots"] = {
            f"{name}_2" if name == slot else name: value for name, value in flow["slots"].items()
        }
        if _is_used(flow, slot):
            yield Fault("rename a slot", slot, mutant)
    for id, node in flow["nodes"].items():
        for index, slot in enumerate(node.get("collect", ())):
            mutant = copy.deepcopy(flow)
            mutant["nodes"][id]["collect"][index] = f"{slot}_2"
            yield Fault("rename a use of a slot", f"{slot} on {id}", mutant)


def _is_used(flow: Document, slot: str) -> bool:
    rest = {key: value for key, value in flow.items() if key != "slots"}
    named = rf"slots\.{slot}\b|[\[,] ?'{slot}'[,\]]"
    return re.search(named, str(rest)) is not None
