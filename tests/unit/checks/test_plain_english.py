"""What operators write without quotes: it is taken as it stands, or told with what to quote."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from trunkline.checks import tl603_cut_off
from trunkline.finding import Finding
from trunkline.model.repository import read_model
from trunkline.source import read_repository
from trunkline.source.quoting import quoted

SENTENCES = (
    *("they say no, or hang up", "no", "yes", "on", "y", "true", "they ask: how much", "a: b"),
    *("Press # to repeat", "#1 priority", "they want it #now", "they do not want #2, only #3"),
    *('they say "yes"', '"yes" is what they say', "'tis fine", "it's fine", "they say 'no', twice"),
    *("!important: be brief", "&more", "*really* sure", "- a dash first", "? is it them", "what?"),
    *("they pay 50% now", "%done", "@home", "`code`", "{{ slots.x }}", "{ready}", "[urgent] now"),
    *("they want A, B and C", "they want {A}", "12:30", "2026-11-30", "+12025550101", "0205551234"),
    *("null", "~", "1_000", "1e3", "50", "50.0", "yes: they agree", "they say [inaudible]", "="),
    *("> 5 minutes", "| pipe", "they ask, 'who is it?'", "no way: they decline, politely"),
    *(
        "say \\\\ backslash",
        "key:value",
        "they (the caller) agree",
        "3 p.m., or later",
        "Sure thing!",
    ),
)
FLOW = """
    description: DESCRIPTION
    start: hello
    slots: {name: {type: string, ask: ASK}}
    nodes:
      hello:
        collect: [name]
        instructions: INSTRUCTIONS
        edges:
          - {to: done, when: BRACES}
          - to: done
            when: BLOCK
      done: {kind: end, say: SAY, outcome: done}
    """
Value = Callable[[dict[str, Any]], object]
PLACES: dict[str, Value] = {
    "DESCRIPTION": lambda flow: flow["description"],
    "ASK": lambda flow: flow["slots"]["name"]["ask"],
    "INSTRUCTIONS": lambda flow: flow["nodes"]["hello"]["instructions"],
    "BRACES": lambda flow: flow["nodes"]["hello"]["edges"][0]["when"],
    "BLOCK": lambda flow: flow["nodes"]["hello"]["edges"][1]["when"],
    "SAY": lambda flow: flow["nodes"]["done"]["say"],
}
FoundIn = Callable[[str], tuple[list[Finding], dict[str, Any]]]
TENANT = "schema_version: 1\nid: acme\ndisplay_name: Acme\ntimezone: America/New_York\n"
HEADER = "schema_version: 1\nid: flow\ndirection: inbound\nlanguage: en-US\n"


@pytest.fixture
def found_in(tmp_path: Path) -> FoundIn:
    """What is told of the text of a flow before anybody looks at its meaning, and the flow."""
    folder = tmp_path / "flows/acme"
    folder.mkdir(parents=True)
    (folder / "tenant.yaml").write_text(TENANT)

    def found(flow: str) -> tuple[list[Finding], dict[str, Any]]:
        text = HEADER + dedent(flow)
        (folder / "flow.yaml").write_text(text, encoding="utf-8")
        sources = read_repository(tmp_path)
        findings = list(sources.findings)
        if not findings:
            repository = read_model(sources)
            (read,) = repository.flows_of("acme")
            findings = list(tl603_cut_off.check_file(read, repository))
        return findings, {} if findings else yaml.load(text, yaml.CSafeLoader)

    return found


@pytest.mark.parametrize("place", PLACES)
def test_a_sentence_is_taken_as_it_stands_or_told(found_in: FoundIn, place: str) -> None:
    for sentence in SENTENCES:
        findings, flow = found_in(_with(place, sentence))
        if findings:
            told = " ".join(f"{each.message} {each.help}" for each in findings)
            assert "uote" in told or quoted(sentence) in told, (sentence, told)
            assert len(findings) <= 2, (sentence, told)
        else:
            assert PLACES[place](flow) == sentence
        findings, flow = found_in(_with(place, quoted(sentence)))
        assert not findings, (sentence, findings)
        assert PLACES[place](flow) == sentence


def _with(place: str, text: str) -> str:
    flow = FLOW.replace(place, text)
    for number, other in enumerate(PLACES):
        flow = flow.replace(other, f"they agree {number}")
    return flow


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("{to: done, when: Press # to repeat}", 'Quote the text: "Press # to repeat"'),
        ("{to: done, when: > 5 minutes, say: Fine.}", 'Quote it: "> 5 minutes"'),
        ("{to: done, when: they're at #4, or #5}", 'Quote the text: "they\'re at #4, or #5"'),
        ("{to: done, when: {ready}}", 'If it is text, quote it: "{ready}"'),
        ("{to: done, when: null}", 'If it is text, quote it: "null"'),
    ],
)
def test_the_text_to_write_is_the_whole_one(found_in: FoundIn, line: str, help: str) -> None:
    findings, _ = found_in(_with("{to: done, when: BRACES}", line))
    assert help in " ".join(finding.help for finding in findings)


def test_no_line_is_looked_at_for_long(found_in: FoundIn) -> None:
    for torn in ("w'" * 900, "'x'" * 600, "# " * 900, "{#" * 900, '"' * 1801):
        findings, _ = found_in(_with("BRACES", f"{torn} # x"))
        assert findings
