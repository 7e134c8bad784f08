"""When all tools of a batch have settled and its words were heard: what was done, what moves.

LiveKit says so with `function_tools_executed`, also for a batch that the caller interrupted, and
looks at the outputs again afterwards: they say what became of each move, and whether the call goes
on by itself (`cancel_tool_reply` gives the caller the floor).
"""

import contextlib
import logging
from collections.abc import Callable

from livekit.agents import FunctionToolsExecutedEvent, llm
from livekit.agents.voice import SpeechHandle

from trunkline_runtime.call.act import AskModel, Do, Speak, Wait, next_act
from trunkline_runtime.call.call import Call, CallFailed
from trunkline_runtime.call.confirm import answered
from trunkline_runtime.call.entry import fail, give_up
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.history import ToolCall
from trunkline_runtime.call.ledger import Done, Ledger
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.settle import Told, decide
from trunkline_runtime.call.steps import (
    STEP,
    Answered,
    Close,
    Failure,
    HandOver,
    Spoke,
    Suppress,
)
from trunkline_runtime.faults import log_fault
from trunkline_runtime.table.nodes import ConfirmNode, TransferNode

logger = logging.getLogger("trunkline.call")

TRANSFERRED = "transferred"
# A call that fails more often than this is ended at once.
_MOST_FAILURES = 3


class Batches:
    """Settles the batches of one call. `resume` is called when nobody would speak next."""

    def __init__(self, call: Call, ledger: Ledger, resume: Callable[[SpeechHandle], None]) -> None:
        self._call = call
        self._ledger = ledger
        self._resume = resume

    def settled(self, event: FunctionToolsExecutedEvent) -> None:
        """Handles one batch. Never raises: a mistake of ours is a failure of the flow."""
        before = self._call.state.visit.number
        try:
            more = self._settle(event, before)
        except Exception as error:
            if not isinstance(error, CallFailed):
                log_fault(logger, "a batch could not be settled", error)
            self.failed(reason_of(error))
            more = True
        state = self._call.state
        if state.visit.number != before:
            self._ledger.base = self._ledger.heard
            more = True
        act = next_act(self._call, None, self._ledger.in_flight)
        if isinstance(act, Wait) or (isinstance(act, AskModel) and not more):
            event.cancel_tool_reply()
        speech = self._ledger.speech
        if speech is not None:
            guard(self._call, speech)
            if speech.interrupted and isinstance(act, Speak | Do):
                self._resume(speech)

    def failed(self, why: str) -> None:
        """The flow itself failed: to its `error` node, or to the end if that fails as well."""
        if len(self._call.state.failures) >= _MOST_FAILURES:
            give_up(self._call, why)
            return
        for _ in range(2):
            try:
                fail(self._call, why)
                decide(self._call, ())
                return
            except Exception as error:
                if not isinstance(error, CallFailed):
                    log_fault(logger, "the error exit could not be taken", error)
                why = reason_of(error)
        give_up(self._call, why)

    def _settle(self, event: FunctionToolsExecutedEvent, visit: int) -> bool:
        """True if the call goes on by itself."""
        ids = {call.id for call in event.function_calls}
        steps = [self._ledger.steps.pop(id) for id in list(self._ledger.steps) if id in ids]
        wishes = {id: self._ledger.wishes.pop(id) for id in list(self._ledger.wishes) if id in ids}
        asked_model = any(call.name != STEP for call in event.function_calls)
        self._ledger.rounds += asked_model
        more, moved_by = asked_model, None
        for done in steps:
            self._ledger.end(done.step)
            if done.visit == visit:
                goes_on, moves = self._carry(done)
                more, moved_by = more or goes_on, moved_by or moves
        told = decide(self._call, list(wishes.values()), moved_by=moved_by)
        self._tell(event, dict(zip(wishes, told, strict=True)))
        return more

    def _carry(self, done: Done) -> tuple[bool, Move | None]:
        """What a step changes; whether the call goes on by itself, and the move it makes."""
        state, node, step = self._call.state, self._call.node, done.step
        if isinstance(step, Spoke):
            self._spoke(step)
            return step.more, None
        if isinstance(step, Answered) and isinstance(node, ConfirmNode):
            return True, answered(self._call, node, step.reply)
        if isinstance(step, Suppress):
            if done.failed is not None:
                raise CallFailed(done.failed)
            state.suppressed = True
        elif isinstance(step, HandOver) and isinstance(node, TransferNode):
            if not done.took:
                return True, Move(node.on_failure, Reason("on_failure", done.failed or ""))
            state.outcome, state.closing = TRANSFERRED, True
        elif isinstance(step, Failure):
            raise CallFailed(step.why)
        elif isinstance(step, Close):
            state.over = True
        return True, None

    def _spoke(self, step: Spoke) -> None:
        state = self._call.state
        cut = self._ledger.speech is not None and self._ledger.speech.interrupted
        for words in step.words:
            if cut and not words.interruptible:
                continue  # owed in full: it is said once more
            state.words = [owed for owed in state.words if owed is not words]
            state.disclosed.update(words.disclosures)
            if words.slot is not None:
                state.visit.asked.add(words.slot)
            if words.kind == "confirm":
                state.visit.questions += 1
            state.visit.spoken = True

    def _tell(self, event: FunctionToolsExecutedEvent, told: dict[str, Told]) -> None:
        for call, output in event.zipped():
            if call.id in told:
                output.output = told[call.id].words
                output.is_error = not told[call.id].moved
            elif output.is_error and output.output.startswith("Unknown function"):
                self._unknown(call, output)

    def _unknown(self, call: llm.FunctionCall, output: llm.FunctionCallOutput) -> None:
        """A tool that this node does not have. LiveKit's own words would name ours."""
        state = self._call.state
        output.output = f"There is no tool {call.name!r} at {state.node}."
        state.tools.append(
            ToolCall(
                call.name,
                state.node,
                state.visit.number,
                self._call.now(),
                {},
                "refused",
                output.output,
            )
        )


def reason_of(error: Exception) -> str:
    """What is put on record of a failure: the words of our own, and of any other its name."""
    return str(error) if isinstance(error, CallFailed) else type(error).__name__


def guard(call: Call, speech: SpeechHandle) -> None:
    """Lets nobody interrupt a speech whose next words are owed in full, and everybody others."""
    first = call.state.words[0] if call.state.words else None
    # RuntimeError: it was interrupted already, and the words are said by the next speech
    with contextlib.suppress(RuntimeError):
        speech.allow_interruptions = first is None or first.interruptible
