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
    base, head = (read_snapshot(WorkingTree(root)) for root in (BASE, folder))
    return report_of(base, head, "main", "pull request")


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
    "tool-granted": ("risky", ["may now call `send_sms`", "`pay` → `receipt`", "USD 0.63"]),
    "guard-removed": ("breaking", ["`take_payment` can now be called without `identity_verified`"]),
    "shared-flow-edited": ("risky", ["affects 2 flows of 2 tenants", "acme/questions", "<del>"]),
    "policy-loosened": ("breaking", ["`us-window` is loosened", "07:00-21:00", "3 flows"]),
    "number-changed": ("risky", ["`support` is …0102 instead of …0101"]),
    "node-renamed": ("info", ["the node `state` is now called `tell_amount`"]),
    "words-only": ("info", ["<ins>", "<del>now</del> <ins>this</ins>"]),
    "formatting-only": ("none", ["**No change in calls.**"]),
    "flow-deleted": ("breaking", ["the flow `questions` is gone", "…0110 is no longer answered"]),
    "catalogue-entry-changed": ("breaking", ["`identity_verified` if", "3 flows of 2 tenants"]),
}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=NAMES)
def test_the_comment_says_what_changes_for_callers(
    scenario: dict[str, Any], tmp_path: Path
) -> None:
    report = report_on(edited(tmp_path / "head", scenario))
    level, wanted = TOLD[scenario["name"]]
    worst = max((change.level for change in report.changes), default=None)
    assert (worst.word if worst is not None else "none") == level
    comment = render_markdown(report).replace("\u2060", "")
    assert [words for words in wanted if words not in comment] == []
    assert report.left_out == ()
