"""What a worker finds on its machine: voices, dialled numbers, the policy, who holds what."""

from pathlib import Path
from typing import Any

import pytest
from livekit.agents import inference
from livekit.plugins import openai
from phone_shop import phone_shop

from trunkline_runtime.commands.followed import followed
from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.follower import Follower
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.release.unavailable import Unavailable
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.worker.fleet_view import FleetView
from trunkline_runtime.worker.held_pin import holding
from trunkline_runtime.worker.lines_here import NoTenant, tenant_of, write_lines
from trunkline_runtime.worker.policy_here import PolicyHere
from trunkline_runtime.worker.station import Station
from trunkline_runtime.worker.tracing import provider_here
from trunkline_runtime.worker.voices import voices_of


def settings(**voice: Any) -> TenantSettings:
    return TenantSettings.from_document(
        {
            "schema_version": 1,
            "id": "acme",
            "display_name": "Acme",
            "timezone": "America/New_York",
            "voice": voice,
        }
    )


@pytest.fixture(autouse=True)
def no_voices(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("STT", "TTS"):
        for name in ("BASE_URL", "MODEL", "API_KEY", "VOICE"):
            monkeypatch.delenv(f"TRUNKLINE_{kind}_{name}", raising=False)
    monkeypatch.setenv("LIVEKIT_API_KEY", "key")
    monkeypatch.setenv("LIVEKIT_API_SECRET", "secret")


async def test_voices_of_a_server_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUNKLINE_STT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("TRUNKLINE_TTS_BASE_URL", "http://127.0.0.1:9/v1")
    tts = {"model": "kokoro", "voice": "af_sky", "speed": 1.1}
    voices = voices_of(settings(stt="whisper-large-v3", tts=tts), "en-US")
    assert isinstance(voices.ears, openai.STT)
    assert isinstance(voices.mouth, openai.TTS)
    assert (voices.ears.model, voices.mouth.model) == ("whisper-large-v3", "kokoro")
    monkeypatch.setenv("TRUNKLINE_STT_MODEL", "parakeet")
    assert voices_of(settings(stt="whisper", tts=tts), "en-US").ears.model == "parakeet"
    assert set(voices.options()) == {"stt", "tts", "vad", "turn_handling"}


async def test_voices_of_livekits_service() -> None:
    voices = voices_of(settings(stt="deepgram/nova-3", tts="cartesia/sonic-3"), "en-US")
    assert isinstance(voices.ears, inference.STT)
    assert isinstance(voices.mouth, inference.TTS)


@pytest.mark.parametrize(
    ("voice", "said"),
    [
        ({}, "which model hears: set TRUNKLINE_STT_MODEL, or `voice.stt`"),
        ({"stt": "deepgram/nova-3"}, "which model speaks"),
        ({"stt": "whisper"}, "'whisper' is no model of LiveKit's inference service"),
        (
            {"stt": "deepgram/nova-3", "tts": {"model": "cartesia/sonic-3", "speed": 2.0}},
            "needs a server of TRUNKLINE_TTS_BASE_URL",
        ),
    ],
)
async def test_voices_that_nobody_can_have(voice: dict[str, Any], said: str) -> None:
    with pytest.raises(FatalError, match=said):
        voices_of(settings(**voice), "en-US")


def test_a_dialled_number_leads_to_one_tenant(station: Station) -> None:
    assert tenant_of(station.cache, "+12025550110") == "acme"
    with pytest.raises(NoTenant, match="belongs to no tenant"):
        tenant_of(station.cache, "+12025550111")
    release = current_release(station.cache, "acme")
    write_lines(station.cache, [release, release])
    with pytest.raises(NoTenant, match="belongs to acme and acme"):
        tenant_of(station.cache, "+12025550110")
    with pytest.raises(NoTenant, match="no tenant's numbers are known here yet"):
        tenant_of(station.cache / "nowhere", "+12025550110")


def test_a_newer_policy_is_read_and_an_old_one_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = phone_shop(tmp_path)
    shop.publish()
    cache, board = tmp_path / "cache", PinBoard()
    follower = Follower(shop.source, cache, board, ["acme"])
    follower.poll()
    here = PolicyHere(cache)
    first = here.policy()
    assert here.policy() is first
    assert here.settings("acme") is here.settings("acme")
    policy = dict(shop.compiled.policy)
    policy["dnc.yaml"] = {"schema_version": 1, "lists": []}
    policy["exceptions.yaml"] = {"schema_version": 1, "exceptions": []}
    shop.change(policy=policy)
    shop.publish()
    follower.poll()
    assert here.policy().digest != first.digest
    with pytest.raises(FatalError, match="no release of nobody"):
        here.settings("nobody")


async def test_metrics_show_what_the_processes_of_calls_hold(station: Station) -> None:
    board = PinBoard()
    release = current_release(station.cache, "acme")
    board.adopt(release)
    view = FleetView(board, station.cache)
    assert [(row.release.tag, row.calls) for row in view.standings()] == [("v1", 0)]
    pin = board.take("acme", "line")
    async with holding(station.cache, pin):
        assert [(row.channels, row.calls) for row in view.standings()] == [(("stable",), 1)]
    assert [row.calls for row in view.standings()] == [0]


def test_traces_go_nowhere_unless_a_collector_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", raising=False)
    assert provider_here() is None
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    provider = provider_here()
    assert provider is not None
    provider.shutdown()
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "-1")
    assert provider_here() is None, "traces are never worth a call"


class NotToBeHad:
    """A store that can't be asked now."""

    def tenants(self) -> list[str]:
        raise Unavailable("the registry can't be read")


def test_a_worker_starts_without_a_store_on_what_is_here(
    station: Station, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source: Any = NotToBeHad()
    assert followed((), source, station.cache) == ("acme", "birch")
    assert "can't be read; followed are the tenants that are here: acme, birch" in caplog.text
    assert followed((), FolderSource(tmp_path / "nowhere"), station.cache) == ("acme", "birch")
    with pytest.raises(FatalError, match="can't be read"):
        followed((), source, tmp_path / "empty")
    with pytest.raises(FatalError, match="there is no store at"):
        followed((), FolderSource(tmp_path / "nowhere"), tmp_path / "empty")
