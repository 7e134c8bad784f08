"""A worker whose lines have no sound: what a caller says stands in a file, a line for each turn.

Everything else is the real thing: the server, its processes, its jobs, its calls.
"""

import asyncio
import logging
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from livekit.agents import JobContext

from trunkline_runtime.call.caller import Caller
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.follower import Follower
from trunkline_runtime.release.housekeeping import Housekeeping
from trunkline_runtime.release.store import open_source
from trunkline_runtime.release.workers import WorkerReport
from trunkline_runtime.worker.line import Party
from trunkline_runtime.worker.server import Aftercare, Following, make_server, serve
from trunkline_runtime.worker.sip import Trunk
from trunkline_runtime.worker.station import Station


class FileLine:
    """A line whose caller is `words` in the folder of `WORD_LINE`, and is there if `party` is."""

    def __init__(self, ctx: JobContext) -> None:
        self.folder = Path(os.environ["WORD_LINE"])
        self.room = ctx.job.room.name
        self.id = ctx.job.room.sid
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self) -> None:
        (self.folder / "pid").write_text(str(os.getpid()))

    def party(self) -> Party | None:
        there = (self.folder / "party").exists()
        return Party("party", "+12025550143", "+12025550110") if there else None

    async def await_party(self, seconds: float) -> Party | None:
        return self.party()

    def session_options(self, identity: str) -> Mapping[str, Any]:
        return {}

    def follow(self, caller: Caller) -> None:
        task = asyncio.ensure_future(self._talk(caller))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _talk(self, caller: Caller) -> None:
        words = self.folder / "words"
        while True:
            if words.exists():
                said = words.read_text()
                words.unlink()
                await caller.says(said)
            await asyncio.sleep(0.02)

    async def say(self, words: str, mouth: Any) -> None:
        (self.folder / "told").write_text(words)

    async def until_someone_leaves(self) -> None:
        """A test does not wait."""


def no_voices(settings: Any, language: str) -> None:
    """A line without sound has none."""


def main() -> None:
    """`STATE STORE URL KEY SECRET`: runs until SIGTERM."""
    logging.basicConfig(level=logging.INFO)
    state, store, url, key, secret = sys.argv[1:]
    station = Station(Path(state) / "releases", Path(state), url, key, secret, Trunk("ST_1"))
    board = PinBoard()
    follower = Follower(open_source(store), station.cache, board, ["acme"])
    server = make_server(
        station,
        port=0,
        idle_processes=0,
        load_threshold=math.inf,
        line_of=FileLine,
        voices=no_voices,
    )
    with WorkerReport(station.cache) as report:
        keeping = Housekeeping(station.cache, board, report)
        with Following(station, follower, board, keeping, 0.2):
            asyncio.run(serve(server, Aftercare(station)))
