"""`# trunkline: ignore[CODE] reason`: warnings stand where somebody says why, and nowhere else."""

import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from time import process_time

import pytest

from trunkline.compile import compile_repository

BASE = Path(__file__).parents[2] / "examples/cases/base"
FLOW = """schema_version: 1
id: flow
direction: inbound
language: en-US
start: hello
nodes:
  hello:
    instructions: Ask what they need.
    tools: [get_invoice]
    edges: [{to: bye, when: they are done}]
  bye: {kind: end, outcome: done}
"""
TOOLS = "    tools: [get_invoice]"
WHY = "they may ask for it"

Told = list[tuple[int, str, str]]
Tell = Callable[..., Told]


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """(line, code, message) of everything that is found in a flow, or in other files."""
    repository = Path(shutil.copytree(BASE, tmp_path / "repository"))

    def told(flow: str, **files: str) -> Told:
        for path, text in {"flows/acme/flow.yaml": flow, **files}.items():
            (repository / path).parent.mkdir(parents=True, exist_ok=True)
            (repository / path).write_text(dedent(text))
        found = compile_repository(repository).findings
        return [(each.line, each.code, each.message) for each in found]

    return told


def codes(told: Told) -> list[tuple[int, str]]:
    return [(line, code) for line, code, _ in told]


def put(before: str = "", after: str = "") -> str:
    """The flow with a comment on the line above its tools, or behind them."""
    lines = f"    {before}\n{TOOLS}{after}" if before else f"{TOOLS}{after}"
    return FLOW.replace(TOOLS, lines)


@pytest.mark.parametrize(
    "flow",
    [
        put(after=f"  # trunkline: ignore[TL303] {WHY}"),
        put(after=f" #trunkline:ignore[ TL303 ]  {WHY}  "),
        put(f"# trunkline: ignore[TL303] {WHY}"),
        put(f"# trunkline: ignore[TL303,TL303] {WHY}\n\n    # more about it"),
        put(f"# trunkline: ignore[TL303] {WHY}").replace("\n", "\r\n"),
    ],
)
def test_a_warning_that_may_stand(tell: Tell, flow: str) -> None:
    assert codes(tell(FLOW)) == [(9, "TL303")]
    assert tell(flow) == []


def test_a_comment_is_about_one_line(tell: Tell) -> None:
    ignore = f"  # trunkline: ignore[TL303] {WHY}"

    def flow(first: str = "", second: str = "", above: str = "") -> str:
        items = f"{above}      - get_invoice{first}\n      - get_invoice{second}"
        return FLOW.replace(TOOLS, f"    tools:\n{items}")

    assert codes(tell(flow())) == [(10, "TL303"), (11, "TL303")]
    assert codes(tell(flow(ignore))) == [(11, "TL303")]
    assert codes(tell(flow("", ignore))) == [(10, "TL303")]
    assert tell(flow(ignore, ignore)) == []
    assert codes(tell(flow(above=f"    {ignore}\n"))) == [(12, "TL303")]


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("ignore[TL303]", "this comment does not say why `TL303` may stand"),
        ("ignore[TL303]   ", "this comment does not say why `TL303` may stand"),
        (f"ignore TL303 {WHY}", "this comment is for Trunkline, and is not understood"),
        (f"ignore[] {WHY}", "this comment is for Trunkline, and is not understood"),
        (f"ignore[303] {WHY}", "this comment is for Trunkline, and is not understood"),
        (f"allow[TL303] {WHY}", "this comment is for Trunkline, and is not understood"),
        ("", "this comment is for Trunkline, and is not understood"),
    ],
)
def test_a_comment_that_says_too_little_ignores_nothing(tell: Tell, comment, said: str) -> None:
    told = tell(put(f"# trunkline: {comment}"))
    assert codes(told) == [(9, "TL106"), (10, "TL303")]
    assert told[0][2] == said


def test_what_is_not_there_cannot_be_ignored(tell: Tell) -> None:
    told = tell(put(after=f"  # trunkline: ignore[TL303, TL204] {WHY}"))
    assert told == [(9, "TL106", "there is no TL204 in line 9 to ignore")]
    alone = FLOW.rstrip("\n") + f"\n# trunkline: ignore[TL303] {WHY}\n"
    assert codes(tell(alone)) == [(9, "TL303"), (12, "TL106")]


def test_an_error_is_never_ignored(tell: Tell) -> None:
    flow = put(after=f"  # trunkline: ignore[TL301] {WHY}").replace("invoice]", "invoise]")
    told = tell(flow)
    assert codes(told) == [(9, "TL301"), (9, "TL106")]
    assert told[1][2] == "TL301 is an error here: errors are mended, never ignored"


def test_a_comment_that_ignores_is_not_ignored_itself(tell: Tell) -> None:
    told = tell(put(f"# trunkline: ignore[TL106] {WHY}"))
    assert codes(told) == [(9, "TL106"), (10, "TL303")]


@pytest.mark.parametrize(
    "text",
    [
        f'"Say: # trunkline: ignore[TL303] {WHY}"',
        f"|\n      First.\n      # trunkline: ignore[TL303] {WHY}",
        f">-\n      First.\n      # trunkline: ignore[TL303] {WHY}\n      Last.",
        f"Ask about x#trunkline: ignore[TL303] {WHY}".replace(": ", ":"),
    ],
)
def test_what_stands_in_a_text_is_text(tell: Tell, text: str) -> None:
    told = tell(FLOW.replace("Ask what they need.", text))
    assert [code for _, code in codes(told)] == ["TL303"]


def test_a_comment_below_a_text_is_a_comment(tell: Tell) -> None:
    block = f"|\n      First.\n    # trunkline: ignore[TL303] {WHY}"
    assert tell(FLOW.replace("Ask what they need.", block)) == []


def test_a_finding_of_a_shared_flow_is_ignored_there(tell: Tell) -> None:
    shared = f"""\
        schema_version: 1
        id: sub
        exits: [out]
        start: ask
        nodes:
          ask:
            instructions: Talk.
            # trunkline: ignore[TL303] {WHY}
            tools: [get_invoice]
            edges: [{{to: exit/out, when: they are done}}]
        """
    host = FLOW.split("nodes:")[0].replace("start: hello", "start: sub")
    host += "nodes:\n  sub: {kind: subflow, flow: shared/sub, exits: {out: bye}}\n"
    host += "  bye: {kind: end, outcome: done}\n"
    assert tell(host, **{"flows/shared/sub.yaml": shared}) == []


def test_every_file_may_say_so(tell: Tell) -> None:
    outcomes = f"""\
        schema_version: 1
        # trunkline: ignore[TL603] {WHY}
        outcomes: {{done: {{description: Done.}}}}
        """
    told = tell(put(f"# trunkline: ignore[TL303] {WHY}"), **{"catalog/outcomes.yaml": outcomes})
    assert told == [(2, "TL106", "there is no TL603 in line 3 to ignore")]


def test_thousands_of_comments_are_told_once(tell: Tell) -> None:
    """Each is about the line below all of them, or may stand in a text: neither is squared."""
    comments = "# trunkline: ignore[TL303] because\n" * 20_000
    began = process_time()
    told = tell(FLOW.replace("nodes:", f"{comments}nodes:"))
    assert process_time() - began < 3
    assert len(told) == 202  # 200, that there are more, and the tool
    assert "more than 200 of these comments" in told[200][2]
    items = "".join(f"  - 'x {n}'  # trunkline: ignore[TL303] because\n" for n in range(9_000))
    began = process_time()
    tell(FLOW.replace("nodes:", f"outcomes:\n{items}nodes:"))
    assert process_time() - began < 3
