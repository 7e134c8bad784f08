"""LiveKit's own types read our scenario files: their keys mean the same to both."""

import json
from pathlib import Path

import pytest
import yaml
from google.protobuf import json_format
from livekit.agents.job import get_job_context
from livekit.agents.simulation import Scenario, ScenarioGroup, SimulationDispatch
from livekit.agents.testing import fake_job_context

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "flows").glob("*/scenarios/*.yaml"))


def group_of(path: Path) -> ScenarioGroup:
    """The file as LiveKit's tool reads it: keys of others ignored, userdata as JSON text."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    for scenario in document["scenarios"]:
        if "userdata" in scenario:
            scenario["userdata"] = json.dumps(scenario["userdata"])
    return json_format.ParseDict(document, ScenarioGroup(), ignore_unknown_fields=True)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_a_group_of_scenarios(path: Path) -> None:
    written = yaml.safe_load(path.read_text(encoding="utf-8"))
    group = group_of(path)
    assert [scenario.label for scenario in group.scenarios] == [
        scenario["label"] for scenario in written["scenarios"]
    ]
    for read, scenario in zip(group.scenarios, written["scenarios"], strict=True):
        assert read.instructions == scenario.get("instructions", "")
        assert read.agent_expectations == scenario.get("agent_expectations", "")
        assert dict(read.tags) == scenario.get("tags", {})


async def test_userdata_reaches_a_simulated_job(tmp_path: Path) -> None:
    path = tmp_path / "flow.yaml"
    path.write_text(
        "name: flow\nscenarios:\n  - label: one\n    tags: {kind: smoke}\n"
        "    userdata: {account: A-1001, nested: {days: [1, 2]}}\n    start_at: anywhere\n"
    )
    (scenario,) = group_of(path).scenarios
    assert isinstance(scenario, Scenario)
    assert dict(scenario.tags) == {"kind": "smoke"}
    dispatch = SimulationDispatch(scenario=scenario, simulation_run_id="one")
    with fake_job_context() as context:
        assert get_job_context() is context
        context._info.job.attributes["lk.simulator.dispatch"] = json_format.MessageToJson(dispatch)
        simulated = context.simulation_context()
        assert simulated is not None
        assert simulated.userdata() == {"account": "A-1001", "nested": {"days": [1, 2]}}
