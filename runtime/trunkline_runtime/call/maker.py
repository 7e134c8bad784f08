"""Makes the generation that comes now: what the call says next, and what the model may do then."""

from collections.abc import Awaitable, Callable
from typing import Any

from livekit.agents import RunContext, llm
from livekit.agents.voice import SpeechHandle

from trunkline_runtime.call.act import (
    Act,
    Answer,
    AskModel,
    Do,
    Speak,
    Wait,
    due_ask,
    next_act,
)
from trunkline_runtime.call.call import Call
from trunkline_runtime.call.filling import Filling
from trunkline_runtime.call.generation import Generation
from trunkline_runtime.call.ledger import HOPELESS_ROUNDS, MOST_ROUNDS, Done, Ledger
from trunkline_runtime.call.node_tools import NodeTools
from trunkline_runtime.call.offer import offered_uses
from trunkline_runtime.call.prompt import dialogue
from trunkline_runtime.call.spoken import Words
from trunkline_runtime.call.steps import (
    STEP,
    Advance,
    Answered,
    Close,
    Failure,
    HandOver,
    Spoke,
    Step,
    Suppress,
)
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.tools.dispatcher import Dispatcher

# Carries a step out when its turn has come; says what came of it.
Perform = Callable[[Step, int], Awaitable[Done]]
# Asks for another generation after a speech, because this one could not do what is due.
Later = Callable[[SpeechHandle | None], None]

_STEPS: dict[str, Step] = {
    "suppress": Suppress(),
    "transfer": HandOver(),
    "advance": Advance(),
    "close": Close(),
}


class Maker:
    """Makes the generations of one call."""

    def __init__(
        self,
        call: Call,
        ledger: Ledger,
        dispatcher: Dispatcher,
        perform: Perform,
        later: Later,
    ) -> None:
        self._call = call
        self._ledger = ledger
        self._dispatcher = dispatcher
        self._perform = perform
        self._later = later
        self._filling = Filling(call, dispatcher)

    def begin(self) -> None:
        """The call begins: what the nodes' tools need from other tools is asked for."""
        self._filling.begin()

    async def ready(self) -> None:
        """Returns when the node that the call stands on has the tools that it can have."""
        await self._filling.ready()

    def next(self, context: llm.ChatContext, moment: int, *, no_calls: bool) -> Generation:
        """The generation that comes now; `moment` is the length of the dialogue so far.

        With `no_calls` LiveKit ignores every call of this generation, the runtime's own as well
        (it answers the news that a tool works in the background): then only the model can speak.
        """
        said = self._ledger.unanswered(context.items)
        act = next_act(
            self._call, said.raw_text_content or "" if said else None, self._ledger.in_flight
        )
        if no_calls:
            return self._only_model(act, context, moment)
        if isinstance(act, Speak):
            generation = self._with([Spoke(act.words, act.more)], act.words)
            if act.model:
                self._let_model(generation, context, moment)
            return generation
        if isinstance(act, AskModel):
            if self._ledger.rounds_since(context.items) >= HOPELESS_ROUNDS:
                return self.failure("the model calls tools without end")
            generation = self._with([])
            self._let_model(generation, context, moment)
            return generation
        return self._with(_steps(act, said))

    def _only_model(self, act: Act, context: llm.ChatContext, moment: int) -> Generation:
        generation = self._with([])
        if isinstance(act, AskModel):
            self._let_model(generation, context, moment)
            generation.ask = None
        elif isinstance(act, Speak) and all(words.kind == "filler" for words in act.words):
            # It answers the news that a tool works; nothing depends on its having been heard.
            generation.words = act.words
            generation.said = lambda: self._unowe(act.words)
        elif not isinstance(act, Wait):
            self._later(self._ledger.speech)
        return generation

    def _unowe(self, said: tuple[Words, ...]) -> None:
        state = self._call.state
        state.words = [owed for owed in state.words if not any(owed is each for each in said)]

    def failure(self, why: str) -> Generation:
        """A generation that only reports that something failed."""
        return self._with([Failure(why)])

    def _with(self, steps: list[Step], words: tuple[Words, ...] = ()) -> Generation:
        return Generation(self._step_tool(steps), steps, words)

    def _let_model(self, generation: Generation, context: llm.ChatContext, moment: int) -> None:
        node = self._call.node
        if not isinstance(node, TalkNode):
            raise TypeError(f"no model speaks at {node.id}")
        generation.asks_model = True
        generation.silenced = self._ledger.rounds_since(context.items) >= MOST_ROUNDS
        generation.ask = due_ask(self._call, node)
        text = " ".join(words.text for words in generation.words)
        generation.context = dialogue(self._call, node, context.items, text)
        if not generation.silenced:
            parts = self._call, self._ledger, self._dispatcher, node
            tools = NodeTools(*parts, lambda: generation.model_spoke)
            generation.model_tools = tools.made(offered_uses(self._call, node, moment))

    def _step_tool(self, steps: list[Step]) -> llm.Tool:
        visit = self._call.state.visit.number

        async def carried_out(raw_arguments: dict[str, Any], context: RunContext[Any]) -> str:
            step = steps[int(raw_arguments["number"])]
            self._ledger.speech = context.speech_handle
            self._ledger.begin(step)
            done = await self._perform(step, visit)
            self._ledger.note_step(context.function_call.id, done)
            return type(step).__name__.lower()

        schema = {"name": STEP, "description": "", "parameters": {"type": "object"}}
        return llm.function_tool(carried_out, raw_schema=schema)


def _steps(act: Act, said: llm.ChatMessage | None) -> list[Step]:
    if isinstance(act, Do):
        return [_STEPS[act.what]]
    if isinstance(act, Answer) and said is not None:
        return [Answered(act.reply, said.id)]
    assert isinstance(act, Wait | Answer)
    return []
