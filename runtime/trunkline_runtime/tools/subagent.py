"""Tools that are models: `run: {subagent: …}` hands a task to a slower model of its own context.

The subagent sees its instructions and the tool's arguments, and nothing of the call. Its tools are
those that the entry lists; each goes through the dispatcher, and so past the gate, like any other.
It answers by calling one more tool, whose parameters are the entry's result schema, so that a
constrained decoder holds it to the schema. Cancelling `run` cancels what the model is doing.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import jsonschema
from livekit.agents import APIConnectOptions, APIError, llm

from trunkline_runtime.catalogue.entry import DEFAULT_SUBAGENT_STEPS, ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.runner import ToolContext, ToolFailed
from trunkline_runtime.tools.speakable import speakable_result

# No catalogue id begins with an underscore, so the name is never one of the entry's tools.
ANSWER = "_answer"

_FOR_THE_EAR = """
Your answer is read aloud on the telephone: whole sentences in plain words, no lists, no markup, no
addresses, numbers as one says them. Answer in the language {language}. When you are done, call
{answer}: nothing else that you write is heard.
"""
_NUDGE = f"Nobody hears that. Call {ANSWER} with your answer."

# Runs a tool for a subagent, past the gate: the subagent's own entry, the tool's id, its arguments.
# Gives the tool's result or raises ToolFailed.
UseTool = Callable[[ToolEntry, str, Mapping[str, Json]], Awaitable[Json]]

ModelOf = Callable[[ToolEntry, ToolContext], llm.LLM[Any]]
ParametersOf = Callable[[ToolEntry], Mapping[str, Any]]


class SubagentRunner:
    """Runs `subagent` tools of one call.

    `model_of` gives the model that an entry asks for; who gives it closes it. `entries` are the
    pin's catalogue entries, `parameters_of` what a tool of one takes at this moment.
    """

    def __init__(
        self,
        model_of: ModelOf,
        entries: Mapping[str, ToolEntry],
        use_tool: UseTool,
        parameters_of: ParametersOf = lambda entry: entry.parameters,
    ) -> None:
        self._model_of = model_of
        self._entries = entries
        self._use_tool = use_tool
        self._parameters_of = parameters_of

    async def run(self, entry: ToolEntry, args: Mapping[str, Json], context: ToolContext) -> Json:
        """The model's answer, ready to be spoken. Raises ToolFailed."""
        model = self._model_of(entry, context)
        tools = [self._offered(name) for name in _granted(entry)]
        dialogue = _dialogue(entry, args, context)
        steps = entry.run["subagent"].get("max_steps", DEFAULT_SUBAGENT_STEPS)
        for step in range(steps + 1):
            # In the last step nothing is left but to answer.
            offered = [*(tools if step < steps else ()), _answering(entry)]
            said = await _generate(model, dialogue, offered, context)
            answer = _answer_in(entry, said, dialogue)
            if answer is not None:
                return speakable_result(entry, answer)
            await self._work(entry, said, dialogue)
        raise ToolFailed("No answer was found.")

    def _offered(self, name: str) -> llm.Tool:
        entry = self._entries.get(name)
        if entry is None:
            raise ToolFailed("A tool that this needs is not there.")
        return _declared(name, entry.description, self._parameters_of(entry))

    async def _work(
        self, entry: ToolEntry, said: llm.CollectedResponse, dialogue: llm.ChatContext
    ) -> None:
        """Runs the tools that the model called, all at once, and puts their results before it."""
        calls = [call for call in said.tool_calls if call.name != ANSWER]
        results = await asyncio.gather(*(self._call(entry, call) for call in calls))
        for call, (output, is_error) in zip(calls, results, strict=True):
            _put_call(dialogue, call, output, is_error)
        if not said.tool_calls:
            dialogue.add_message(role="assistant", content=said.text or "…")
            dialogue.add_message(role="user", content=_NUDGE)

    async def _call(self, entry: ToolEntry, call: llm.FunctionToolCall) -> tuple[str, bool]:
        """(what the model reads, whether it is an error)"""
        args = _object(call.arguments)
        if call.name not in _granted(entry):
            # It is refused where every tool is, and so it is on record.
            args = args or {}
        if args is None:
            return "The arguments are no JSON object.", True
        try:
            return json.dumps(await self._use_tool(entry, call.name, args)), False
        except ToolFailed as failed:
            return failed.message_for_model, True


def _granted(entry: ToolEntry) -> Sequence[str]:
    granted: Sequence[str] = entry.run["subagent"].get("tools", ())
    return granted


def _dialogue(entry: ToolEntry, args: Mapping[str, Json], context: ToolContext) -> llm.ChatContext:
    dialogue = llm.ChatContext.empty()
    voice = _FOR_THE_EAR.format(language=context.language, answer=ANSWER)
    dialogue.add_message(role="system", content=entry.run["subagent"]["instructions"] + voice)
    only = next(iter(args.values())) if len(args) == 1 else None
    dialogue.add_message(
        role="user", content=only if isinstance(only, str) else json.dumps(dict(args))
    )
    return dialogue


def _answering(entry: ToolEntry) -> llm.Tool:
    return _declared(ANSWER, "Give your answer. It is read aloud as it stands.", entry.result)


def _declared(name: str, description: str, parameters: Mapping[str, Any]) -> llm.Tool:
    """A tool for the model to see. It is run by this module, never by livekit."""

    async def not_run_here(raw_arguments: dict[str, object]) -> None:
        raise NotImplementedError

    schema = {"name": name, "description": description, "parameters": dict(parameters)}
    return llm.function_tool(not_run_here, raw_schema=schema)


async def _generate(
    model: llm.LLM[Any], dialogue: llm.ChatContext, tools: list[llm.Tool], context: ToolContext
) -> llm.CollectedResponse:
    left = max(0.1, context.deadline - asyncio.get_running_loop().time())
    options = APIConnectOptions(max_retry=1, retry_interval=0.2, timeout=left)
    try:
        async with model.chat(
            chat_ctx=dialogue, tools=tools, tool_choice="required", conn_options=options
        ) as stream:
            return await stream.collect()
    except APIError as error:
        raise ToolFailed("The slower model cannot be asked right now.") from error


def _answer_in(
    entry: ToolEntry, said: llm.CollectedResponse, dialogue: llm.ChatContext
) -> dict[str, Json] | None:
    """The answer that the model gave, if it fits; if not, the model reads why."""
    for call in said.tool_calls:
        if call.name != ANSWER:
            continue
        answer = _object(call.arguments)
        if answer is None:
            _put_call(dialogue, call, "The answer is no JSON object.", True)
            continue
        error = next(jsonschema.Draft7Validator(entry.result).iter_errors(answer), None)
        if error is None:
            return answer
        _put_call(dialogue, call, f"The answer does not fit: {error.message[:200]}", True)
    return None


def _put_call(
    dialogue: llm.ChatContext, call: llm.FunctionToolCall, output: str, is_error: bool
) -> None:
    name, call_id = call.name, call.call_id
    dialogue.insert(
        [
            llm.FunctionCall(name=name, call_id=call_id, arguments=call.arguments),
            llm.FunctionCallOutput(name=name, call_id=call_id, output=output, is_error=is_error),
        ]
    )


def _object(text: str) -> dict[str, Json] | None:
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
