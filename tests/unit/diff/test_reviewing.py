"""docs/reviewing.md shows what the comment says: ten scenarios and every kind, made anew here.

`TRUNKLINE_WRITE_DOCS=1 pytest tests/unit/diff/test_reviewing.py` writes them into the page.
"""

import os
import re
import shutil
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.diff.compared import Compared, flows_in, sorted_files
from trunkline.diff.kinds import CIRCUMSTANCES, KINDS
from trunkline.diff.load import read_snapshot
from trunkline.diff.render.markdown import render_markdown
from trunkline.diff.report import Report, report_of
from trunkline.source.tree import WorkingTree

TOP = Path(__file__).parents[3]
PAGE = TOP / "docs" / "reviewing.md"
BASE = TOP / "tests" / "examples" / "diff" / "base"
SCENARIOS: list[dict[str, Any]] = yaml.safe_load(
    (TOP / "tests" / "examples" / "reviewing" / "scenarios.yaml").read_text("utf-8")
)
COMMITS = ("4f0c1b6a3d9e47218c0b9f6e2a4d7135aa20c871", "b83de5190c6f42a7915e0d3c7f4a6b2d8e91f05c")
NAMES = [scenario["name"] for scenario in SCENARIOS]


def edited(folder: Path, scenario: dict[str, Any]) -> Path:
    shutil.copytree(BASE, folder)
    for edit in scenario["edits"]:
        file = folder / edit["file"]
        if edit.get("delete"):
            file.unlink()
            continue
        text = file.read_text("utf-8")
        assert edit["old"] in text
        file.write_text(text.replace(edit["old"], edit["new"], 1), "utf-8")
    return folder


def report_on(folder: Path) -> Report:
    trees = [WorkingTree(root) for root in (BASE, folder)]
    base, head = (read_snapshot(tree) for tree in trees)
    judged, others = sorted_files(files_changed(folder))
    flows = flows_in(path for tree in trees for path in tree.paths())
    compared = Compared("main", "pull request", flows, judged, others)
    return report_of(base, head, COMMITS[0], COMMITS[1], compared)


def files_changed(folder: Path) -> list[str]:
    paths = sorted(str(file.relative_to(BASE)) for file in BASE.rglob("*.yaml"))
    return [path for path in paths if text_of(folder / path) != text_of(BASE / path)]


def text_of(file: Path) -> str | None:
    return file.read_text("utf-8") if file.exists() else None


def lines_changed(folder: Path) -> Iterator[str]:
    """The edit as a patch without context."""
    paths = sorted(str(file.relative_to(BASE)) for file in BASE.rglob("*.yaml"))
    for path in paths:
        old = (BASE / path).read_text("utf-8").splitlines()
        new = (folder / path).read_text("utf-8").splitlines() if (folder / path).exists() else []
        if old == new:
            continue
        if not new:
            yield f"- the whole of {path}"
            continue
        yield f"# {path}"
        for line in list(unified_diff(old, new, n=0, lineterm=""))[2:]:
            if not line.startswith("@@"):
                yield line


def section(scenario: dict[str, Any], number: int, folder: Path) -> str:
    """A scenario as the page has it; the comment without its marker, its headings deeper."""
    comment = re.sub(r"\n<!-- trunkline diff: seen.*", "", render_markdown(report_on(folder)))
    comment = re.sub(r"(?m)^### ", "##### ", comment)
    patch = "\n".join(lines_changed(folder))
    return (
        f"### {number}. {scenario['title']}\n\n{scenario['says'].strip()}\n\n"
        f"```diff\n{patch}\n```\n\n#### The comment\n\n{comment.strip()}\n\n---\n"
    )


def kinds_table() -> str:
    rows = ["| area | kind | level | raised | mirror |", "|---|---|---|---|---|"]
    for kind in KINDS.values():
        raised = "; ".join(
            f"{level.word} where {CIRCUMSTANCES[name]}" for name, level in kind.raised.items()
        )
        mirror = "itself" if kind.mirror == kind.id else f"`{kind.mirror}`"
        rows.append(f"| {kind.area} | `{kind.id}` | {kind.level.word} | {raised} | {mirror} |")
    return "\n".join(rows) + "\n"


def between(mark: str, page: str) -> tuple[str, str, str]:
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->\n"
    before, _, rest = page.partition(begin)
    inside, _, after = rest.partition(end)
    assert end in page
    return before + begin, inside, end + after


