"""A call that runs: the session, and what can happen to a call from outside.

The caller speaks, presses a key, is silent or hangs up; the rest is between LiveKit's turn loop and
the agent. Text calls and voice calls differ only in the models that are given to the session.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from livekit.agents import (
    AgentSession,
    APIConnectOptions,
    CloseEvent,
    ConversationItemAddedEvent,
    RunResult,
    SpeechCreatedEvent,
    llm,
)
from livekit.agents.voice import SpeechHandle
from livekit.agents.voice.agent_session import SessionConnectOptions

from trunkline_runtime.call.act import AskModel, Do, Speak, next_act
from trunkline_runtime.call.agent import FlowAgent
from trunkline_runtime.call.batch import Batches, guard
from trunkline_runtime.call.begin import begin
from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collect import collect
from trunkline_runtime.call.confirm import answered
from trunkline_runtime.call.ending import HUNG_UP, after_call, keep_contact
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.generation import Maker
from trunkline_runtime.call.history import Said
from trunkline_runtime.call.keys import Typed, pressed
from trunkline_runtime.call.ledger import Ledger
from trunkline_runtime.call.perform import Performer
from trunkline_runtime.call.settle import decide
from trunkline_runtime.call.silence import fell_silent, silence_of, waits_for_caller
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.transfers import Transfers
from trunkline_runtime.gate.request import Gate
from trunkline_runtime.table.nodes import ConfirmNode, TalkNode
from trunkline_runtime.tools.dispatcher import Dispatcher

logger = logging.getLogger("trunkline.call")

# A turn may pass many nodes without the caller; how often a model may call tools in a row is
# limited by the ledger, and a circle of nodes by their visits.
_MAX_TOOL_STEPS = 1000
_ASK_ABOUT_SILENCE = (
    "The caller has said nothing for a while. Ask in a few words if they are there."
)


class LiveCall:
    """One call from its first word to its record."""

    def __init__(
        self,
        call: Call,
        *,
        gate: Gate,
        dispatcher: Dispatcher,
        transfers: Transfers,
        model: llm.LLM[Any],
        session_options: Mapping[str, Any] | None = None,
    ) -> None:
        self.call = call
        self.ledger = Ledger()
        self.ended = asyncio.Event()
        self._gate = gate
        self._dispatcher = dispatcher
        self._typed = ""
        self._silent_seconds = 0.0
        self._finishing: asyncio.Task[None] | None = None
        self._resuming: set[asyncio.Task[None]] = set()
        self._batches = Batches(call, self.ledger, self._resume_after)
        maker = Maker(call, self.ledger, dispatcher, Performer(call, gate, transfers))
        self.agent = FlowAgent(maker)
        options: dict[str, Any] = {"vad": None, "turn_handling": {"turn_detection": None}}
        self.session: AgentSession[CallState] = AgentSession(
            llm=model,
            userdata=call.state,
            max_tool_steps=_MAX_TOOL_STEPS,
            # Silence is the flow's own business.
            user_away_timeout=None,
            conn_options=SessionConnectOptions(
                llm_conn_options=APIConnectOptions(max_retry=1, retry_interval=0.3, timeout=15.0)
            ),
            **{**options, **(session_options or {})},
        )
        self.session.on("function_tools_executed", self._batch_settled)
        self.session.on("speech_created", self._speech_created)
        self.session.on("conversation_item_added", self._item_added)
        self.session.on("close", self._session_closed)

    @property
    def state(self) -> CallState:
        return self.call.state

    async def start(self) -> None:
        """Begins the call and returns when its first words are spoken (or its last)."""
        try:
            begin(self.call)
        except Exception as error:
            logger.exception("the call could not begin")
            self._batches.failed(str(error))
        if self.state.over:
            await self._finish(None)
            return
        await self._quietly(await self.session.start(self.agent, capture_run=True, record=False))

    async def hear(self, words: str) -> None:
        """The caller says something. Returns when the call has answered and waits again."""
        if self.state.over:
            return
        self._silent_seconds = 0.0
        await self._quietly(self.session.run(user_input=words))

    async def press(self, key: str) -> None:
        """The caller presses a key."""
        await self._take_floor()
        if self.state.over or self.state.closing:
            return
        self._silent_seconds = 0.0
        self.state.history.append(Said("caller", f"[key {key}]", self.state.node, self.call.now()))
        meaning = pressed(self.call, key)
        if isinstance(meaning, Move):
            self._decide(meaning)
        elif isinstance(meaning, Typed):
            if not meaning.done:
                self._typed += key
                return
            self._take_typed(meaning.slot)
        elif meaning is not None and isinstance(self.call.node, ConfirmNode):
            self._decide(answered(self.call, self.call.node, meaning))
        else:
            await self._quietly(self.session.run(user_input=f"(pressed {key})"))
            return
        await self._go_on()

    async def pass_silence(self, seconds: float) -> None:
        """The caller says nothing for so long."""
        self._silent_seconds += seconds
        while waits_for_caller(self.call):
            patience = silence_of(self.call).after_seconds
            if self._silent_seconds < patience:
                return
            self._silent_seconds -= patience
            await self.fall_silent()

    async def fall_silent(self) -> None:
        """The caller let the time run out once."""
        if not waits_for_caller(self.call):
            return
        self.ledger.rounds = 0
        move = fell_silent(self.call)
        if move is not None:
            self._decide(move)
        if isinstance(next_act(self.call, None), AskModel) and move is None:
            await self._generate(instructions=_ASK_ABOUT_SILENCE)
        else:
            await self._go_on()

    async def hang_up(self) -> None:
        """The caller hangs up: tools in flight settle, the record is completed."""
        if not self.state.over:
            self.state.outcome = self.state.outcome or HUNG_UP
            self.state.over = True
            with contextlib.suppress(RuntimeError):
                await asyncio.wait_for(self.session.interrupt(force=True), timeout=10)
        await self._finish(None)

    async def at_rest(self) -> None:
        """Returns when no tool runs in the background and nothing more is said for now."""
        await self._dispatcher.settled()
        with contextlib.suppress(Exception):
            await self.session.wait_for_idle()

    def _decide(self, move: Move | None) -> None:
        """Takes a move that no batch made."""
        try:
            decide(self.call, (), moved_by=move)
        except Exception as error:
            logger.exception("a move failed")
            self._batches.failed(str(error))
        self.ledger.base = self.ledger.heard
        self.ledger.rounds = 0

    def _take_typed(self, slot: str) -> None:
        digits, self._typed = self._typed, ""
        if isinstance(self.call.node, TalkNode):
            collect(self.call, self.call.node, {slot: digits})
            # asked for once more in its exact words, if it was not taken
            self.state.visit.asked.discard(slot)
        self._decide(None)

    async def _go_on(self) -> None:
        """Says what is due now, if anything is."""
        if isinstance(next_act(self.call, None), Speak | Do | AskModel):
            await self._generate()

    async def _generate(self, **options: Any) -> None:
        try:
            speech = self.session.generate_reply(**options)
        except RuntimeError:
            return  # the session is closing
        await speech
        await self._after_turn()

    async def _take_floor(self) -> None:
        """Stops what is being said, or waits until what may not be stopped is said."""
        while (speech := self.session.current_speech) is not None and not self.state.over:
            if speech.allow_interruptions:
                with contextlib.suppress(RuntimeError):
                    await self.session.interrupt()
                return
            await asyncio.sleep(0.02)

    async def _quietly(self, run: RunResult[Any]) -> None:
        """Waits for a run. What went wrong in it is on record already, or the call is over."""
        try:
            await run
        except Exception as error:
            if not self.state.over:
                logger.error("a turn failed: %s", error)
                self._batches.failed(f"{type(error).__name__}: {error}")
                await self._go_on()
        await self._after_turn()

    async def _after_turn(self) -> None:
        if self.state.over:
            await self.ended.wait()

    def _batch_settled(self, event: Any) -> None:
        self._batches.settled(event)
        if self.state.over and self._finishing is None:
            self._finishing = asyncio.create_task(self._finish(self.ledger.speech))

    def _speech_created(self, event: SpeechCreatedEvent) -> None:
        guard(self.call, event.speech_handle)

    def _item_added(self, event: ConversationItemAddedEvent) -> None:
        item = event.item
        if not isinstance(item, llm.ChatMessage) or item.role not in ("user", "assistant"):
            return
        words = item.raw_text_content or ""
        who = "caller" if item.role == "user" else "agent"
        if item.role == "user":
            self.ledger.heard = item.id
            self.ledger.rounds = 0
            self.state.visit.silences = 0
        self.state.history.append(
            Said(
                "caller" if who == "caller" else "agent",
                words,
                self.state.node,
                self.call.now(),
                item.interrupted,
            )
        )

    def _session_closed(self, event: CloseEvent) -> None:
        """LiveKit closed the session by itself: the models failed too often."""
        if self._finishing is None and not self.ended.is_set():
            self.state.outcome = self.state.outcome or "failed"
            self.state.over = True
            self._finishing = asyncio.create_task(self._finish(None))

    def _resume_after(self, speech: SpeechHandle) -> None:
        """Goes on after an interruption that nobody's turn follows (a noise, a key)."""

        async def resume() -> None:
            await speech
            await asyncio.sleep(1.0)
            if self.session.current_speech is None and not self.state.over:
                await self._go_on()

        task = asyncio.create_task(resume())
        self._resuming.add(task)
        task.add_done_callback(self._resuming.discard)

    async def _finish(self, speech: SpeechHandle | None) -> None:
        """Everything after the last word, once."""
        if self.ended.is_set():
            return
        if self._finishing is not None and self._finishing is not asyncio.current_task():
            await self.ended.wait()
            return
        self._finishing = self._finishing or asyncio.current_task()
        try:
            if speech is not None:
                await speech
            for task in self._resuming:
                task.cancel()
            await after_call(self.call, self._dispatcher)
            await keep_contact(self.call, self._gate)
            await self.session.aclose()
        except Exception:
            logger.exception("the call ended, but not everything after it could be done")
        finally:
            self.ended.set()
