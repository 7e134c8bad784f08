"""`trunkline test`: what is told, in each form, and the exit codes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

ROOT = Path(__file__).parents[3]
FLOW = "flows/atlas-research/assistant.yaml"
SCENARIOS = "flows/atlas-research/scenarios/assistant.yaml"
COUNT = (ROOT / SCENARIOS).read_text(encoding="utf-8").count("- label:")
LABEL = "has an answer texted after correcting the number"
LINE = (ROOT / SCENARIOS).read_text(encoding="utf-8").split(f"- label: {LABEL}")[0].count("\n") + 1
Trunkline = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], None]


def test_scenarios_that_pass_and_reach_everything(trunkline: Trunkline) -> None:
    code, out, err = trunkline("test", "--min-coverage", "100", "--min-coverage", "guard=100")
    assert (code, err) == (0, "")
    assert "atlas-research/assistant  9/9 nodes (100%), 19/19 edges (100%)" in out
    assert "not reached" not in out
    assert f"{COUNT} passed, 0 failed" in out


def test_a_failure_reads_like_a_story(trunkline: Trunkline, edit: Edit) -> None:
    edit(FLOW, "        if: facts.text_sent", '        if: slots.mobile == ""')
    code, out, _ = trunkline("test", "atlas-research/assistant", "--format", "json")
    assert code == 1
    (failed,) = [each for each in json.loads(out)["scenarios"] if not each["passed"]]
    assert failed["label"] == LABEL
    assert (failed["path"], failed["line"]) == (SCENARIOS, LINE)
    sight = failed["sight"]
    assert sight["node"] == "text_send"
    assert sight["story"][-1].strip().startswith("⚙ send_sms")
    shut = [(each["to"], each["line"], each["why"]) for each in sight["exits"] if not each["open"]]
    assert shut == [
        ("answer", 100, 'this must be true and is not: slots.mobile == ""'),
        ("answer", 102, "this must be true and is not: failed.send_sms"),
    ]
    text = trunkline("test", "atlas-research/assistant")[1]
    assert f"FAILED  {SCENARIOS}:{LINE}  {LABEL}" in text
    assert "  caller  It ends in forty-nine." in text
    assert "✗ shut  → answer  this must be true and is not: failed.send_sms" in text


def test_a_move_that_should_not_have_been_made(trunkline: Trunkline, edit: Edit) -> None:
    """Exits that are swapped: the model goes by their words, and so does a script."""
    edit(
        FLOW,
        "      - to: text_number\n        when: they want an",
        "      - to: X\n        when: they want an",
    )
    edit(
        FLOW,
        "      - to: goodbye\n        when: they have no",
        "      - to: text_number\n        when: they have no",
    )
    edit(FLOW, "to: X", "to: goodbye")
    code, out, _ = trunkline("test", "--format", "json")
    assert code == 1
    failed = [each for each in json.loads(out)["scenarios"] if not each["passed"]]
    turned = {each["sight"]["turned"] for each in failed}
    assert (
        "went to text_number (model: they have no more questions), and should have gone to goodbye"
    ) in turned


def test_what_no_scenario_reaches_has_its_line(trunkline: Trunkline, edit: Edit) -> None:
    edit(FLOW, 'keys:\n  "0": human', 'keys:\n  "0": human\n  "7": goodbye')
    code, out, _ = trunkline("test", "--min-coverage", "100")
    assert code == 1
    assert "   26  edge     key 7 → goodbye" in out
    assert "95.0% of the edges are reached, and 100% must be" in out
    assert trunkline("test", "--min-coverage", "90")[0] == 0


def test_junit_fits_its_schema(trunkline: Trunkline, edit: Edit, repository: Path) -> None:
    edit(SCENARIOS, "outcome: answered", "outcome: wrong\n      said: [never \\ud800 said]")
    edit(SCENARIOS, "      said: [About fifteen years]\n", "")
    schema = etree.XMLSchema(etree.parse(ROOT / "schemas/junit.xsd"))
    code, out, _ = trunkline("test", "--format", "junit", "--junit", "build/out.xml")
    assert code == 1
    document = etree.fromstring(out.encode())
    schema.assertValid(document)
    (failure,) = document.iter("failure")
    assert failure.get("message") == 'outcome: expected "wrong", got "answered"'
    assert "caller  How many years does a battery last?" in failure.text
    assert document.get("tests") == str(COUNT)
    assert document.get("failures") == "1"
    # The schema is awake: a case without its name is not passed.
    del next(document.iter("testcase")).attrib["name"]
    assert not schema.validate(document)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("test", "atlas-reserch"), "Did you mean"),
        (("test", "nobody/nothing"), "there are no scenarios of 'nobody/nothing'"),
        (("test", "--min-coverage", "many"), "write a percentage, or KIND=PERCENT"),
        (("test", "--min-coverage", "guard=101"), "write a percentage, or KIND=PERCENT"),
        (("test", "--live", "--junit", "x.xml"), "about scripted runs"),
        (("test", "--repeat", "3"), "belong to --live"),
        (("test", "--live"), "no model is set up"),
    ],
)
def test_wrong_usage(
    trunkline: Trunkline,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.delenv("TRUNKLINE_LLM_BASE_URL", raising=False)
    code, out, err = trunkline(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_scenario_file_with_an_error(trunkline: Trunkline, edit: Edit) -> None:
    edit(SCENARIOS, "label: a simple question", "labl: a simple question")
    code, out, _ = trunkline("test")
    assert code == 1
    assert f"FAILED  {SCENARIOS}:3  (the file)" in out


def test_a_flow_with_an_error(trunkline: Trunkline, edit: Edit) -> None:
    edit(FLOW, "to: text_check", "to: text_chek")
    code, out, _ = trunkline("test")
    assert code == 1
    assert "the flow atlas-research/assistant is not there or has errors" in out
    assert f"0 passed, {COUNT} failed" in out
