"""The first scenarios of a draft: valid, and the flow passes them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

SCENARIOS = "flows/meridian/scenarios/reminder.yaml"


def test_the_flow_passes_its_first_scenarios(
    trunkline: Callable[..., Any],
    answered: Any,
    brief: Path,
    plan: Any,
    steps: Any,
    repository: Path,
) -> None:
    # One move that the model chooses and that needs a fact: it must be refused without it.
    edge = steps["steps"]["verify"]["edges"][0]
    edge.update({"when": "the account holder is verified", "if": None})
    edge["requires"] = ["identity_verified"]
    answered(plan, steps)
    assert trunkline("draft", "meridian", "reminder", "--from", str(brief))[0] == 0
    written = yaml.safe_load((repository / SCENARIOS).read_text())
    assert [each["label"] for each in written["scenarios"]] == [
        "at the start, the person asks not to be called again",
        "at the start, the person declines",
        "presses 9",
        "a machine answers",
        "verify does not lead to amount without identity_verified",
    ]
    code, out, err = trunkline("test", "meridian/reminder")
    assert (code, err) == (0, ""), out


def test_scenarios_that_a_person_wrote_stay(
    trunkline: Callable[..., Any],
    answered: Any,
    brief: Path,
    plan: Any,
    steps: Any,
    repository: Path,
) -> None:
    file = repository / SCENARIOS
    file.parent.mkdir()
    file.write_text("# mine\nscenarios:\n  - label: x\n")
    answered(plan, steps)
    code, out, _ = trunkline("draft", "meridian", "reminder", "--from", str(brief))
    assert (code, "scenarios" in out) == (0, False)
    assert file.read_text().startswith("# mine\n")
