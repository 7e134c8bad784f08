"""A model and a caller that wander through any flow, the same way for the same seed."""

import json
import random
from typing import Any

from livekit.agents import APIConnectOptions, llm
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS

WORDS = (
    "Yes.",
    "No.",
    "Yes, please.",
    "My name is Jane Doe.",
    "Two zero zero zero one.",
    "I would rather not say.",
    "What was that?",
    "Tomorrow would be fine.",
    "I want to talk to somebody.",
    "That is all, thank you.",
)
_VALUES = {
    "full_name": "Jane Doe",
    "postcode": "20001",
    "question": "For ten hours of storage, is pumped hydro better than hydrogen?",
    "query": "how long does a battery last",
}
_BY_TYPE: dict[str, Any] = {"number": 10.0, "integer": 1, "boolean": True, "array": []}
_MOST_CALLS = 3


class Wanderer(llm.LLM[Any]):
    """Calls what it is offered, moves, or says something; at once, and without a thought."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)
        self.generations = 0

    @property
    def model(self) -> str:
        return "wanderer"

    def chat(
        self,
        *,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool] | None = None,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
        **options: Any,
    ) -> llm.LLMStream:
        self.generations += 1
        forbidden = options.get("tool_choice") == "none"
        offered = {
            tool.info.name: tool.info.raw_schema["parameters"]
            for tool in (() if forbidden else tools or ())
            if isinstance(tool, llm.RawFunctionTool)
        }
        chosen = self._chosen(chat_ctx, offered)
        return _Stream(
            self,
            chosen,
            self.generations,
            chat_ctx=chat_ctx,
            tools=tools or [],
            conn_options=conn_options,
        )

    def _chosen(
        self, context: llm.ChatContext, offered: dict[str, Any]
    ) -> tuple[str, dict[str, Any]] | str:
        called = 0
        for item in reversed(context.items):
            if item.type == "message" and item.role == "user":
                break
            called += item.type == "function_call"
        if not offered or called >= _MOST_CALLS or self._random.random() < 0.4:
            return "I see. And what would you like to do about it?"
        name = self._random.choice([*offered, *(["collect"] if "collect" in offered else [])])
        return name, {key: self._value(key, of) for key, of in self._properties(offered[name])}

    def _properties(self, parameters: dict[str, Any]) -> list[tuple[str, Any]]:
        return [pair for pair in parameters.get("properties", {}).items() if pair[0] != "declined"]

    def _value(self, name: str, schema: dict[str, Any]) -> Any:
        values = schema.get("enum")
        if values is not None:
            # the first exit of a node is the way on, and the way out stands last
            ahead = name == "to" and self._random.random() < 0.6
            return "" if not values else values[0] if ahead else self._random.choice(values)
        return _VALUES.get(name, _BY_TYPE.get(schema.get("type", ""), "tomorrow"))


class _Stream(llm.LLMStream):
    def __init__(self, model: Wanderer, chosen: Any, number: int, **options: Any) -> None:
        super().__init__(model, **options)
        self._chosen = chosen
        self._number = number

    async def _run(self) -> None:
        if isinstance(self._chosen, str):
            delta = llm.ChoiceDelta(role="assistant", content=self._chosen)
        else:
            name, args = self._chosen
            call = llm.FunctionToolCall(
                name=name, arguments=json.dumps(args), call_id=f"call_{self._number}"
            )
            delta = llm.ChoiceDelta(role="assistant", tool_calls=[call])
        self._event_ch.send_nowait(llm.ChatChunk(id="wanderer", delta=delta))
