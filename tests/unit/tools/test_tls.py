"""One TLS context for everything that a process asks: contexts are counted, not seconds."""

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from trunkline_runtime import tls
from trunkline_runtime.call.model_here import ModelHere
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.release.transport import HttpTransport
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.http import HttpRunner
from trunkline_runtime.tools.kinds import dispatcher_of
from trunkline_runtime.tools.runner import ToolContext
from trunkline_runtime.tools.slow_models import SlowModels
from trunkline_runtime.worker.voices import voices_of

NOBODY = "http://127.0.0.1:1"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The threads in which a context was made, by whatever library, since the test began."""
    threads: list[str] = []
    make = ssl.SSLContext.__new__

    def counted(cls: type[ssl.SSLContext], *args: Any, **options: Any) -> ssl.SSLContext:
        threads.append(threading.current_thread().name)
        return make(cls, *args, **options)

    tls._made.cache_clear()
    monkeypatch.setattr(ssl.SSLContext, "__new__", counted)
    yield threads
    tls._made.cache_clear()


async def test_every_client_of_a_process_shares_one(
    made: list[str],
    catalogue: Mapping[str, ToolEntry],
    tenant: Callable[[str], TenantSettings],
    context: Callable[..., ToolContext],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for kind in ("LLM", "STT", "TTS"):
        monkeypatch.setenv(f"TRUNKLINE_{kind}_BASE_URL", NOBODY)
        monkeypatch.setenv(f"TRUNKLINE_{kind}_MODEL", "any")
    HttpTransport()
    for _ in range(5):
        models = SlowModels({"TRUNKLINE_LLM_BASE_URL": NOBODY, "TRUNKLINE_LLM_MODEL": "any"})
        models(catalogue["analyze_question"], context("atlas-research"))
        model = ModelHere(NOBODY, "any", "key").for_session()
        voices_of(tenant("atlas-research"), "en-US")
        async with HttpRunner({}):
            pass
        await models.aclose()
        await model.aclose()
    assert len(made) == 1


async def test_the_first_is_not_made_where_callers_are_heard(made: list[str]) -> None:
    call: Any = type("Call", (), {"entries": {}})()
    gate: Any = None
    async with dispatcher_of(call, gate, environment={}):
        pass
    assert len(made) == 1
    assert made != [threading.main_thread().name]


async def test_a_model_that_is_closed_closes_its_connections() -> None:
    model = ModelHere(NOBODY, "any", "key").for_session()
    assert not model._client.is_closed()
    await model.aclose()
    assert model._client.is_closed()
