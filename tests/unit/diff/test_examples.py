"""Every kind of change has an example: what is edited, and the exact entries both ways round."""

import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.compile import compile_repository
from trunkline.diff.change import Change
from trunkline.diff.compare import compare
from trunkline.diff.kinds import KINDS
from trunkline.diff.load import read_snapshot
from trunkline.diff.snapshot import Snapshot
from trunkline.source.tree import WorkingTree

EXAMPLES = Path(__file__).parents[2] / "examples" / "diff"
BASE = EXAMPLES / "base"
# Kinds for a key that no schema of today allows: tests/unit/diff/test_unknown_keys.py has them.
OF_TOMORROW = {
    *("document-changed", "entry-setting-changed", "flow-setting-changed"),
    "tenant-setting-changed",
}
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


@cache
def example(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text("utf-8"))
    return loaded


def repository(folder: Path, edits: Sequence[dict[str, Any]]) -> Snapshot:
    """The base with some edits: text replaced, files written, renamed, deleted."""
    shutil.copytree(BASE, folder)
    for edit in edits:
        file = folder / edit["file"]
        if "write" in edit:
            file.write_text(edit["write"], "utf-8")
        elif "rename" in edit:
            file.rename(folder / edit["rename"])
        elif edit.get("delete"):
            file.unlink()
        else:
            text = file.read_text("utf-8")
            assert edit["old"] in text
            file.write_text(text.replace(edit["old"], edit["new"], 1), "utf-8")
    return read_snapshot(WorkingTree(folder))


@cache
def base() -> Snapshot:
    return read_snapshot(WorkingTree(BASE))


def told(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """The changes as the examples write them: what is not there is left out."""
    kinds = {change.fingerprint: change.kind for change in changes}
    return [json.loads(json.dumps(_told(change, kinds))) for change in changes]


def _told(change: Change, kinds: Mapping[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"level": change.level.word, "kind": change.kind}
    places = {"tenant": change.tenant, "flow": change.flow, "node": change.node}
    entry |= {key: value for key, value in places.items() if value is not None}
    entry["message"] = change.message
    if change.why:
        entry["why"] = change.why
    if change.effect_of:
        entry["effect_of"] = kinds[change.effect_of]
    values = {"before": change.before, "after": change.after}
    entry |= {key: value for key, value in values.items() if value is not None}
    if change.affects and change.flow is None:
        entry["affects"] = [f"{tenant}/{flow}" for tenant, flow in change.affects]
    if change.trace:
        entry["trace"] = list(change.trace)
    if change.cause:
        entry["cause"] = change.cause
    return entry


def test_the_base_has_no_findings() -> None:
    assert compile_repository(BASE).findings == ()


@pytest.mark.parametrize("name", NAMES)
def test_gives_exactly_these_entries(name: str, tmp_path: Path) -> None:
    wanted = example(name)
    edited = wanted.get("before")
    before = repository(tmp_path / "before", edited) if edited else base()
    after = repository(tmp_path / "after", wanted["edits"])
    changes, undone = compare(before, after), compare(after, before)
    assert told(changes) == wanted["changes"]
    assert told(undone) == wanted["undone"]
    fingerprints = [change.fingerprint for change in (*changes, *undone)]
    assert len(set(fingerprints)) == len(fingerprints)


@pytest.mark.parametrize("name", NAMES)
def test_undoing_it_gives_the_mirrors(name: str) -> None:
    wanted = example(name)
    mirrors = Counter(KINDS[change["kind"]].mirror for change in wanted["changes"])
    assert mirrors == Counter(change["kind"] for change in wanted["undone"])
    assert wanted["shows"] == name
    assert mirrors[KINDS[name].mirror]


def test_every_kind_has_an_example() -> None:
    ways = [way for name in NAMES for way in (example(name)["changes"], example(name)["undone"])]
    assert {change["kind"] for way in ways for change in way} == KINDS.keys() - OF_TOMORROW
