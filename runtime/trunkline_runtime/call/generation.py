"""One generation: the words that come first, then the model or a step, as chunks for LiveKit."""

import itertools
import logging
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from livekit.agents import llm
from livekit.agents.types import FlushSentinel

from trunkline_runtime.call.spoken import Words
from trunkline_runtime.call.steps import (
    STEP,
    Failure,
    Spoke,
    Step,
)

logger = logging.getLogger("trunkline.call")

# As the client of an OpenAI-compatible server writes it into the words of its exception.
_STATUS = re.compile(r"(?:status_code=|Error code: )(\d{3})\b")

Chunk: TypeAlias = llm.ChatChunk | str | FlushSentinel


class NoAnswer(Exception):
    """A model that was asked and sent nothing."""


_numbers = itertools.count(1)


@dataclass
class Generation:
    """What one generation says, and the tools that it may call.

    `words` are spoken first. `step` comes back when they have been. With `asks_model` the model
    goes on; if it says something and calls nothing, `ask` is said instead. `silenced`: the model
    called tools long enough and has to speak. `model_spoke`: it has said something by now. `said`
    is called when the words are on the line, where no step can come back.
    """

    step_tool: llm.Tool
    steps: list[Step]
    words: tuple[Words, ...] = ()
    asks_model: bool = False
    ask: Words | None = None
    model_tools: Sequence[llm.Tool] = ()
    context: llm.ChatContext = field(default_factory=llm.ChatContext.empty)
    silenced: bool = False
    model_spoke: bool = False
    said: Callable[[], None] | None = None

    @property
    def tools(self) -> list[llm.Tool]:
        return [*self.model_tools, self.step_tool]

    async def stream(self, model: AsyncIterable[Any]) -> AsyncIterator[Chunk]:
        """The chunks of this generation; steps come first, to be noted as the words begin."""
        for number in range(len(self.steps)):
            yield _step_chunk(number)
        text = " ".join(words.text for words in self.words)
        if text:
            yield text
        if self.said is not None:
            self.said()
        if not self.asks_model:
            return
        if text:
            yield " "
            yield FlushSentinel()
        try:
            answer = self._answer(model)
            if self.ask is None:
                async for chunk in answer:
                    self.model_spoke = self.model_spoke or _says(chunk)
                    yield chunk
            else:
                async for chunk in self._unless_only_words(answer, self.ask):
                    yield chunk
        except Exception as error:
            # A model that cannot be reached must not leave the caller in silence.
            logger.error("the model failed: %s", type(error).__name__)
            self.steps.append(Failure(f"the model failed: {_why(error)}"))
            yield _step_chunk(len(self.steps) - 1)

    async def _answer(self, model: AsyncIterable[Any]) -> AsyncIterator[Any]:
        """The model's chunks. Raises NoAnswer for an answer in which there is nothing at all, as
        of a server that is none: it would leave the caller in silence, and nobody would know."""
        empty = True
        async for chunk in model:
            empty = False
            yield chunk
        if empty:
            raise NoAnswer("what answers is no model, or its answer is empty")

    async def _unless_only_words(
        self, model: AsyncIterable[Any], ask: Words
    ) -> AsyncIterator[Chunk]:
        chunks = [chunk async for chunk in model]
        if any(isinstance(chunk, llm.ChatChunk) and _calls(chunk) for chunk in chunks):
            for chunk in chunks:
                self.model_spoke = self.model_spoke or _says(chunk)
                yield chunk
            return
        self.steps.append(Spoke((ask,), more=False))
        yield _step_chunk(len(self.steps) - 1)
        yield ask.text


def _why(error: Exception) -> str:
    """What is put on record of a model's failure: its server's words may quote the dialogue."""
    if isinstance(error, NoAnswer):
        return str(error)
    status = _status(error)
    name = type(error).__name__
    return name if status is None else f"{name}, status_code={status}"


def _status(error: BaseException | None) -> int | None:
    """The HTTP status behind a failure, of which LiveKit may have made a lost connection."""
    while error is not None:
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and status > 0:
            return status
        found = _STATUS.search(str(error))
        if found is not None:
            return int(found[1])
        error = error.__cause__ or error.__context__
    return None


def _step_chunk(number: int) -> llm.ChatChunk:
    call = llm.FunctionToolCall(
        name=STEP, arguments=f'{{"number": {number}}}', call_id=f"step_{next(_numbers)}"
    )
    return llm.ChatChunk(id="step", delta=llm.ChoiceDelta(role="assistant", tool_calls=[call]))


def _calls(chunk: llm.ChatChunk) -> bool:
    return chunk.delta is not None and bool(chunk.delta.tool_calls)


def _says(chunk: object) -> bool:
    if isinstance(chunk, llm.ChatChunk):
        return chunk.delta is not None and bool((chunk.delta.content or "").strip())
    return isinstance(chunk, str) and bool(chunk.strip())