def held(mark: str, wanted: str) -> None:
    """Compares a part of the page with what it should be, or writes it."""
    before, inside, after = between(mark, PAGE.read_text("utf-8"))
    if os.environ.get("TRUNKLINE_WRITE_DOCS"):
        PAGE.write_text(before + wanted + after, "utf-8")
    else:
        assert inside == wanted


def test_the_page_shows_the_ten_comments(tmp_path: Path) -> None:
    sections = [
        section(scenario, number, edited(tmp_path / scenario["name"], scenario))
        for number, scenario in enumerate(SCENARIOS, 1)
    ]
    assert len(sections) == 10
    held("scenarios", "\n" + "\n".join(sections) + "\n")


def test_the_page_lists_every_kind() -> None:
    held("kinds", f"\n{kinds_table()}\n")


# What a reviewer must learn from the comment alone.
TOLD = {
    "tool-granted": (
        *("risky", "1 risky change in calls of acme/invoice."),
        [
            "the agent may now call `send_sms` here (may contact people). Risky because the agent",
            "`pay` → `receipt`",
            "  - so: the tools of one call may cost up to USD 0.630, +USD 0.024 (+4%)",
        ],
    ),
    "guard-removed": (
        *("breaking", "1 breaking change in calls of acme/invoice."),
        [
            "`take_payment` at `pay` (takes money) and `get_invoice` at `state` can now be "
            "called without `identity_verified` (“The person is the account holder”): greeting → "
            "verify → state → ask → pay. Breaking because",
            "- because: calls can go on to `state` without `identity_verified` now",
            "until compliance accepts this by adding its fingerprint to",
            "[−identity_verified]",  # noqa: RUF001
        ],
    ),
    "shared-flow-edited": (
        *("risky", "1 risky change in calls."),
        [
            "a prohibition (“Never say which of the two was wrong.”) was taken out of the",
            "affects 2 flows of 2 tenants",
            "<code>acme/questions</code> (inbound, at <code>verify/ask</code>)",
            "<del>Never say which",
        ],
    ),
    "policy-loosened": (
        *("breaking", "1 breaking change in calls."),
        [
            "people may now be called 07:00–08:00 (1 hour earlier), Mon–Sun, in the called "  # noqa: RUF001
            "person's time",
            "for outbound calls to United States, lets more through (loosened)",
            "3 flows of 2 tenants",
        ],
    ),
    "number-changed": (
        *("risky", "1 risky change in calls."),
        [
            "callers put through to the number `support` now reach …0102 instead of …0101 (same "
            "country and area code)",
            "<code>acme/invoice</code> (outbound, at <code>human</code>)",
        ],
    ),
    "node-renamed": (
        *("info", "1 minor change in calls of acme/invoice."),
        ["node `tell_amount`: this node was called `state`; a name alone changes nothing"],
    ),
    "words-only": (
        *("info", "2 minor changes in calls of acme/invoice."),
        ["<del>now</del> <ins>this</ins>", "hear other words here (wording only, not judged)"],
    ),
    "formatting-only": (
        *("none", "**No change in calls.** What 5 flows compile to"),
        ["`flows/acme/invoice.yaml` differs only in comments, the order of keys"],
    ),
    "flow-deleted": (
        *("breaking", "1 breaking change in calls of acme/questions."),
        [
            "- **breaking** `acme`: the number …0110 is no longer answered",
            "  - because: no call can use `questions` any more (inbound for `service`, 5 nodes)",
            "no number and no other flow names it",
        ],
    ),
    "catalogue-entry-changed": (
        *("breaking", "1 breaking change in calls."),
        [
            "counts as `identity_verified` in more cases (loosened): now also where `match` is "
            "`partial`; on it rest `get_invoice` and `take_payment` in `acme/invoice`",
            "3 flows of 2 tenants",
        ],
    ),
}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=NAMES)
def test_the_comment_says_what_changes_for_callers(
    scenario: dict[str, Any], tmp_path: Path
) -> None:
    report = report_on(edited(tmp_path / "head", scenario))
    level, verdict, wanted = TOLD[scenario["name"]]
    worst = max((change.level for change in report.changes), default=None)
    assert (worst.word if worst is not None else "none") == level
    comment = render_markdown(report).replace("\u2060", "")
    assert verdict in comment.split("\n")[0]
    assert [words for words in wanted if words not in comment] == []
    assert "`main` at `4f0c1b6a3d9e` → `pull request` at `b83de5190c6f`, 5 flows" in comment
    assert report.left_out == ()
