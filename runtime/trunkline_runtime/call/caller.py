"""What the caller does: speaks, presses a key, is silent, hangs up."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from livekit.agents import RunResult

from trunkline_runtime.call.act import AskModel, next_act
from trunkline_runtime.call.collect import collect
from trunkline_runtime.call.confirm import answered
from trunkline_runtime.call.ending import HUNG_UP
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.history import Said
from trunkline_runtime.call.keys import Typed, pressed, typed_into
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.silence import fell_silent, silence_of, waits_for_caller
from trunkline_runtime.table.nodes import ConfirmNode, TalkNode

_ASK_ABOUT_SILENCE = (
    "The caller has said nothing for a while. Ask in a few words if they are there."
)
# How long a hang-up waits for what is being said to stop.
_STOP_SECONDS = 10.0
_LOOK_SECONDS = 0.02
# How long words that were interrupted may take to stop.
_QUIET_SECONDS = 0.25


class Caller:
    """The caller's side of a call. Each method returns when the call waits for the caller again."""

    def __init__(self, live: LiveCall) -> None:
        self._live = live
        self._call = live.call
        # Called when a key is pressed: whoever waits for a silence waits anew.
        self.on_key: Callable[[], None] | None = None
        self._silent_seconds = 0.0

    async def says(self, words: str) -> None:
        """Says something, in a text call."""
        if self._call.state.over:
            return
        self._silent_seconds = 0.0
        await self._is_heard(words)

    async def presses(self, key: str) -> None:
        """Presses one key of the telephone."""
        await self._floor()
        state = self._call.state
        if state.over or state.closing:
            return
        self._silent_seconds = 0.0
        state.visit.silences = 0
        state.history.append(Said("caller", f"[key {key}]", state.node, self._call.now()))
        if self.on_key is not None:
            self.on_key()
        meaning, node = pressed(self._call, key), self._call.node
        if isinstance(meaning, Typed) and isinstance(node, TalkNode):
            if not meaning.done:
                state.visit.typed[meaning.slot] = state.visit.typed.get(meaning.slot, "") + key
                self._live.keep()
                return
            self._take_typed(node, meaning.slot)
        elif isinstance(meaning, Move):
            self._live.move(meaning)
        elif isinstance(node, ConfirmNode) and meaning in ("yes", "no", "unclear"):
            self._live.move(answered(self._call, node, meaning))
        else:
            await self._is_heard(f"(pressed {key})")
            return
        await self._live.go_on()

    async def _is_heard(self, words: str) -> None:
        """Waits until the words have been answered; a session that just opens hears them too."""
        await self._live.opened()
        if self._call.state.over:
            return
        try:
            run: RunResult[Any] = self._live.session.run(user_input=words)
        except RuntimeError:
            # LiveKit runs one at a time, and the first words of the call are still being spoken.
            await self._live.generate(user_input=words)
            return
        await self._live.wait_for(run)

    def _take_typed(self, node: TalkNode, slot: str) -> None:
        digits = self._call.state.visit.typed.pop(slot, "")
        collect(self._call, node, {slot: digits})
        # asked for once more in its exact words, if it was not taken
        self._call.state.visit.asked.discard(slot)
        self._live.move(None)

    async def is_silent_for(self, seconds: float) -> None:
        """Says nothing for so long: the time counts on from the silence before."""
        self._silent_seconds += seconds
        while waits_for_caller(self._call):
            patience = silence_of(self._call).after_seconds
            if self._silent_seconds < patience:
                return
            self._silent_seconds -= patience
            await self.let_time_run_out()

    async def let_time_run_out(self) -> None:
        """Was silent for as long as this node waits."""
        if not waits_for_caller(self._call):
            return
        self._live.ledger.rounds = 0
        slot, node = typed_into(self._call), self._call.node
        if slot is not None and isinstance(node, TalkNode):
            # nobody has told them to end it with a key
            self._take_typed(node, slot)
            await self._live.go_on()
            return
        move = fell_silent(self._call)
        if move is not None:
            self._live.move(move)
        elif isinstance(next_act(self._call, None), AskModel):
            await self._live.generate(instructions=_ASK_ABOUT_SILENCE)
            return
        await self._live.go_on()

    async def hangs_up(self) -> None:
        """Hangs up: tools in flight settle, and the record is completed."""
        state = self._call.state
        if not state.over:
            state.outcome = state.outcome or HUNG_UP
            state.over = True
            # A speech that began a tool ends with it, so what is for nobody now ends first.
            self._live.let_go()
            with contextlib.suppress(RuntimeError, TimeoutError):
                async with asyncio.timeout(_STOP_SECONDS):
                    await self._live.session.interrupt(force=True)
        await self._live.finish()

    async def _floor(self) -> None:
        """Stops what is being said, or waits until what may not be stopped is said."""
        session = self._live.session
        while (speech := session.current_speech) is not None and not self._call.state.over:
            if speech.allow_interruptions:
                with contextlib.suppress(RuntimeError):
                    # A tool that the speech began may take long; the words stop at once.
                    await asyncio.wait([session.interrupt()], timeout=_QUIET_SECONDS)
                return
            await asyncio.sleep(_LOOK_SECONDS)
