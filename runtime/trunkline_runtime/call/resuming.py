"""How a call goes on by itself after words that were cut off, or that could not do what was due."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from livekit.agents import AgentSession, SpeechCreatedEvent
from livekit.agents.voice import SpeechHandle

from trunkline_runtime.call.act import Do, Speak, next_act
from trunkline_runtime.call.batch import guard
from trunkline_runtime.call.call import Call

# After an interruption that no turn of the caller follows, the call goes on by itself.
_RESUME_SECONDS = 1.0


class Resuming:
    """Looks after the speeches of one call. `go_on` says and does what is due, if anything is."""

    def __init__(
        self,
        call: Call,
        session: Callable[[], AgentSession[Any]],
        go_on: Callable[[], Awaitable[None]],
    ) -> None:
        self._call = call
        self._session = session
        self._go_on = go_on
        self._tasks: set[asyncio.Task[None]] = set()
        self._resuming: asyncio.Task[None] | None = None

    def speech_created(self, event: SpeechCreatedEvent) -> None:
        """Nobody may interrupt some words; what of the others is cut off is said again."""
        guard(self._call, event.speech_handle)
        event.speech_handle.add_done_callback(self._speech_done)

    def after(self, speech: SpeechHandle) -> None:
        """Goes on with what is owed after a speech that was interrupted, if nothing else does."""

        async def resume() -> None:
            await speech
            await asyncio.sleep(_RESUME_SECONDS)
            session = self._session()
            quiet = session.current_speech is None and session.user_state != "speaking"
            if quiet and self._is_owed():
                await self._go_on()

        if self._resuming is None or self._resuming.done():
            self._resuming = self.soon(resume())

    def later(self, speech: SpeechHandle | None) -> None:
        """Goes on after a speech that could not do what is due, unless something else does."""

        async def resume() -> None:
            if speech is not None:
                await speech
            await asyncio.sleep(0)
            if self._session().current_speech is None and not self._call.state.over:
                await self._go_on()

        self.soon(resume())

    def soon(self, what: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs beside the call, until the call ends."""
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def give_up(self) -> None:
        """The call is over: nothing goes on."""
        for task in self._tasks:
            task.cancel()

    def _speech_done(self, speech: SpeechHandle) -> None:
        """A reply that was cut off before it began has said nothing of what it owed."""
        if speech.interrupted and self._is_owed():
            self.after(speech)

    def _is_owed(self) -> bool:
        return isinstance(next_act(self._call, None), Speak | Do)
