"""`trunkline-runtime kill`: says what it stops, and refuses what could mean two things."""

from pathlib import Path

import pytest

from trunkline_runtime.commands.main import run


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path))


def test_a_switch_is_told_listed_and_lifted(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kill", "on", "--tenant", "northwind-energy", "--tool", "take_payment"]
    assert run([*words, "--reason", "charged twice", "--by", "ana"]) == 0
    told = capsys.readouterr()
    id = told.out.strip()
    assert told.err == (
        "stopped: tenant=northwind-energy tool=take_payment; "
        f"`trunkline-runtime kill off {id}` lifts it\n"
    )
    assert run(["kill", "list"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith(f"{id}  tenant=northwind-energy tool=take_payment  ")
    assert listed.endswith("  ana: charged twice\n")
    assert run(["kill", "off", id]) == 0
    capsys.readouterr()
    assert run(["kill", "list"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--reason", "x"], "say --everything"),
        (["--everything", "--tenant", "northwind-energy", "--reason", "x"], "but not both"),
        (["--tool", "take_payment", "--reason", " "], "say why in --reason"),
        (["--flow", "overdue-invoice", "--reason", "x"], "give --tenant as well"),
    ],
)
def test_what_could_mean_two_things_stops_nothing(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["kill", "on", *words]) == 2
    assert said in capsys.readouterr().err
    assert run(["kill", "list"]) == 0
    assert capsys.readouterr().out == ""
