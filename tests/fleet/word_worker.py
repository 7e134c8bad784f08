"""A worker whose lines have no sound: what a caller says stands in a file, a line for each turn.

Everything else is the real thing: the server, its processes, its jobs, its calls.
"""

import asyncio
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from livekit.agents import JobContext

from trunkline_runtime.call.caller import Caller
from trunkline_runtime.commands.main import run
from trunkline_runtime.worker import server
from trunkline_runtime.worker.line import Party


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
    """`trunkline-runtime` with these arguments, on these lines; however busy the machine is."""
    real = server.make_server

    def made(*arguments: Any, **options: Any) -> Any:
        chosen = {"line_of": FileLine, "voices": no_voices, "load_threshold": math.inf}
        return real(*arguments, **{**options, **chosen})

    server.make_server = made
    sys.exit(run(sys.argv[1:]))
