"""`trunkline scenario from-record`: the same course of a call, with nobody's data in it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.commands.main import run
from trunkline.compile import compile_repository
from trunkline.scenario.part import Placed, scripted
from trunkline.scenario.result import Fault
from trunkline.scenario.stage import Scenery, stage
from trunkline.scenario.suite import suites_of
from trunkline.source.repository import read_repository
from trunkline_runtime.call.record import record_of

ROOT = Path(__file__).parents[3]
Trunkline = Callable[..., tuple[int, str, str]]


def record(name: str, label: str) -> dict[str, Any]:
    """The record of a call: of a scenario that is played."""
    kept: list[dict[str, Any]] = []

    async def part(placed: Placed) -> tuple[Fault, ...]:
        faults = await scripted(placed)
        kept.append(record_of(placed.call))
        return faults

    (suite,) = suites_of(read_repository(ROOT), [name])
    labels = [scenario.label for scenario in suite.scenarios]
    with stage(Scenery.of(compile_repository(ROOT), {suite.tenant})) as here:
        assert here.perform(suite, labels.index(label), part).passed
    return kept[0]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("northwind-energy/overdue-invoice", "pays after verification"),
        ("harbor-medical/appointments", "has chest pain and is put through to a nurse"),
        ("atlas-research/assistant", "presses zero and no analyst picks up"),
    ],
)
def test_a_record_becomes_a_scenario(
    name: str,
    label: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    found = record(name, label)
    file = tmp_path / "record.json"
    # As a worker keeps it: a line of the record of calls, among those that are no calls.
    damage, refused = {"kind": "damage"}, {"version": 1, "refused_job": "x", "call_id": "call-0"}
    lines = [json.dumps(line) for line in (damage, refused, found)]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    # It has been played: 0 says that the course, the tools, facts and outcome are the same.
    assert run(["-C", str(ROOT), "scenario", "from-record", str(file)]) == 0
    out = capfd.readouterr().out
    (scenario,) = yaml.safe_load(out)["scenarios"]
    nodes = [step["node"] for step in found["path"] if step["node"]]
    assert scenario["expect"]["nodes"] == nodes
    assert scenario["number"] == "+12025550143"
    assert "•" not in out
    copy = tmp_path / "copy"
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(ROOT / part, copy / part)
    (copy / f"flows/{name.replace('/', '/scenarios/')}.yaml").write_text(out, encoding="utf-8")
    assert run(["-C", str(copy), "test", name]) == 0


def test_what_is_no_record(trunkline: Trunkline, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    for text, why in (("{}", "is no record of a call"), ("[", "line 1: this is no JSON")):
        file.write_text(text, encoding="utf-8")
        code, out, err = trunkline("scenario", "from-record", str(file))
        assert (code, out) == (2, "")
        assert why in err


def test_of_several_calls_one_is_named(tmp_path: Path, trunkline: Trunkline) -> None:
    file = tmp_path / "calls-00000001.jsonl"
    pin = {"release": "acme/v1", "manifest": "sha256:" + "0" * 64, "flow": "service"}
    call = {
        **{"version": 1, "tenant": "acme", "direction": "inbound", "purpose": "service"},
        **{"started": "2026-11-30T15:00:00Z", "answered_by": None, "outcome": "hung_up"},
        **{"pin": pin, "path": [], "refused": [], "tools": [], "facts": {}},
    }
    file.write_text("".join(json.dumps({**call, "call_id": f"call-{n}"}) + "\n" for n in (1, 2)))
    code, out, err = trunkline("scenario", "from-record", str(file))
    assert (code, out) == (2, "")
    assert "holds 2 calls: name one with --call: call-1, call-2" in err
    _, _, err = trunkline("scenario", "from-record", str(file), "--call", "call-3")
    assert "holds no call 'call-3'" in err
    _, _, err = trunkline("scenario", "from-record", str(file), "--call", "call-2")
    assert "acme/ is not there or has errors" in err, "it is the one that is taken"
