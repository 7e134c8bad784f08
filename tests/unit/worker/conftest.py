"""A worker's place with a published tenant, LiveKit's services on loopback, and a line of words."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from livekit_server import KEY, SECRET, LiveKitServer
from phone_shop import phone_shop
from shop import Shop

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


TENANTS = ("acme", "birch")


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """A store with two tenants who call and are called."""
    made = phone_shop(tmp_path, TENANTS)
    made.publish()
    return made


Place = Callable[[str], Station]


@pytest.fixture
def place(
    tmp_path: Path, shop: Shop, livekit: LiveKitServer, monkeypatch: pytest.MonkeyPatch
) -> Place:
    """Makes a worker's place, by its name, or lets one that is there follow the store once more."""
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", f"{livekit.url}/v1")
    monkeypatch.setenv("TRUNKLINE_LLM_MODEL", "test")
    for name in ("TRUNKLINE_LEDGER_URL", "TRUNKLINE_RECORD_COPY", "TRUNKLINE_NUMBER_KEY"):
        monkeypatch.delenv(name, raising=False)

    def placed(name: str) -> Station:
        state = tmp_path / name
        board = PinBoard()
        follower = Follower(shop.source, state / "releases", board, TENANTS)
        follower.poll()
        assert [follower.fault(name) for name in (*TENANTS, "_policy")] == [None] * 3
        rollouts = [board.rollout(tenant) for tenant in TENANTS]
        write_lines(state / "releases", [one.stable for one in rollouts if one is not None])
        return Station(
            state / "releases", state, livekit.url, KEY, SECRET, Trunk("ST_1"), "+12025550198"
        )

    return placed


@pytest.fixture
def station(place: Place) -> Station:
    """The place of the only worker."""
    return place("state")


class WordLine:
    """A line without sound: what the caller says is given, one thing after the other."""

    def __init__(self, words: Sequence[str] = (), party: Party | None = None) -> None:
        self.room, self.id = "room-1", "RM_1"
        self.words = list(words)
        self.there = party
        self.told: list[str] = []
        self.joined = False
        self.heard: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self) -> None:
        self.joined = True

    def party(self) -> Party | None:
        """Nobody is seen in a room that was not joined."""
        return self.there if self.joined else None

    async def await_party(self, seconds: float) -> Party | None:
        """Who is dialled comes if they have anything to say."""
        return self.party() or (Party("party") if self.words and self.joined else None)

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
def held_at() -> type[Held]:
    """Holds calls at a place of one's own."""
    return Held


@pytest.fixture
def word_line() -> type[WordLine]:
    return WordLine
