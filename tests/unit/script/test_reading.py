"""Scenario files are read as the compiler reads: what it accepts, a scripted call accepts."""

from pathlib import Path

from trunkline_runtime.script.scenario import read_scenarios


def test_a_question_mark_at_the_end_of_a_list(tmp_path: Path) -> None:
    # libyaml takes it, PyYAML's own parser does not
    script = tmp_path / "script.yaml"
    script.write_text("name: x\nscenarios: [{label: a, expect: {said: [Are you there?]}}]\n")
    (scenario,) = read_scenarios(script)
    assert scenario.expect == {"said": ["Are you there?"]}
