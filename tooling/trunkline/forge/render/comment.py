"""The comment's text: what changes in calls, for which commit, and what is new since the last."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from trunkline.diff.change import highest
from trunkline.diff.level import Level
from trunkline.diff.render.json_reading import NotAReport, from_json
from trunkline.diff.render.markdown import render_markdown, seen_in
from trunkline.diff.report import Report
from trunkline.forge.handover import Unusable
from trunkline.forge.pull_request import PullRequest, Run
from trunkline.forge.sticky import MARKER

LIMIT = 65_536  # characters that a comment holds
_ABOUT = re.compile(r"<!-- trunkline comment: of ([0-9a-f]{40,64}) since((?: [0-9a-f]{12})*|.) -->")
_NOTHING = "."
_EDITED = (
    "> **This pull request changes the workflow that looked at it.** What is said here may be "
    "what it wants to be said: read the change to `.github/` and `action.yml` first."
)


def read_report(handed_over: Mapping[str, Any]) -> Report:
    """The comparison in what a check handed over. Raises Unusable."""
    try:
        return from_json(handed_over)
    except (NotAReport, RecursionError, AttributeError):
        raise Unusable("the list of changes is not what trunkline diff writes") from None


def body(report: Report, run: Run, pull: PullRequest, earlier: str | None) -> str:
    """The comment on a comparison; `earlier` is the one that it replaces. Raises Unusable.

    The same comparison of the same commit gives the same text, however often it is made.
    """
    seen = _seen(earlier, pull.head)
    report = _named(report, pull)
    head, foot = _head(pull, seen), _foot(run, pull)
    room = LIMIT - len(head) - len(foot)
    try:
        return head + render_markdown(report, seen, room) + foot
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError):
        # It fits the shape and still makes no sense: a way between nodes that are not drawn, say.
        raise Unusable("the list of changes contradicts itself") from None


def _named(report: Report, pull: PullRequest) -> Report:
    """The report with its revisions under the names that GitHub has for them, not a stranger's."""
    names = replace(report.compared, base_name=pull.base, head_name="this pull request, merged")
    return replace(report, compared=names)


def apology(why: Unusable, run: Run, pull: PullRequest, earlier: str | None) -> str:
    """The comment where there is nothing to show: an old one would speak of another commit."""
    said = f"**What changes in calls is not known:** {why}. [The run]({run.url}) says more.\n"
    return _head(pull, _seen(earlier, pull.head)) + said + _foot(run, pull)


def label_of(report: Report | None) -> str:
    """The label for a comparison; what could not be compared is to be weighed."""
    if report is None:
        return "calls:risky"
    level = highest(report.changes)
    if report.left_out:
        level = max(level or Level.INFO, Level.RISKY)
    return "calls:none" if level is None else f"calls:{level.word}"


def _seen(earlier: str | None, head: str) -> frozenset[str] | None:
    """What the reader has seen before this commit; None where there is no earlier comment."""
    if earlier is None:
        return None
    about = _ABOUT.search(earlier)
    if about is not None and about[1] == head:
        return None if about[2] == _NOTHING else frozenset(about[2].split())
    return seen_in(earlier)


def _head(pull: PullRequest, seen: frozenset[str] | None) -> str:
    since = _NOTHING if seen is None else "".join(f" {one}" for one in sorted(seen))
    lines = [MARKER, f"<!-- trunkline comment: of {pull.head} since{since} -->", ""]
    if pull.edits_its_judge:
        lines += [_EDITED, ""]
    return "\n".join([*lines, ""])


def _foot(run: Run, pull: PullRequest) -> str:
    return f"\n<sub>Judged at {pull.head[:12]} by [this run]({run.url}).</sub>\n"
