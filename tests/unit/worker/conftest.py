"""A worker's place with a published tenant, LiveKit's services on loopback, and a line of words."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from livekit_server import KEY, SECRET, LiveKitServer
from phone_shop import phone_shop

from trunkline_runtime.call.caller import Caller
from trunkline_runtime.gate.chain import records
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.follower import Follower
from trunkline_runtime.worker.line import Party
from trunkline_runtime.worker.lines_here import write_lines
from trunkline_runtime.worker.phone_call import PhoneCall
from trunkline_runtime.worker.sip import SipLine, Trunk
from trunkline_runtime.worker.station import Station


@pytest.fixture
def livekit() -> Iterator[LiveKitServer]:
    with LiveKitServer() as server:
        yield server


@pytest.fixture
def station(tmp_path: Path, livekit: LiveKitServer, monkeypatch: pytest.MonkeyPatch) -> Station:
    """A worker's place that follows a store with one tenant."""
    shop = phone_shop(tmp_path)
    shop.publish()
    cache = tmp_path / "state" / "releases"
    board = PinBoard()
    follower = Follower(shop.source, cache, board, ["acme"])
    follower.poll()
    assert (follower.fault("acme"), follower.fault("_policy")) == (None, None)
    write_lines(cache, [board.rollout("acme").stable])  # type: ignore[union-attr]
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", f"{livekit.url}/v1")
    monkeypatch.setenv("TRUNKLINE_LLM_MODEL", "test")
    for name in ("TRUNKLINE_LEDGER_URL", "TRUNKLINE_RECORD_COPY", "TRUNKLINE_NUMBER_KEY"):
        monkeypatch.delenv(name, raising=False)
    return Station(
        cache, tmp_path / "state", livekit.url, KEY, SECRET, Trunk("ST_1"), "+12025550198"
    )


class WordLine:
    """A line without sound: what the caller says is given, one thing after the other."""

    def __init__(self, words: Sequence[str] = (), party: Party | None = None) -> None:
        self.room, self.id = "room-1", "RM_1"
        self.words = list(words)
        self.there = party
        self.told: list[str] = []
        self.heard: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self) -> None:
        """There is no room."""

    def party(self) -> Party | None:
        return self.there

    async def await_party(self, seconds: float) -> Party | None:
        """Who is dialled comes if they have anything to say."""
        return self.there or (Party("party") if self.words else None)

    def session_options(self, identity: str) -> Mapping[str, Any]:
        return {}

    def follow(self, caller: Caller) -> None:
        async def talk() -> None:
            live = caller._live
            while live.session.current_speech is not None or not live.state.history:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            for words in self.words:
                if words == "(hangs up)":
                    await caller.hangs_up()
                else:
                    await caller.says(words)

        task = asyncio.ensure_future(talk())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def say(self, words: str, mouth: Any) -> None:
        self.told.append(words)

    async def until_someone_leaves(self) -> None:
        """They stay for ever; a test does not."""


class Held:
    """Holds calls in this process, as the process of a job does."""

    def __init__(self, station: Station) -> None:
        self.station = station

    async def __call__(self, line: WordLine, metadata: str) -> Any:
        sip = SipLine(self.station.url, KEY, SECRET)
        try:
            call = PhoneCall(self.station, line, sip, voices=lambda *_: None)
            return await call.hold(metadata)
        finally:
            await sip.aclose()

    @property
    def records(self) -> list[Mapping[str, Any]]:
        return list(records(self.station.state / "calls"))


@pytest.fixture
def hold(station: Station, monkeypatch: pytest.MonkeyPatch) -> Held:
    monkeypatch.setattr(
        "trunkline_runtime.worker.refusal.mouth_of", lambda settings, language: None
    )
    return Held(station)


@pytest.fixture
def word_line() -> type[WordLine]:
    return WordLine
