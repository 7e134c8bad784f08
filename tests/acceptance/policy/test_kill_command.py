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


@pytest.mark.parametrize(("tenant", "meant"), [("northwind", True), ("northwind-energy", False)])
def test_a_tenant_of_whom_nothing_is_here_is_asked_about(
    tenant: str, meant: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A switch for a tenant that was mistyped stops nothing, and looks as if it did."""
    folder = tmp_path / "releases/northwind-energy"
    folder.mkdir(parents=True)
    (folder / "oci-layout").touch()
    assert run(["kill", "on", "--tenant", tenant, "--reason", "x"]) == 0
    said = "no release of northwind is on this machine; did you mean northwind-energy?"
    assert (said in capsys.readouterr().err) == meant
    assert run(["kill", "list"]) == 0
    assert f"tenant={tenant}" in capsys.readouterr().out
