"""The JSON has the design's keys; the whole report comes back from it; a stranger's is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from trunkline.diff.acceptance import Acceptance
from trunkline.diff.load import read_snapshot
from trunkline.diff.render.json_reading import NotAReport, from_json
from trunkline.diff.render.json_report import to_json
from trunkline.diff.render.markdown import render_markdown
from trunkline.diff.report import Report, report_of
from trunkline.source.tree import WorkingTree

from .conftest import Repository

KEYS = ["level", "kind", "tenant", "flow", "node", "message", "fingerprint", "before", "after"]


@pytest.fixture
def report(repo: Repository) -> Report:
    """Breaking, risky and harmless changes, variants, a picture, a gap and an acceptance."""
    base = read_snapshot(WorkingTree(repo.root))
    repo.edit("flows/acme/invoice.yaml", ", requires: [identity_verified]", "")
    repo.edit("flows/shared/survey.yaml", "Ask how", "Find out how")
    repo.edit("flows/bolt/questions.yaml", "  hello:\n", "  hello:\n    colour: red\n")
    made = report_of(base, read_snapshot(WorkingTree(repo.root)), "0" * 40, "working tree")
    worst = made.changes[0].fingerprint
    accepted = {worst: Acceptance(worst, "A trial.", "compliance@example.com")}
    assert made.pictures
    assert made.left_out
    assert any(change.variants for change in made.changes)
    return Report(
        made.base, made.head, made.changes, accepted, made.left_out, made.pictures
    )  # fmt: skip


def test_the_keys_are_those_of_the_design(report: Report) -> None:
    document = to_json(report)
    assert (document["version"], document["base"]) == (1, "0" * 40)
    assert document["head"] == "working tree"
    assert [list(change) for change in document["changes"]] == [KEYS] * len(report.changes)
    assert {change["level"] for change in document["changes"]} == {"breaking", "risky"}


def test_a_report_comes_back_whole(report: Report) -> None:
    again = from_json(json.loads(json.dumps(to_json(report))))
    assert again == report
    assert render_markdown(again) == render_markdown(report)


def broken(document: dict[str, Any], *path: str | int) -> dict[str, Any]:
    """The document with another value at a place."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    holder: Any = copy
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = {"unexpected": []}
    return copy


@pytest.mark.parametrize(
    "path",
    [
        ("version",),
        ("base",),
        ("changes",),
        ("details",),
        *(("changes", 0, key) for key in KEYS if key not in ("before", "after")),
        *(("details", "changes", 0, key) for key in ("affects", "trace", "cause", "variants")),
        ("details", "changes", 0, "accepted", "reason"),
        ("details", "left_out", 0, "reason"),
        ("details", "pictures", 0, "nodes", 0),
        ("details", "pictures", 0, "edges", 0, 2),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(report: Report, path: tuple[str | int, ...]) -> None:
    with pytest.raises(NotAReport):
        from_json(broken(to_json(report), *path))


def test_what_is_no_report_at_all(report: Report) -> None:
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    document = to_json(report)
    fewer = {**document, "changes": document["changes"][1:]}
    strange = {**document["changes"][0], "kind": "no-such-kind"}
    named = {**document["changes"][0], "fingerprint": "<!-- x -->"}
    for one in (
        *(None, [], "x", {}, {"version": 1}, {**document, "base": deep}, fewer),
        {**document, "changes": [strange, *document["changes"][1:]]},
        {**document, "changes": [named, *document["changes"][1:]]},
    ):
        with pytest.raises(NotAReport):
            from_json(one)


def test_reports_of_one_pair_are_the_same_bytes(repo: Repository, tmp_path: Path) -> None:
    base = read_snapshot(WorkingTree(repo.root))
    repo.edit("flows/acme/invoice.yaml", ", requires: [identity_verified]", "")
    texts = {
        json.dumps(to_json(report_of(base, read_snapshot(WorkingTree(repo.root)), "a", "b")))
        for _ in range(2)
    }
    assert len(texts) == 1
