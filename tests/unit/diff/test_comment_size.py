"""A comment fits into GitHub's limit whatever changed, and says honestly what it leaves out."""

import re

import pytest
from markdown_it import MarkdownIt
from merman import Merman

from trunkline.diff.change import Change
from trunkline.diff.level import Level
from trunkline.diff.picture import Picture, PictureEdge, PictureNode
from trunkline.diff.render.markdown import LIMIT, render_markdown, seen_in
from trunkline.diff.render.mermaid import mermaid
from trunkline.diff.report import LeftOut, Report

GITHUB = 65_536


def changes(level: Level, number: int, words: int = 20) -> tuple[Change, ...]:
    kinds = {
        Level.INFO: "say-changed",
        Level.RISKY: "sentence-removed",
        Level.BREAKING: "proof-lost",
    }
    return tuple(
        Change(
            level=level,
            kind=kinds[level],
            tenant="acme",
            flow=f"flow-{index}",
            node="greeting",
            message=f"{level.word} number {index} of many",
            fingerprint=f"{index:08x}{level.value}".ljust(32, "0"),
            before="before " * words,
            after="after " * words,
            affects=(("acme", f"flow-{index}"),),
        )
        for index in range(number)
    )


def shown(text: str) -> dict[str, int]:
    return {
        level.word: len(re.findall(rf"{level.word} number \d+ of many", text)) for level in Level
    }


def test_what_fits_is_all_there() -> None:
    report = Report("a", "b", changes(Level.RISKY, 5) + changes(Level.INFO, 5))
    text = render_markdown(report)
    assert shown(text) == {"breaking": 0, "risky": 5, "info": 5}
    assert "fits here" not in text


@pytest.mark.parametrize(
    ("breaking", "risky", "info"), [(3, 20, 900), (0, 900, 20), (900, 3, 3), (2_000, 0, 0)]
)
def test_the_least_important_goes_first(breaking: int, risky: int, info: int) -> None:
    report = Report(
        "0" * 40,
        "working tree",
        changes(Level.BREAKING, breaking) + changes(Level.RISKY, risky) + changes(Level.INFO, info),
    )
    text = render_markdown(report)
    assert len(text) <= LIMIT < GITHUB
    left = {
        "breaking": breaking - shown(text)["breaking"],
        "risky": risky - shown(text)["risky"],
        "info": info - shown(text)["info"],
    }
    if left["breaking"]:
        assert (shown(text)["risky"], shown(text)["info"]) == (0, 0)
    if left["risky"]:
        assert shown(text)["info"] == 0
    # The verdict counts all of them, and the note says how many are missing.
    words = {"breaking": "breaking", "risky": "risky", "info": "minor"}
    told = " and ".join(f"{left[level]} {words[level]}" for level in words if left[level])
    assert f"> Not everything fits here: {told} changes" in text
    assert "Run `trunkline diff 000000000000` to see everything." in text
    for level, number in (("breaking", breaking), ("risky", risky)):
        assert not number or f"{number} {level}" in text.split("\n")[0]


def test_a_heading_without_entries_is_not_left_behind() -> None:
    report = Report("a", "b", changes(Level.BREAKING, 1) + changes(Level.INFO, 3, words=2_000))
    text = render_markdown(report, limit=1_200)
    assert len(text) <= 1_200
    assert "What else changes" not in text
    assert "3 minor changes" in text


def test_a_cut_comment_is_whole_markdown() -> None:
    report = Report("a", "b", changes(Level.RISKY, 400), pictures=(picture(60, 200),))
    text = render_markdown(report)
    html = MarkdownIt("commonmark", {"html": True}).render(text)
    assert html.count("<details") == html.count("</details>")
    assert text.count("```") % 2 == 0


def test_many_gaps_are_counted() -> None:
    gaps = tuple(LeftOut(f"acme/f{index}", "head", True, "TL001") for index in range(5_000))
    text = render_markdown(Report("a", "b", (), left_out=gaps))
    assert len(text) <= LIMIT
    assert "- and 4990 more" in text


def picture(nodes: int, edges: int) -> Picture:
    return Picture(
        "acme",
        "call",
        tuple(PictureNode(f"node_{index}", "added", "x" * 100) for index in range(nodes)),
        tuple(
            PictureEdge(f"node_{index % nodes}", f"node_{index * 7 % nodes}", "changed", "y" * 100)
            for index in range(edges)
        ),
    )


def test_the_largest_picture_is_within_what_github_draws() -> None:
    drawing = mermaid(picture(60, 200))
    assert len(drawing) < 50_000
    assert Merman().validate(drawing, None).valid
    assert len(Merman().render_svg(drawing, None)) > 1_000


def test_what_is_new_since_the_last_comment_is_marked() -> None:
    first = Report("a", "b", changes(Level.RISKY, 2))
    second = Report("a", "b", changes(Level.RISKY, 3))
    seen = seen_in(render_markdown(first))
    assert seen is not None
    text = render_markdown(second, seen)
    assert [line for line in text.split("\n") if "**new**" in line] == [
        "- **risky** **new** `acme/flow-2`, node `greeting`: risky number 2 of many"
    ]
    assert "**new**" not in render_markdown(second)
    assert seen_in("somebody else's comment") is None
