"""`trunkline-runtime worker`: what it needs, said in one sentence, and a server that it joins."""

import signal
import socket
import subprocess
import sys
import urllib.request
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


def test_it_joins_a_server_shows_metrics_and_ends_on_sigterm(
    environment: dict[str, str], livekit: LiveKitServer, tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    port = _free_port()
    command = ["worker", "--unsigned", "--port", "0", "--metrics-port", str(port)]
    command += ["--agent-name", "acme-calls", "--every", "0.3", "--idle-processes", "0"]
    with log.open("w") as written:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("trunkline-runtime"), *command],
            stdout=written,
            stderr=written,
        )
    try:
        (said, *_) = livekit.until(lambda: livekit.worker_said("register"))
        assert said.register.agent_name == "acme-calls"
        shown = livekit.until(lambda: _metrics(port))
        assert 'trunkline_channel_release_info{channel="stable"' in shown
        assert "lk_agents_" in shown, "LiveKit's own metrics are on the same port"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()
    assert "Traceback" not in log.read_text()


def _metrics(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = str(answer.read().decode())
    except OSError:
        return ""
    return text if "trunkline_channel_release_info{" in text else ""


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
