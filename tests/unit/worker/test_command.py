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
        ({"LIVEKIT_URL": "foo"}, ["--unsigned"], "LIVEKIT_URL is no address: it begins with ws://"),
        ({"LIVEKIT_URL": "ws://"}, ["--unsigned"], "LIVEKIT_URL is no address"),
        (
            {"TRUNKLINE_LLM_BASE_URL": "not-a-url", "TRUNKLINE_TTS_BASE_URL": "http://h:port"},
            ["--unsigned"],
            "TRUNKLINE_LLM_BASE_URL is no address: it begins with http:// or https:// and names a "
            "host; TRUNKLINE_TTS_BASE_URL is no address",
        ),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"},
            ["--unsigned"],
            "OTEL_EXPORTER_OTLP_ENDPOINT is no address: it begins with http:// or https:// and",
        ),
        (
            {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "grpc://collector"},
            ["--unsigned"],
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is no address",
        ),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:1", "OTEL_BSP_MAX_QUEUE_SIZE": "-1"},
            ["--unsigned"],
            "OpenTelemetry does not take what its OTEL_… variables say here (ValueError)",
        ),
        ({"TRUNKLINE_SIP_NUMBER": "911"}, ["--unsigned"], "SIP_NUMBER is no number: write +"),
        ({"TRUNKLINE_LLM_BASE_URL": "ws://host"}, ["--unsigned"], "LLM_BASE_URL is no address"),
        ({}, ["--unsigned", "acm"], "holds a release of 'acm'; the store's tenants: acme"),
        (
            {"LIVEKIT_API_KEY": "", "TRUNKLINE_STORE": "", "TRUNKLINE_FALLBACK_NUMBER": "911"},
            [],
            "a worker needs LIVEKIT_API_KEY in its environment; a worker needs a store: --from "
            "STORE, or TRUNKLINE_STORE; a worker needs the keys that it trusts "
            "(TRUNKLINE_TRUSTED_KEYS); --unsigned runs without; TRUNKLINE_FALLBACK_NUMBER is no",
        ),
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
