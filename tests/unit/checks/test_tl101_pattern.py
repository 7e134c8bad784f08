"""TL101: a pattern that nothing said could be held against."""

import re
from time import perf_counter, process_time

import pytest

from trunkline.checks.implementation.endless import is_endless

FLOW = """
    start: hello
    inputs:
      code:
        type: string
        pattern: "[0-9]+"  # INPUT
    slots:
      name:
        type: string
        pattern: "[A-Z]\\\\w+"  # SLOT
    nodes:
      hello:
        collect: [name]
        edges: [{to: done}]
      done: {kind: end, outcome: done}
    """


@pytest.mark.parametrize("room", ["INPUT", "SLOT"])
@pytest.mark.parametrize("pattern", ["(", "[a-", "a{2,1}", "(?P<x", "*"])
def test_it_is_told_where_it_stands(judge, room: str, pattern: str) -> None:
    judge(FLOW)
    line = next(each for each in FLOW.splitlines() if each.endswith(room))
    written = f'        pattern: "{pattern}"  #! TL101'
    (finding,) = judge(FLOW.replace(line, written))
    assert finding.message.startswith("this is no regular expression: ")
    assert finding.column == 14


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "(a+)+",
            "(a*)*",
            "(a|aa)+$",
            r"^(\\w+\\s?)+$",
            r"^(\\d+|\\w+)*$",
            r"([a-z]+\\d?)*",
            "(.*)*",
        ),
        *("(a?b?)*c", r"(\\d{2}|\\d{3})*", "(x+x+)+y", "(((a{1,999}){1,999}){1,999}){1,999}"),
        *(r"(\\s*\\w+\\s*)*", r"(?:-?\\d+)+", "(?i)(ab|AB)+", "(b?|[a-d])+x"),
    ],
)
def test_one_that_some_texts_keep_busy_for_ever(judge, pattern: str) -> None:
    written = FLOW.splitlines()
    line = next(number for number, each in enumerate(written) if each.endswith("SLOT"))
    written[line] = f'        pattern: "{pattern}"  #! TL101'
    (finding,) = judge("\n".join(written))
    assert "busy for ever" in finding.message


@pytest.mark.parametrize(
    "pattern",
    [
        *("a+", "^[A-Z0-9-]{1,32}$", r"^\\d+(-\\d+)*$", "(ab|ac)*", r"\\+[1-9][0-9]{6,14}"),
        *(r"(\\w+ )*\\w+", "(one|two|three)+", r"\\w+@\\w+(\\.\\w+)+", r"^(?:[A-Z]\\d{3} ?)+$"),
        *(
            "[A-Z][a-z]+(?:[ '-][A-Z][a-z]+)*",
            r"^(\\d{5}|\\d{9})$",
            "[^,]+(,[^,]+)*",
            r"(\\d\\d?)?",
        ),
    ],
)
def test_loops_that_read_a_text_in_one_way(judge, pattern: str) -> None:
    judge(FLOW.replace('"[0-9]+"', f'"{pattern}"'))


@pytest.mark.parametrize("pattern", ["(" * 240 + "a" + ")" * 240, "ab|" * 200, "a" * 200_000])
def test_one_of_any_size_is_judged_at_once(judge, pattern: str) -> None:
    began = process_time()
    judge(FLOW.replace('"[0-9]+"  # INPUT', f'"{pattern}"  #! {"TL101" * (len(pattern) > 500)}'))
    assert process_time() - began < 1


def test_the_verdict_is_that_of_the_clock() -> None:
    """Twelve characters more, and the engine takes hundreds of times as long."""
    for pattern, text in (("(a+)+", "a"), (r"(\w+\s?)+", "a"), ("(a|aa)+", "a"), ("(a?b?)*", "ab")):
        assert is_endless(pattern)
        _, short, long = (_seconds(pattern, text * size + "!") for size in (10, 10, 22))
        assert long > 20 * short
    for pattern, text in ((r"(\w+ )*\w+", "a"), (r"\d+(-\d+)*", "1-1"), ("(ab|ac)*", "ab")):
        assert not is_endless(pattern)
        assert _seconds(pattern, text * 2_000 + "!") < 0.5


def _seconds(pattern: str, text: str) -> float:
    began = perf_counter()
    assert not re.fullmatch(pattern, text)
    return perf_counter() - began
