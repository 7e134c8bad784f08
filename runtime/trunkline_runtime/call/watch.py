"""Time that passes in a real call: silence that lasts too long, and a call that does.

In a text call nobody's clock runs while somebody types; a call with a voice is watched.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

from trunkline_runtime.call.act import seconds_left, time_is_up
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.silence import silence_of, waits_for_caller

_SHORTEST_WAIT_SECONDS = 0.05


class Watch:
    """Watches one call until it is over. Begin it after the call has started."""

    def __init__(self, live: LiveCall, caller: Caller) -> None:
        self._live = live
        self._caller = caller
        self._silence: asyncio.TimerHandle | None = None
        self._length: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        session = self._live.session
        session.on("agent_state_changed", self._state_changed)
        session.on("user_state_changed", self._state_changed)
        self._caller.on_key = self._wait_for_silence
        self._wait_for_silence()
        self._wait_for_end()

    def end(self) -> None:
        for timer in (self._silence, self._length):
            if timer is not None:
                timer.cancel()
        for task in self._tasks:
            task.cancel()

    def _state_changed(self, _: Any) -> None:
        self._wait_for_silence()

    def _wait_for_silence(self) -> None:
        """Counts only while both sides are silent and it is the caller's turn."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        session = self._live.session
        quiet = session.agent_state == "listening" and session.user_state != "speaking"
        if quiet and waits_for_caller(self._live.call):
            seconds = silence_of(self._live.call).after_seconds
            self._silence = asyncio.get_running_loop().call_later(seconds, self._fell_silent)

    def _fell_silent(self) -> None:
        self._silence = None
        self._run(self._break_silence())

    async def _break_silence(self) -> None:
        await self._caller.let_time_run_out()
        if self._silence is None:
            self._wait_for_silence()

    def _wait_for_end(self) -> None:
        left = max(seconds_left(self._live.call), _SHORTEST_WAIT_SECONDS)
        self._length = asyncio.get_running_loop().call_later(left, self._time_is_up)

    def _time_is_up(self) -> None:
        if self._live.state.over:
            return
        if time_is_up(self._live.call):
            self._run(self._live.go_on())
        elif not self._live.state.limited:
            self._wait_for_end()

    def _run(self, what: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
