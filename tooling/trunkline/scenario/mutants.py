"""Mutants of a flow: one small fault each, of the kind that `check` cannot see.

A swapped exit, a guard that is gone or turned round, a slot that is not asked again: the file is
as sound as before, and callers go elsewhere. Wording is left alone: a script does not read it.
"""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A flow document with one fault, and what the fault is in a few words."""

    what: str
    document: Mapping[str, Any]


def mutants_of(document: Mapping[str, Any]) -> Iterator[Mutant]:
    """Every mutant of a flow document; some of them have findings, and those `check` sees."""
    for id, node in document.get("nodes", {}).items():
        yield from _of_node(document, id, node)
    edges = document.get("anywhere", [])
    yield from _of_edges(document, ("anywhere",), "anywhere", edges)
    yield from _swapped_values(document, ("keys",), "keys")
    for what in ("silence", "limits"):
        if "to" in document.get(what, {}):
            yield _without(document, (what, "to"), f"{what} leads nowhere")
    for index, use in enumerate(document.get("after_call", [])):
        yield _without(document, ("after_call", index), f"after_call without {_id(use)}")


def _of_node(document: Mapping[str, Any], id: str, node: Mapping[str, Any]) -> Iterator[Mutant]:
    at = ("nodes", id)
    yield from _of_edges(document, (*at, "edges"), id, node.get("edges", []))
    if node.get("kind") == "confirm":
        yield _swapped(document, (*at, "on_yes"), (*at, "on_no"), f"{id}: yes and no swapped")
    for index, use in enumerate(node.get("tools", [])):
        yield _without(document, (*at, "tools", index), f"{id} without {_id(use)}")
        if isinstance(use, dict):
            for key in ("if", "sets"):
                if key in use:
                    yield _without(
                        document, (*at, "tools", index, key), f"{id}: {_id(use)} without {key}"
                    )
    for index, slot in enumerate(node.get("collect", [])):
        yield _without(document, (*at, "collect", index), f"{id} does not collect {slot}")


def _of_edges(
    document: Mapping[str, Any],
    at: tuple[str | int, ...],
    name: str,
    edges: list[Mapping[str, Any]],
) -> Iterator[Mutant]:
    for first, second in pairwise(range(len(edges))):
        one, other = edges[first]["to"], edges[second]["to"]
        if one != other:
            what = f"{name}: the exits to {one} and {other} swapped"
            yield _swapped(document, (*at, first, "to"), (*at, second, "to"), what)
    for index, edge in enumerate(edges):
        where = (*at, index)
        yield _without(document, where, f"{name} without its exit to {edge['to']}")
        for key in ("if", "requires", "clears", "correction"):
            # What is cleared is asked for again with or without `correction`.
            if key in edge and not (key == "correction" and "clears" in edge):
                yield _without(document, (*where, key), f"{name} → {edge['to']} without {key}")
        if "if" in edge:
            turned = f"!({edge['if']})"
            yield _changed(
                document, (*where, "if"), turned, f"{name} → {edge['to']} with its guard turned"
            )


def _swapped_values(
    document: Mapping[str, Any], at: tuple[str | int, ...], name: str
) -> Iterator[Mutant]:
    held = _held(document, at) if at[0] in document else {}
    for first, second in pairwise(held):
        if held[first] != held[second]:
            what = f"{name}: {first} and {second} swapped"
            yield _swapped(document, (*at, first), (*at, second), what)


def _id(use: Any) -> str:
    return str(use["id"] if isinstance(use, dict) else use)


def _held(document: Any, at: tuple[str | int, ...]) -> Any:
    for step in at:
        document = document[step]
    return document


def _swapped(
    document: Mapping[str, Any],
    one: tuple[str | int, ...],
    other: tuple[str | int, ...],
    what: str,
) -> Mutant:
    mutant = copy.deepcopy(dict(document))
    first, second = _held(mutant, one), _held(mutant, other)
    _held(mutant, one[:-1])[one[-1]] = second
    _held(mutant, other[:-1])[other[-1]] = first
    return Mutant(what, mutant)


def _changed(
    document: Mapping[str, Any], at: tuple[str | int, ...], value: Any, what: str
) -> Mutant:
    mutant = copy.deepcopy(dict(document))
    _held(mutant, at[:-1])[at[-1]] = value
    return Mutant(what, mutant)


def _without(document: Mapping[str, Any], at: tuple[str | int, ...], what: str) -> Mutant:
    mutant = copy.deepcopy(dict(document))
    del _held(mutant, at[:-1])[at[-1]]
    return Mutant(what, mutant)
