"""docs/testing-flows.md does what it says: its example passes, and its commands are there."""

import re
import shutil
from pathlib import Path

import pytest

from trunkline.commands.main import run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/testing-flows.md").read_text(encoding="utf-8")


def test_the_first_scenario_passes_and_its_variation_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for part in ("flows/atlas-research", "catalog", "policy"):
        shutil.copytree(ROOT / part, tmp_path / part)
    file = tmp_path / "flows/atlas-research/scenarios/assistant.yaml"
    example = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0]
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{example}", encoding="utf-8")
    assert run(["-C", str(tmp_path), "test", "atlas-research/assistant"]) == 0
    text = file.read_text(encoding="utf-8")
    before, _, after = text.rpartition("outcome: answered")
    file.write_text(f"{before}outcome: paid{after}", encoding="utf-8")
    assert run(["-C", str(tmp_path), "test", "atlas-research/assistant"]) == 1
    assert 'expected  "paid"' in capfd.readouterr().out


def test_every_command_and_option_is_known(capfd: pytest.CaptureFixture[str]) -> None:
    lines = re.findall(r"^\.venv/bin/trunkline (test|scenario from-record) ?(.*)$", PAGE, re.M)
    assert {command for command, _ in lines} == {"test", "scenario from-record"}
    for command, arguments in lines:
        assert run([*command.split(), "--help"]) == 0
        told = capfd.readouterr().out
        for option in re.findall(r"--[a-z-]+", arguments):
            assert option in told
