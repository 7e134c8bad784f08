"""`trunkline-runtime job check`: a job is judged before anybody is called."""

import json
from pathlib import Path
from typing import Any

import pytest
from phone_shop import PARTY, phone_shop

from trunkline_runtime.commands.main import run

REMIND = {
    "version": 1,
    "tenant": "acme",
    "flow": "remind",
    "call_id": "invoice-7",
    "number": PARTY,
    "inputs": {"account_id": "A-1001"},
}


@pytest.fixture
def pulled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("TRUNKLINE_TRUSTED_KEYS", raising=False)
    phone_shop(tmp_path).publish()
    assert run(["pull", "acme", "--from", str(tmp_path / "store")]) == 0
    capsys.readouterr()
    return tmp_path / "job.json"


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({}, 0, "is a job of acme; remind of v1 (stable) takes it"),
        ({"flow": None, "number": None, "inputs": {}}, 0, "the dialled number says which"),
        ({"ring_seconds": 1}, 1, "has a wrong 'ring_seconds'"),
        ({"call_id": "call-2025550143"}, 1, "looks like a phone number"),
        ({"call_id": None}, 1, "lacks `call_id`: nobody is dialled twice"),
        ({"number": None}, 1, "lacks `number`"),
        ({"tenant": "acmee"}, 1, "did you mean acme?"),
        ({"flow": "remnd"}, 1, "has no flow 'remnd'; its flows: ask, line, remind"),
        ({"channel": "night"}, 1, "night"),
        ({"inputs": {}}, 1, "remind needs the input account_id"),
        ({"inputs": {"account": "A-1001"}}, 1, "remind has no input 'account'"),
    ],
)
def test_a_job_is_checked_against_what_was_pulled(
    pulled: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, Any],
    code: int,
    said: str,
) -> None:
    job = {name: value for name, value in {**REMIND, **change}.items() if value is not None}
    pulled.write_text(json.dumps(job))
    assert run(["job", "check", str(pulled)]) == code
    out, err = capsys.readouterr()
    told = out if code == 0 else err
    assert told.count("\n") == 1
    assert said in told
    assert PARTY not in out + err
    assert "2025550143" not in out + err


def test_without_a_release_the_form_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "none"))
    file = tmp_path / "job.json"
    file.write_text(json.dumps(REMIND))
    assert run(["job", "check", str(file)]) == 0
    assert f"no release is in {tmp_path}/none/releases" in capsys.readouterr().out
    assert not (tmp_path / "none").exists()
    file.write_text("{\n x")
    assert run(["job", "check", str(file)]) == 2
    assert "job.json, line 2: this is no JSON" in capsys.readouterr().err
    assert run(["job", "check", str(tmp_path / "other.json")]) == 2
    assert "No such file" in capsys.readouterr().err
