"""Renamed flows and nodes: one that is gone and one that is new, alike in what they say and do."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from trunkline.diff.exits import Written
from trunkline.diff.words import plain_words, similarity

Id = TypeVar("Id", str, tuple[str, str])
# Two of three words, tools, slots and exits in common; below that it is another node.
_ALIKE = 0.66
_SAME_FLOW = 0.8
# What a node is known by: an end with another outcome is another end, however alike the words.
_KNOWN_BY = ("kind", "outcome", "number", "flow", "return")
_TARGETS = ("to", "on_yes", "on_no", "on_unclear", "on_failure", "error", "start")


def renamed_nodes(before: Written, after: Written) -> dict[str, str]:
    """Old id → new id of the nodes of a flow that only have another name."""
    old, new = before["nodes"], after["nodes"]
    kept = old.keys() & new.keys()
    gone = {id: node for id, node in old.items() if id not in new}
    come = {id: node for id, node in new.items() if id not in old}
    scores = [
        (score, id, other)
        for id, node in gone.items()
        for other, written in come.items()
        if _known_by(node) == _known_by(written)
        and (score := similarity(_features(node, kept), _features(written, kept))) >= _ALIKE
    ]
    return _best(scores)


def renamed_flows(
    gone: Mapping[tuple[str, str], Written], come: Mapping[tuple[str, str], Written]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Old id → new id of the flows of a tenant that only have another name."""
    old = {id: _features_of_flow(table) for id, table in gone.items()}
    new = {id: _features_of_flow(table) for id, table in come.items()}
    scores = [
        (score, id, other)
        for id in old
        for other in new
        if id[0] == other[0] and (score := similarity(old[id], new[other])) >= _SAME_FLOW
    ]
    return _best(scores)


def _best(scores: Sequence[tuple[float, Id, Id]]) -> dict[Id, Id]:
    """The pairs with the most in common, each id once; the same both ways round."""
    found: dict[Id, Id] = {}
    for _, old, new in sorted(scores, key=lambda pair: (-pair[0], sorted(pair[1:]))):
        if old not in found and new not in found.values():
            found[old] = new
    return found


def _known_by(node: Written) -> list[Any]:
    return [node.get(key) for key in _KNOWN_BY]


def _features(value: Any, kept: Iterable[str], key: str = "") -> list[str]:
    """The words and names in a node, each with the key that it stands under.

    Exits to nodes that are not in both revisions do not count: those may be renamed as well.
    """
    if isinstance(value, Mapping):
        return [
            feature
            for inner, item in value.items()
            if inner not in _TARGETS or item in kept
            for feature in _features(item, kept, f"{key}.{inner}")
        ]
    if isinstance(value, list | tuple):
        return [feature for item in value for feature in _features(item, kept, key)]
    if isinstance(value, str):
        return [f"{key}:{word}" for word in plain_words(value) or [value]]
    return [f"{key}:{value}"]


def _features_of_flow(table: Written) -> list[str]:
    kept = table["nodes"].keys()
    return _features({key: item for key, item in table.items() if key != "flow"}, kept)


def with_nodes_renamed(table: Written, names: Mapping[str, str]) -> Written:
    """The table with its nodes under other names (old → new), in every place that names one."""
    if not names:
        return table
    renamed = _rename(table, names)
    nodes = {names.get(id, id): _rename(node, names) for id, node in table["nodes"].items()}
    return {**renamed, "nodes": nodes}


def _rename(written: Written, names: Mapping[str, str]) -> dict[str, Any]:
    """One node, or a flow without its nodes."""
    found = dict(written)
    for key in _TARGETS:
        if isinstance(found.get(key), str):
            found[key] = names.get(found[key], found[key])
    for key in ("keys", "answer"):
        if key in found:
            found[key] = {what: names.get(to, to) for what, to in found[key].items()}
    for key in ("silence", "limits"):
        if key in found:
            found[key] = _rename(found[key], names)
    for key in ("edges", "anywhere"):
        if key in found:
            found[key] = [_rename(edge, names) for edge in found[key]]
    return found
