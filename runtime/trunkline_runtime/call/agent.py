"""The agent of a call: on each generation it is the agent of the node that the call stands on.

A node is a factory of what LiveKit needs for one generation: a prompt, the dialogue, and only the
node's own tools. There is one `livekit.agents.Agent` for the whole call, whose `llm_node` takes
these from the node of the moment. The other two ways of swapping were not taken, for what
livekit-agents 1.8.9 does with them:

- `session.update_agent(…)` swaps in the background. A turn of the caller that ends within the swap
  is dropped and not stored, a reply that is asked for within it lands on the old agent or raises,
  and a tool that outlives its node holds the swap up.
- An `Agent` returned from a tool is lost if another tool of the batch returns one too (both are
  ignored and nobody speaks), is lost if the caller interrupts the batch, and makes the old agent
  speak once more if it stands beside an ordinary tool.
- Both filter the chat context by the tools of the new agent, so results are forgotten; both start
  a new activity, and a collision of names or an exception on entry leaves a session that is dead
  or silent.

Here a swap is an assignment: there is no window in which a caller is not heard, one STT stream and
one audio path for the call, and the chat context is the whole dialogue with every result. What
LiveKit asks for in return is kept: `llm_node` is a coroutine (the tools must be set before LiveKit
looks at them) and has no effects, because a generation may be discarded (preemptive generation).
Effects come from tool calls, which LiveKit carries out only when a generation's turn has come, and
from `function_tools_executed`, which comes when all tools of a batch have settled and its words
have been heard (see `steps` and `batch`).
"""

import asyncio
import logging
from collections.abc import AsyncIterable
from typing import Any

from livekit.agents import Agent, ModelSettings, StopResponse, llm

from trunkline_runtime.call.batch import reason_of
from trunkline_runtime.call.generation import Chunk, Generation
from trunkline_runtime.call.maker import Maker
from trunkline_runtime.call.overheard import Overheard
from trunkline_runtime.faults import log_fault

logger = logging.getLogger("trunkline.call")


class FlowAgent(Agent):
    """The one agent of a call."""

    def __init__(self, maker: Maker) -> None:
        # The node's prompt is put in for each generation, so the agent has none of its own.
        super().__init__(instructions="", id="flow")
        self._maker = maker
        self.overheard: Overheard | None = None
        # Nobody has answered yet, or it is not known who: nothing is said and no turn is taken.
        self.waiting = False
        # The session runs: from now on what the caller says and presses is heard.
        self.entered = asyncio.Event()

    async def on_enter(self) -> None:
        """The first words. LiveKit only logs what is raised here, so nothing else is done here."""
        self.entered.set()
        if not self.waiting:
            self._maker.begin()
            self.session.generate_reply()

    def stop_waiting(self) -> None:
        """It is known who answers: the next generation is the first of the call."""
        self.waiting = False
        self._maker.begin()

    async def llm_node(
        self, chat_ctx: llm.ChatContext, tools: list[llm.Tool], model_settings: ModelSettings
    ) -> AsyncIterable[Chunk]:
        """One generation of the node that the call stands on. Never raises."""
        try:
            await self._maker.ready()
            generation = self._maker.next(
                chat_ctx,
                len(self.chat_ctx.items),
                no_calls=model_settings.tool_choice == "none",
            )
        except Exception as error:
            log_fault(logger, "a generation could not be prepared", error)
            generation = self._maker.failure(reason_of(error))
        tools[:] = generation.tools
        return generation.stream(self._model(generation, model_settings))

    async def on_user_turn_completed(
        self, turn_ctx: llm.ChatContext, new_message: llm.ChatMessage
    ) -> None:
        """Answers what was said over uninterruptible words together with what is said now."""
        if self.waiting:
            raise StopResponse
        if self.overheard is not None:
            self.overheard.join(new_message)

    def _model(self, generation: Generation, settings: ModelSettings) -> AsyncIterable[Any]:
        """What the model says and calls; it sees the node's tools and not the runtime's own."""
        if generation.silenced:
            settings = ModelSettings(tool_choice="none")
        return Agent.default.llm_node(
            self, generation.context, list(generation.model_tools), settings
        )

    async def update_chat_ctx(
        self, chat_ctx: llm.ChatContext, *, exclude_invalid_function_calls: bool = True
    ) -> None:
        """Keeps every call and result: LiveKit would drop those that no tool of an agent made,
        and the tools here belong to generations."""
        await super().update_chat_ctx(chat_ctx, exclude_invalid_function_calls=False)
