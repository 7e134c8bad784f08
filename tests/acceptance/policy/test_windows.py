"""Every case of windows.csv, asked of the shipped policy through the command."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from trunkline.commands.main import run

TOP = Path(__file__).parents[3]
CASES = TOP / "tests" / "examples" / "cases" / "policy" / "windows.csv"
ROWS = list(csv.DictReader(CASES.read_text(encoding="utf-8").splitlines()))


def asked(row: dict[str, str]) -> list[str]:
    return [
        "-C",
        str(TOP),
        "policy",
        "why",
        "--tenant",
        "northwind-energy",
        "--purpose",
        "sales",
        "--effect",
        "contact",
        "--number",
        row["number"],
        "--at",
        row["instant"],
        "--format",
        "json",
    ]


@pytest.mark.parametrize("row", ROWS, ids=[row["note"] for row in ROWS])
def test_a_case(row: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(asked(row)) == 0
    answer = json.loads(capsys.readouterr().out)
    kinds = {reason["kind"] for reason in answer["reasons"]}
    assert answer["decision"] == ("deny" if kinds else "allow")
    if row["expect"] == "deny":
        assert row["kind"] in kinds
    else:
        assert not kinds & {"window", "number_type"}


def test_there_are_cases() -> None:
    assert len(ROWS) == 27


def test_the_installed_command_answers_in_the_form_of_the_contract() -> None:
    """As a process, once: the file is only an argument away from the others."""
    command = Path(sys.executable).with_name("trunkline")
    done = subprocess.run([command, *asked(ROWS[0])], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert list(answer) == ["version", "decision", "rules", "reasons", "zones", "next_allowed"]
    assert answer["version"] == 1
    assert answer["zones"] == ["America/New_York"]
    assert answer["next_allowed"] == "2026-12-01T13:00:00Z"
    assert {"us-window", "purpose:sales"} <= set(answer["rules"])
