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

from .conftest import Repository, repository

KEYS = ["level", "kind", "tenant", "flow", "node", "message", "fingerprint", "before", "after"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Breaking, risky and minor changes, variants, a picture, a gap and an acceptance."""
    repo = repository(tmp_path_factory.mktemp("report") / "repo")
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


def test_what_an_older_version_wrote_is_read(report: Report) -> None:
    """The check of a pull request may run a branch's tooling, and the comment another's."""
    document = json.loads(json.dumps(to_json(report)))
    del document["details"]["compared"]
    for change in document["details"]["changes"]:
        for key in ("why", "nodes", "effect_of"):
            del change[key]
    for picture in document["details"]["pictures"]:
        picture["nodes"] = [node[:4] for node in picture["nodes"]]
        picture["edges"] = [edge[:4] for edge in picture["edges"]]
    again = from_json(document)
    assert [change.message for change in again.changes] == [one.message for one in report.changes]
    assert len(again.items) == len(report.changes)
    assert render_markdown(again)


def test_an_effect_names_its_cause(report: Report) -> None:
    document = to_json(report)
    pairs = list(zip(document["changes"], document["details"]["changes"], strict=True))
    by_kind = {change["kind"]: (change, detail) for change, detail in pairs}
    guard, _ = by_kind["guard-removed"]
    _, proof = by_kind["proof-lost"]
    assert proof["effect_of"] == guard["fingerprint"]
    assert proof["why"] == "it held on every path before, and now a path is open without it"


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
        *(("details", "changes", 0, key) for key in ("why", "nodes", "effect_of")),
        *(("details", "compared", key) for key in ("base_name", "flows", "judged", "others")),
        ("details", "compared", "directions"),
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
