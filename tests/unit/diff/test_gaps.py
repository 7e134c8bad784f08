"""Revisions with findings: what can be compared is compared, and the rest is named."""

import pytest

from trunkline.diff.render.markdown import render_markdown
from trunkline.diff.render.text import render_text
from trunkline.diff.report import Report, compare_revisions

from .conftest import Repository

INVOICE = "flows/acme/invoice.yaml"
WORDS = ("Take the payment.", "Take the payment now.")


def told(report: Report) -> list[tuple[str, str | None, str | None]]:
    return [(change.kind, change.flow, change.node) for change in report.changes]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # A key that no schema knows, a value of the wrong kind, a node that lacks what it needs.
        ("    collect: [email]\n", "    colect: [email]\n", "TL101"),
        ("times: 2,", "times: twice,", "TL101"),
        ("outcome: voicemail}", "}", "TL101"),
        # A target, a tool and a shared flow that are not there.
        ("{to: sort}", "{to: srot}", "`srot` is not there"),
        ("id: get_invoice", "id: get_invoyce", "the catalogue has no `get_invoyce`"),
    ],
)
def test_a_flow_with_a_fault_is_compared_in_part(
    repo: Repository, old: str, new: str, reason: str
) -> None:
    repo.edit(INVOICE, *WORDS)
    repo.edit(INVOICE, old, new)
    report = compare_revisions(repo.root, "HEAD", None)
    assert ("instructions-reworded", "invoice", "pay") in told(report)
    (gap,) = report.left_out
    assert (gap.what, gap.revision, gap.whole) == ("acme/invoice", "head", False)
    assert reason in gap.reason
    for text in (render_markdown(report), render_text(report)):
        assert "1 file or flow could not be compared in full" in text
        assert "acme/invoice" in text


def test_a_proof_lost_shows_in_a_flow_that_no_longer_checks(repo: Repository) -> None:
    repo.edit(INVOICE, ", requires: [identity_verified]", "")
    report = compare_revisions(repo.root, "HEAD", None)
    assert [kind for kind, _, _ in told(report)] == ["proof-lost", "guard-removed"]
    assert report.left_out == ()


def test_a_missing_shared_flow(repo: Repository) -> None:
    (repo.root / "flows/shared/verify.yaml").unlink()
    report = compare_revisions(repo.root, "HEAD", None)
    assert {(one.what, one.whole) for one in report.left_out} == {
        ("acme/questions", False),
        ("bolt/questions", False),
    }
    assert all("shared/verify" in one.reason for one in report.left_out)
    assert ("node-removed", "questions", "verify/ask") in told(report)


def test_a_file_that_is_no_yaml(repo: Repository) -> None:
    (repo.root / INVOICE).write_text("nodes: {", "utf-8")
    (repo.root / "policy/spend.yaml").write_text("\tcaps: []", "utf-8")
    report = compare_revisions(repo.root, "HEAD", None)
    assert told(report) == [
        ("policy-unreadable", None, None),
        ("flow-unreadable", "invoice", None),
    ]
    assert [(one.what, one.whole) for one in report.left_out] == [
        ("acme/invoice", True),
        ("policy/spend.yaml", True),
    ]


def test_the_base_may_be_the_broken_one(repo: Repository) -> None:
    (repo.root / INVOICE).write_text("nodes: {", "utf-8")
    repo.commit("Broken")
    repo.git("checkout", "--quiet", "HEAD~1", "--", INVOICE)
    report = compare_revisions(repo.root, "HEAD", None)
    (change,) = report.changes
    assert (change.kind, change.level.word) == ("flow-readable", "risky")
    assert "all of it counts as new" in change.message


def test_unreadable_on_both_sides_is_no_change_and_is_said(repo: Repository) -> None:
    (repo.root / INVOICE).write_text("nodes: {", "utf-8")
    repo.commit("Broken")
    (repo.root / INVOICE).write_text("nodes: [", "utf-8")
    report = compare_revisions(repo.root, "HEAD", None)
    assert report.changes == ()
    assert {one.revision for one in report.left_out} == {"base", "head"}
    assert "No change in calls as far as it can be seen; 1 file" in render_text(report)
