"""`trunkline-runtime worker`: what it needs, said in one sentence. See also `test_processes`."""

from pathlib import Path

import pytest
from livekit_server import KEY, SECRET, LiveKitServer
from phone_shop import phone_shop

from trunkline_runtime.commands.main import run


@pytest.fixture
def environment(
    tmp_path: Path, livekit: LiveKitServer, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    given = {
        "LIVEKIT_URL": livekit.url,
        "LIVEKIT_API_KEY": KEY,
        "LIVEKIT_API_SECRET": SECRET,
        "TRUNKLINE_LLM_BASE_URL": f"{livekit.url}/v1",
        "TRUNKLINE_STATE_DIR": str(tmp_path / "state"),
        "TRUNKLINE_STORE": str(tmp_path / "store"),
    }
    for name in ("TRUNKLINE_TRUSTED_KEYS", "TRUNKLINE_LEDGER_URL", "TRUNKLINE_FALLBACK_NUMBER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    phone_shop(tmp_path).publish()
    return given


@pytest.mark.parametrize(
    ("setting", "arguments", "said"),
    [
        ({"LIVEKIT_URL": "", "LIVEKIT_API_KEY": ""}, [], "needs LIVEKIT_URL, LIVEKIT_API_KEY in"),
        ({"TRUNKLINE_LLM_BASE_URL": ""}, ["--unsigned"], "needs TRUNKLINE_LLM_BASE_URL in"),
        ({}, [], "needs the keys that it trusts (TRUNKLINE_TRUSTED_KEYS)"),
        (
            {"TRUNKLINE_LEDGER_URL": "postgresql://nobody@127.0.0.1:9/none"},
            ["--unsigned"],
            "the gate cannot keep its books in",
        ),
        ({"TRUNKLINE_LEDGER_URL": "mysql://x"}, ["--unsigned"], "must begin with postgresql://"),
        ({"TRUNKLINE_FALLBACK_NUMBER": "911"}, ["--unsigned"], "FALLBACK_NUMBER is no number"),
        ({"TRUNKLINE_STORE": "/nowhere"}, ["--unsigned"], "there is no store at /nowhere"),
    ],
)
def test_it_does_not_start_without_what_it_needs(
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    setting: dict[str, str],
    arguments: list[str],
    said: str,
) -> None:
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    assert run(["worker", *arguments]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line
