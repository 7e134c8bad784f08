"""The notes of a release: what changed in calls since the one before it."""

from dataclasses import replace
from pathlib import Path

from trunkline.diff.render.markdown import render_markdown
from trunkline.diff.report import Report, compare_revisions
from trunkline.forge.announce import MAX_BODY, Pending
from trunkline.release.git import has_commit
from trunkline_runtime.table.layout import POLICY_NAME


def notes(root: Path, what: Pending) -> str:
    """Markdown: the release's digest, and its part of the comparison of the two commits."""
    release = what.release
    head = f"`{release.digest}`\n\n"
    if what.before is None:
        return f"{head}The first release of `{release.name}`.\n"
    before, after = what.before.commit, release.commit
    if (
        before is None
        or after is None
        or not (has_commit(root, before) and has_commit(root, after))
    ):
        return f"{head}What changed since {what.before.tag} is not known here.\n"
    # A release is told to its own tenant: files of others are none of its matter.
    report = _of(compare_revisions(root, before, after), release.name)
    return head + render_markdown(report, limit=MAX_BODY - len(head), proposed=False)


def _of(report: Report, name: str) -> Report:
    """The part that is about one tenant, or about the policy.

    Where a change of the catalogue reaches several tenants, it is told to each.
    """
    compared = replace(report.compared, flows=0, judged=(), others=())
    if name == POLICY_NAME:
        return replace(
            report,
            compared=compared,
            changes=tuple(change for change in report.changes if change.area == "policy"),
            left_out=(),
            pictures=(),
        )
    return replace(
        report,
        compared=compared,
        changes=tuple(
            change
            for change in report.changes
            if change.tenant == name or any(tenant == name for tenant, _ in change.affects)
        ),
        left_out=tuple(one for one in report.left_out if name in one.what.split("/")),
        pictures=tuple(one for one in report.pictures if one.tenant == name),
    )
