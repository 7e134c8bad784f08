"""A call that runs: a LiveKit session, one agent, and everything from the first word to the last.

What the caller does comes in through `caller`; between the caller's turns the call is driven by
LiveKit's turn loop, which asks the agent for generations and says when a batch has settled.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from livekit.agents import (
    CloseEvent,
    CloseReason,
    FunctionToolsExecutedEvent,
    RunResult,
    llm,
)
from livekit.agents.voice import SpeechHandle

from trunkline_runtime.call.act import AskModel, Do, Speak, next_act
from trunkline_runtime.call.agent import FlowAgent
from trunkline_runtime.call.batch import Batches, reason_of
from trunkline_runtime.call.begin import begin
from trunkline_runtime.call.call import Call
from trunkline_runtime.call.confirm import agrees, answered
from trunkline_runtime.call.ending import HUNG_UP, after_call, keep_contact
from trunkline_runtime.call.entry import FAILED
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.history import Said
from trunkline_runtime.call.ledger import Ledger
from trunkline_runtime.call.maker import Maker
from trunkline_runtime.call.notes import Notes
from trunkline_runtime.call.opting_out import OptingOut
from trunkline_runtime.call.overheard import Overheard
from trunkline_runtime.call.perform import Performer
from trunkline_runtime.call.remembered import remembered
from trunkline_runtime.call.resuming import Resuming
from trunkline_runtime.call.session import make_session, used
from trunkline_runtime.call.settle import decide
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.transfers import Transfers
from trunkline_runtime.call.untold import Untold
from trunkline_runtime.faults import log_fault
from trunkline_runtime.gate.request import Gate
from trunkline_runtime.table.nodes import ConfirmNode
from trunkline_runtime.tools.dispatcher import Dispatcher

logger = logging.getLogger("trunkline.call")


class LiveCall:
    """One call. `changed` is called whenever something was said, called or moved."""

    def __init__(
        self,
        call: Call,
        *,
        gate: Gate,
        dispatcher: Dispatcher,
        transfers: Transfers,
        model: llm.LLM[Any],
        session_options: Mapping[str, Any] | None = None,
        changed: Callable[[], None] | None = None,
        room: Mapping[str, Any] | None = None,
        drop: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`room` are LiveKit's options of `session.start`: the room, and what of it is used.

        `drop` hangs up, once the last word has been heard; what runs after the call runs then.
        """
        self.call = call
        self.ledger = Ledger()
        self.ended = asyncio.Event()
        self.dispatcher = dispatcher
        self._gate = gate
        self._changed = changed or (lambda: None)
        dispatcher.changed = lambda: self._changed()
        self._room = dict(room or {})
        self._drop = drop
        self._finishing: asyncio.Task[None] | None = None
        self._untold = Untold()
        self._notes = Notes(call, self.ledger, lambda: self._changed())
        self._resuming = Resuming(call, lambda: self.session, self.go_on)
        self.batches = Batches(call, self.ledger, self._resuming.after)
        self._opting_out = OptingOut(call, gate)
        self._performer = Performer(call, self._opting_out, transfers)
        maker = Maker(call, self.ledger, dispatcher, self._performer, self._resuming.later)
        self.agent = FlowAgent(maker)
        self.session = make_session(call.state, model, session_options)
        self._overheard = self.agent.overheard = Overheard(
            self.session, lambda words: agrees(call, words)
        )
        self.session.on("function_tools_executed", self._batch_settled)
        self.session.on("speech_created", self._resuming.speech_created)
        self.session.on("conversation_item_added", self._notes.item_added)
        self.session.on("tool_execution_updated", self._untold.updated)
        self.session.on("agent_state_changed", self._notes.state_changed)
        self.session.on("close", self._session_closed)

    @property
    def state(self) -> CallState:
        return self.call.state

    async def listen(self) -> None:
        """Opens the session before it is known who answers: it hears, and says nothing yet."""
        self.agent.waiting = True
        await self.session.start(self.agent, record=False, **self._room)

    async def start(self) -> None:
        """Begins the call and returns when its first words are spoken (or its last)."""
        try:
            begin(self.call)
        except Exception as error:
            log_fault(logger, f"the call could not begin: {reason_of(error)}", error)
            self.batches.failed(reason_of(error))
        self._changed()
        if self.state.over:
            await self.finish()
            return
        if self.state.history:
            dialogue = remembered(self.state)
            # what was said before the call was cut off answers no question that is put now
            self.ledger.begin_after(dialogue.items)
            await self.agent.update_chat_ctx(dialogue)
        if self.agent.waiting:
            self.agent.stop_waiting()
            await self.generate()
            await self._through()
            return
        run = await self.session.start(self.agent, capture_run=True, record=False, **self._room)
        await self.wait_for(run)

    async def opened(self) -> None:
        """Returns when the session runs, or the call has ended without one."""
        waits = [asyncio.ensure_future(one.wait()) for one in (self.agent.entered, self.ended)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def wait_for(self, run: RunResult[Any]) -> None:
        """Waits until a run is through. What goes wrong in it is a failure of the flow."""
        try:
            await run
        except Exception as error:
            if not self.state.over:
                log_fault(logger, "a turn failed", error)
                self.batches.failed(reason_of(error))
                await self.go_on()
        await self._through()

    def move(self, move: Move | None) -> None:
        """Takes a move that no batch made (a key, a silence), and what holds then."""
        with self._notes.timed():
            try:
                decide(self.call, (), moved_by=move)
            except Exception as error:
                log_fault(logger, f"a move failed: {reason_of(error)}", error)
                self.batches.failed(reason_of(error))
        self.ledger.base = self.ledger.heard
        self.ledger.rounds = 0
        self._changed()

    def keep(self) -> None:
        """Something was noted that no batch and no move goes with."""
        self._changed()

    async def go_on(self) -> None:
        """Says and does what is due now, if anything is."""
        if isinstance(next_act(self.call, None), Speak | Do | AskModel):
            await self.generate()
        await self._through()

    async def generate(self, **options: Any) -> None:
        """Lets the agent speak, and returns when it has. A session that closes says nothing."""
        with contextlib.suppress(RuntimeError):
            await self.session.generate_reply(**options)

    def let_go(self) -> None:
        """The caller is gone: what is done for nobody comes to its end."""
        self.dispatcher.stop_background()
        self._performer.let_go()

    async def at_rest(self) -> None:
        """Returns when no tool works in the background any more and each result has been told."""
        await self.dispatcher.settled()
        await self._untold.wait()

    async def finish(self, speech: SpeechHandle | None = None) -> None:
        """Everything after the last word, once: returns when the record is complete."""
        if self._finishing is None:
            self._finishing = asyncio.create_task(self._finish(speech))
        await self.ended.wait()

    async def _through(self) -> None:
        if self.state.over:
            await self.finish(self.ledger.speech)

    async def _finish(self, speech: SpeechHandle | None) -> None:
        try:
            if speech is not None:
                await speech
            self._resuming.give_up()
            # Before anything that takes time: a caller who wants no calls may be gone already.
            await self._opting_out.written()
            self.dispatcher.stop_background()
            if self._drop is not None:
                await self._drop()
            await after_call(self.call, self.dispatcher)
            await keep_contact(self.call, self._gate)
            self.state.usage = used(self.session)
            await self.session.aclose()
        except Exception as error:
            log_fault(logger, "the call ended, but not everything after it could be done", error)
        finally:
            self._changed()
            self._untold.give_up()
            self.ended.set()

    def _batch_settled(self, event: FunctionToolsExecutedEvent) -> None:
        with self._notes.timed():
            self.batches.settled(event)
        self._changed()
        if self.state.over and self._finishing is None:
            self._finishing = asyncio.create_task(self._finish(self.ledger.speech))
        elif self._overheard and not self.state.closing:
            self._resuming.soon(self._answer_overheard())

    async def _answer_overheard(self) -> None:
        """Answers what was said over words that nobody may interrupt, when the line is quiet."""
        with contextlib.suppress(Exception):
            await self.session.wait_for_idle()
        if not self._overheard or self.state.over:
            return
        words, node = self._overheard.taken(), self.call.node
        if isinstance(node, ConfirmNode) and self._overheard.agrees(words):
            self.state.history.append(Said("caller", words, node.id, self.call.now()))
            self.move(answered(self.call, node, "unclear"))
            await self.go_on()
        else:
            await self.generate(user_input=words)

    def _session_closed(self, event: CloseEvent) -> None:
        """LiveKit closed the session by itself: its models failed too often, or nobody is there."""
        if self._finishing is None:
            left = event.reason is CloseReason.PARTICIPANT_DISCONNECTED
            self.state.outcome = self.state.outcome or (HUNG_UP if left else FAILED)
            if event.reason is CloseReason.JOB_SHUTDOWN:
                self.state.failures.append("the worker ended while the call was running")
            self.state.over = True
            self.let_go()
            self._finishing = asyncio.create_task(self._finish(None))
