"""What `check` finds unproven after an edit, `diff` tells as breaking, with the same path."""

import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.compile import compile_repository
from trunkline.diff.compare import compare
from trunkline.diff.load import read_snapshot
from trunkline.diff.snapshot import Snapshot
from trunkline.finding import Finding
from trunkline.source.tree import WorkingTree

TOP = Path(__file__).parents[3]
FLOW = "flows/northwind-energy/overdue-invoice.yaml"


class Edited:
    """One tenant of the shipped repository, with one flow in another version."""

    def __init__(self, flow: bytes | None = None) -> None:
        self._tree = WorkingTree(TOP)
        self._flow = flow

    def paths(self) -> list[str]:
        ours = ("flows/northwind-energy/", "flows/shared/", "catalog/", "policy/requirements")
        return [path for path in self._tree.paths() if path.startswith(ours)]

    def read(self, path: str) -> bytes:
        if path == FLOW and self._flow is not None:
            return self._flow
        return self._tree.read(path)


@cache
def base() -> tuple[Snapshot, frozenset[Finding]]:
    return read_snapshot(Edited()), frozenset(unproven(Edited()))


def unproven(tree: Edited) -> Iterator[Finding]:
    return (one for one in compile_repository(tree).findings if one.code == "TL401")


def edits() -> dict[str, dict[str, Any]]:
    """Every way to lose a proof by one edit of an exit: a condition gone, a way added."""
    flow = yaml.safe_load((TOP / FLOW).read_text("utf-8"))
    made: dict[str, dict[str, Any]] = {}
    for name, node in flow["nodes"].items():
        for index, edge in enumerate(node.get("edges", ())):
            for key in ("requires", "if"):
                if key in edge:
                    head = copy.deepcopy(flow)
                    del head["nodes"][name]["edges"][index][key]
                    made[f"{name} {index} without {key}"] = head
    for target in ("pay", "state_invoice", "call_back_book"):
        head = copy.deepcopy(flow)
        head["anywhere"].append({"to": target, "when": "the person insists"})
        made[f"anywhere to {target}"] = head
        head = copy.deepcopy(flow)
        head["nodes"]["greeting"]["edges"].append({"to": target, "when": "the person insists"})
        made[f"greeting to {target}"] = head
        head = copy.deepcopy(flow)
        head["error"] = target
        made[f"error to {target}"] = head
    return made


EDITS = edits()


@pytest.mark.parametrize("name", EDITS)
def test_agree(name: str) -> None:
    before, known = base()
    tree = Edited(yaml.safe_dump(EDITS[name], sort_keys=False).encode())
    found = [one for one in unproven(tree) if one.trace not in {old.trace for old in known}]
    changes = compare(before, read_snapshot(tree))
    lost = [change for change in changes if change.kind == "proof-lost"]
    assert all(change.level.word == "breaking" for change in lost)
    # A fact that no rule requires may be lost too; what a rule requires is lost in both or neither.
    facts = {change.message.split("without `")[1].split("`")[0]: change for change in lost}
    assert bool(found) <= bool(facts)
    for finding in found:
        fact = finding.message.split("only once `")[1].split("`")[0]
        assert fact in facts
    traces = {finding.trace for finding in found}
    assert not traces or any(change.trace in traces for change in lost)
