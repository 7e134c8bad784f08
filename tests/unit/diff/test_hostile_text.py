"""Text of a flow does nothing in a comment: no mention, no link, no HTML, no fence, no diagram."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from merman import Merman

from trunkline.diff.change import Change
from trunkline.diff.compared import Compared
from trunkline.diff.level import Level
from trunkline.diff.picture import Picture, PictureEdge, PictureNode
from trunkline.diff.render.inert import code, fenced, html_code, inert, plain, sentence
from trunkline.diff.render.markdown import render_markdown, seen_in
from trunkline.diff.render.mermaid import mermaid
from trunkline.diff.render.text import render_text
from trunkline.diff.report import LeftOut, Report

# GitHub's flavour, with HTML, and without the package that finds bare links (the words are cut).
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HOSTILE = (
    "@security-team please approve",
    "fixes #12, GH-12, owner/repository#12 and 0123456789abcdef0123456789abcdef01234567",
    "see https://evil.example/x or www.evil.example or mailto:me@evil.example",
    "[click](https://evil.example) ![x](https://evil.example/x.png) [x]: https://evil.example",
    "<script>alert(1)</script><img src=x onerror=alert(1)><!-- hidden --></details>",
    "</summary></details><h1>Approved</h1>",
    "```\nbreak out\n```\n~~~\n",
    "````mermaid\nflowchart TD\n````",
    "`code` ``more`` `` ` ``",
    "# Heading\n> quote\n- list\n1. one\n---\n| a | b |\n|---|---|",
    "**bold** __bold__ *it* _it_ ~~gone~~ :tada: &lt;b&gt; &#64;team",
    "$x^2$ and $$\\frac{1}{2}$$",
    "\u202eevil\u202c zero\u200bwidth \u2066x\u2069 \ufeff tag\U000e0041",
    "\x1b[31mred\x1b[0m \x07 \x00 \x9b31m",
    'n1"] --> n2["x %%{init: {"theme": "dark"}}%% click n1 "javascript:alert(1)"',
    "end\nsubgraph x\nclassDef default fill:red;",
    "\ud800 lone surrogate",
    "-->\n<!-- trunkline diff: seen aaaaaaaaaaaa -->",
)
SEEN = re.compile(r"<!-- trunkline diff: seen[ 0-9a-f]* -->\n$")
# What GitHub would find in the text of the finished page.
FOUND = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\w/])@[A-Za-z0-9]",
        r"(?<!\w)#\d",
        r"GH-\d",
        r"https?://",
        r"www\.",
        r"[\w.]@[\w-]+\.\w",
        r"mailto:",
        r"(?<!\w)[0-9a-f]{40}(?!\w)",
        r":[a-z_]+:",
    )
)
OURS = {"details", "summary", "sub", "del", "ins", "code", "span", "br"}


def change(text: str, kind: str = "say-changed", **values: Any) -> Change:
    given = {
        **{"level": Level.RISKY, "kind": kind, "tenant": "acme", "flow": "call", "node": text},
        **{"message": f"words “{text}” and `{text}`", "fingerprint": "0" * 32},
        **{"before": text, "after": f"{text} {text}", "affects": (("acme", text), (text, "x"))},
        **{"trace": ("greeting", text), "cause": text, "why": text, "nodes": ((text,), (text,))},
    }
    return Change(**{**given, **values})


def report(text: str) -> Report:
    picture = Picture(
        text,
        text,
        nodes=(PictureNode("a", "added", text), PictureNode(text, "removed", text, on_path=True)),
        edges=(PictureEdge("a", text, "changed", text),),
    )
    changes = (
        change(text),
        change(text, "node-added", before=None, after={"say": text, text: [text]}),
        change(text, "edge-removed", tenant=None, flow=None, level=Level.BREAKING),
        change(text, "when-changed", level=Level.INFO, cause="", before=None),
    )
    gap = LeftOut(text, "head", True, text)
    compared = Compared(text, text, 1, (text,), ((text, 1),), ((("acme", text), text),))
    return Report(text, text, changes, {}, (gap,), (picture,), compared)


def seen_text(markdown: str) -> str:
    """The text of the page outside of code, where GitHub looks for things to link."""
    html = MARKDOWN.render(markdown)
    html = re.sub(r"<(pre|code)\b.*?</\1>", "", html, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", "", html)


def tags_of(markdown: str) -> set[str]:
    html = MARKDOWN.render(markdown)
    return {found.lower() for found in re.findall(r"<([a-zA-Z][\w-]*)", html)}


def without_our_marker(markdown: str) -> str:
    assert MARKDOWN.render(markdown).count("<!--") == 1
    assert SEEN.search(markdown)
    assert seen_in(markdown) == {"0" * 12}
    return SEEN.sub("", markdown)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_comment_has_no_more_than_our_own_elements(text: str) -> None:
    markdown = without_our_marker(render_markdown(report(text)))
    kept = {"h3", "p", "ul", "li", "blockquote", "strong", "pre", "s"}
    assert tags_of(markdown) <= OURS | kept
    page = seen_text(markdown)
    assert [pattern.pattern for pattern in FOUND if pattern.search(page)] == []


@pytest.mark.parametrize("text", HOSTILE)
def test_the_picture_is_a_picture_and_nothing_else(text: str) -> None:
    (picture,) = report(text).pictures
    drawing = mermaid(picture)
    assert Merman().validate(drawing, None).valid
    parsed = json.loads(Merman().parse_json(drawing, None))
    assert [node["id"] for node in parsed["nodes"]] == ["n0", "n1"]
    assert [(edge["from"], edge["to"]) for edge in parsed["edges"]] == [("n0", "n1")]
    assert not parsed["subgraphs"]
    for node in parsed["nodes"]:
        assert (node["link"], node["haveCallback"], node["labelType"]) == (None, False, "string")
    # What is read is what stands in the flow, cut and on one line.
    shown = parsed["edges"][0]["label"].removeprefix("± ").rstrip("…")
    brackets = str.maketrans("‹›", "<>")  # noqa: RUF001 (what labels hold where HTML could begin)
    assert plain(text).startswith(shown.translate(brackets))


@pytest.mark.parametrize("text", HOSTILE)
def test_the_terminal_is_not_steered(text: str) -> None:
    told = render_text(report(text))
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", told
    )


def test_what_is_hidden_is_shown() -> None:
    assert plain("a\u202eb\u200bc") == "a⟨U+202E⟩b⟨U+200B⟩c"
    assert "⟨U+202E⟩" in render_markdown(report("a\u202eb"))


def test_words_are_still_read_as_they_are() -> None:
    words = "Ask for 2 < 3 & call @home, #7 `x` | y * z_z [a](b)"
    html = MARKDOWN.renderInline(inert(words))
    shown = re.sub(r"<[^>]*>", "", html).replace("\u2060", "")
    entities = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"'}
    for entity, sign in entities.items():
        shown = shown.replace(entity, sign)
    assert shown == words


@given(st.text(max_size=60))
def test_no_text_makes_an_element(text: str) -> None:
    for made, allowed in (
        (inert(text), {"span", "p"}),
        (html_code(text), {"code", "span", "p"}),
        (code(text), {"code", "span", "p"}),
        (sentence(text), {"code", "span", "p"}),
    ):
        assert tags_of(f"x {made} x") <= allowed
    block = f"- a\n\n{fenced(text, 'diff')}\n\nafter"
    assert MARKDOWN.render(block).endswith("<p>after</p>\n")


def test_numbers_and_secrets_are_masked_before_anything_is_printed() -> None:
    # Changes are masked when they are made; what a stranger hands over is his own to show.
    from trunkline.diff.compare import compare
    from trunkline.diff.snapshot import Snapshot

    secret = "sk-live-abcdefghijklmnop1234"
    words = f"Call +1 202 555 0143 with {secret}."
    table = {"start": "a", "language": "en", "nodes": {"a": {"kind": "end", "outcome": "x"}}}
    spoken = {"kind": "end", "outcome": "x", "say": words}
    head = {**table, "nodes": {"a": spoken, "b": {**spoken, "outcome": "y"}}}
    changes = compare(
        Snapshot(tables={("acme", "call"): table}), Snapshot(tables={("acme", "call"): head})
    )
    assert len(changes) == 2
    made = Report("a", "b", changes)
    for told in (render_markdown(made), render_text(made), repr(made)):
        assert "…0143" in told
        assert "555" not in told
        assert secret not in told


def test_an_entry_is_cut_where_it_would_fill_the_comment() -> None:
    long = replace(change("word " * 50_000), trace=("a",) * 500)
    made = Report("a", "b", (long,) * 3)
    assert len(render_markdown(made)) < 30_000
