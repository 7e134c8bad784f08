"""Whatever differs in what a release holds, or in the policy, is told: silence means no change."""

import copy
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from trunkline.diff.compare import compare
from trunkline.diff.load import read_snapshot
from trunkline.diff.snapshot import Snapshot
from trunkline.source.layout import kind_of
from trunkline.source.tree import WorkingTree
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.schema import validator

BASE = Path(__file__).parents[2] / "examples" / "diff" / "base"
FLOWS = [("acme", "invoice"), ("acme", "questions"), ("bolt", "survey")]
# What says nothing about calls: which format a file has, and a folder's own name.
_SILENT = ("schema_version", "schema", "id")


@cache
def base() -> Snapshot:
    """The base without proofs: a table's own values must speak for themselves."""
    return replace(read_snapshot(WorkingTree(BASE)), proofs={})


def mutants(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every copy of a JSON value in which one leaf is another, or one key or item is gone."""
    for place in places(value):
        for what, change in (("changed", _altered), ("gone", None)):
            mutant = copy.deepcopy(value)
            holder = mutant
            for step in place[:-1]:
                holder = holder[step]
            if change is None:
                del holder[place[-1]]
            elif isinstance(holder[place[-1]], dict | list):
                continue
            else:
                holder[place[-1]] = change(holder[place[-1]])
            yield f"{'.'.join(map(str, place))} {what}", mutant


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for step, item in inner:
            if step not in _SILENT:
                yield (*path, step)
                yield from places(item, (*path, step))


def _altered(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"{value}x"
    return value + 1


@pytest.mark.parametrize("id", FLOWS, ids="/".join)
def test_a_table(id: tuple[str, str]) -> None:
    table = dict(base().tables[id])
    # Digests of the catalogue's entries change with the entries; these names are the flow's own.
    told_elsewhere = {key: table.pop(key) for key in ("tools", "tenant", "flow")}
    silent = []
    for name, mutant in mutants(table):
        head = {**mutant, **told_elsewhere}
        if not validator("node-table").is_valid(head):
            continue
        if not compare(base(), replace(base(), tables={**base().tables, id: head})):
            silent.append(name)
    assert silent == []


@pytest.mark.parametrize("tool", sorted(base().entries))
def test_a_catalogue_entry(tool: str) -> None:
    entry = base().entries[tool]
    silent = []
    for name, mutant in mutants(dict(entry.document)):
        if not validator("tool").is_valid(mutant):
            continue
        new = ToolEntry.from_document(entry.connection, mutant)
        head = replace(base(), entries={**base().entries, tool: new})
        if not compare(base(), head):
            silent.append(name)
    assert silent == []


@pytest.mark.parametrize(
    "path",
    sorted(
        path
        for path in base().documents
        if path.endswith(("tenant.yaml", "channels.yaml", "facts.yaml", "outcomes.yaml"))
        or (path.startswith("policy/") and not path.endswith("accepted.yaml"))
    ),
)
def test_a_document(path: str) -> None:
    silent = []
    kind = kind_of(path) or ""
    for name, mutant in mutants(dict(base().documents[path])):
        if not validator(kind).is_valid(mutant):
            continue
        head = replace(base(), documents={**base().documents, path: mutant})
        if not compare(base(), head):
            silent.append(name)
    assert silent == []


def test_no_difference_is_no_change() -> None:
    assert compare(base(), copy.deepcopy(base())) == ()
