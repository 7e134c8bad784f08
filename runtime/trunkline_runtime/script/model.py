"""A language model whose choices come from a script: a real `llm.LLM` for LiveKit's own session."""

import itertools
import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from livekit.agents import NOT_GIVEN, APIConnectOptions, APIError, NotGivenOr, llm
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS

from trunkline_runtime.call.late import LATE
from trunkline_runtime.call.move_to import MOVE_TO
from trunkline_runtime.table.canonical import Json


@dataclass(frozen=True)
class Generation:
    """One generation: what the model says, and the tools that it calls, in order.

    Arguments are an object, or the text that a model would send (which may be broken JSON). With
    `fails` the model cannot be asked, for the reason that it gives. With `when` the move goes by
    the words of an exit, as a model's does: to whatever target has them now.
    """

    say: str = ""
    calls: tuple[tuple[str, Mapping[str, Json] | str], ...] = ()
    fails: str | None = None
    when: str | None = None

    @classmethod
    def from_document(cls, written: Mapping[str, Any]) -> "Generation":
        """`{say, move_to, when, calls: [{tool, args}], fails}` of a file; a move comes last."""
        calls: list[tuple[str, Mapping[str, Json] | str]] = [
            (call["tool"], call.get("args", {})) for call in written.get("calls", ())
        ]
        if "move_to" in written:
            calls.append((MOVE_TO, {"to": written["move_to"]}))
        return cls(written.get("say", ""), tuple(calls), written.get("fails"), written.get("when"))


@dataclass(frozen=True)
class Seen:
    """What the model was given for one generation: the dialogue and the names of its tools."""

    dialogue: llm.ChatContext
    tools: tuple[str, ...]
    schemas: Mapping[str, Any]


class ScriptedModel(llm.LLM[Any]):
    """Gives its generations in order. `seen` keeps what it was asked with.

    When there are none left it says nothing; `short` counts how often that happened. `unsaid` are
    words by which it should have moved and which no exit had. The request to
    tell a late result comes at any time: it gets a generation only while `expects_late`.
    """

    def __init__(self, generations: Iterable[Generation] = ()) -> None:
        super().__init__()
        self._left = deque(generations)
        self._numbers = itertools.count(1)
        self.seen: list[Seen] = []
        self.short = 0
        self.unsaid: list[str] = []
        self.expects_late = False

    @property
    def model(self) -> str:
        return "script"

    @property
    def left(self) -> int:
        """How many generations nobody has asked for yet."""
        return len(self._left)

    def then(self, generations: Iterable[Generation]) -> None:
        """Adds generations to the end of the script."""
        self._left.extend(generations)

    def drop_rest(self) -> None:
        """Forgets the generations that nobody asked for."""
        self._left.clear()

    def chat(
        self,
        *,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool] | None = None,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
        parallel_tool_calls: NotGivenOr[bool] = NOT_GIVEN,
        tool_choice: NotGivenOr[llm.ToolChoice] = NOT_GIVEN,
        extra_kwargs: NotGivenOr[dict[str, Any]] = NOT_GIVEN,
    ) -> llm.LLMStream:
        schemas = {
            tool.info.name: tool.info.raw_schema
            for tool in tools or ()
            if isinstance(tool, llm.RawFunctionTool)
        }
        self.seen.append(Seen(chat_ctx.copy(), tuple(schemas), schemas))
        if _tells_late_result(chat_ctx) and not self.expects_late:
            generation = Generation()
        elif self._left:
            generation = self._left.popleft()
        else:
            generation, self.short = Generation(), self.short + 1
        if generation.when is not None:
            generation = self._by_words(generation, generation.when, schemas.get(MOVE_TO))
        return _Stream(
            self,
            generation,
            self._numbers,
            chat_ctx=chat_ctx,
            tools=tools or [],
            conn_options=conn_options,
        )

    def _by_words(self, generation: Generation, when: str, schema: Any) -> Generation:
        target = target_of(when, schema)
        if target is None:
            self.unsaid.append(when)
            return generation
        calls = [
            (name, {"to": target} if name == MOVE_TO else args) for name, args in generation.calls
        ]
        return replace(generation, calls=tuple(calls))


def target_of(when: str, schema: Any) -> str | None:
    """The target of `move_to` that is offered with these words; None if there is none."""
    if schema is None:
        return None
    offered = schema["parameters"]["properties"]["to"]
    rest: str = offered["description"]
    targets: list[str] = offered["enum"]
    for target, following in zip(targets, [*targets[1:], None], strict=True):
        mine, _, rest = rest.partition(f"; {following}: ") if following else (rest, "", "")
        if when in mine.removeprefix(f"{target}: ").split("; or "):
            return target
    return None


def _tells_late_result(dialogue: llm.ChatContext) -> bool:
    last = dialogue.items[-1] if dialogue.items else None
    if last is None or last.type != "message" or last.role != "system":
        return False
    return (last.text_content or "").startswith(LATE)


class _Stream(llm.LLMStream):
    def __init__(
        self,
        model: ScriptedModel,
        generation: Generation,
        numbers: "itertools.count[int]",
        **options: Any,
    ) -> None:
        super().__init__(model, **options)
        self._generation = generation
        self._numbers = numbers

    async def _run(self) -> None:
        generation = self._generation
        if generation.fails is not None:
            raise APIError(generation.fails, retryable=False)
        # as a server answers that has nothing to say: not with nothing at all
        self._event_ch.send_nowait(llm.ChatChunk(id="script"))
        if generation.say:
            self._send(llm.ChoiceDelta(role="assistant", content=generation.say))
        for name, args in generation.calls:
            call = llm.FunctionToolCall(
                name=name,
                arguments=args if isinstance(args, str) else json.dumps(dict(args)),
                call_id=f"call_{next(self._numbers)}",
            )
            self._send(llm.ChoiceDelta(role="assistant", tool_calls=[call]))

    def _send(self, delta: llm.ChoiceDelta) -> None:
        self._event_ch.send_nowait(llm.ChatChunk(id="script", delta=delta))
