"""Subagents: their own context, their own few tools, an answer that fits, and an end to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from livekit.agents import APIConnectionError, llm

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.sandbox import Sandbox
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.http import HttpRunner
from trunkline_runtime.tools.runner import ToolContext, ToolFailed
from trunkline_runtime.tools.slow_models import SlowModels
from trunkline_runtime.tools.subagent import ANSWER, SubagentRunner

QUESTION = {"question": "Compare pumped hydro and hydrogen for storing ten hours."}


class Scripted(llm.LLM[Any]):
    """Says what it is told, one generation after the other, and remembers what it was shown."""

    def __init__(self, *generations: llm.ChoiceDelta | Exception) -> None:
        super().__init__()
        self.generations = list(generations)
        self.shown: list[tuple[list[Any], list[str]]] = []
        self.hang = False

    def chat(self, *, chat_ctx: llm.ChatContext, tools: Any = None, **options: Any) -> Any:
        items = [item.model_dump(include={"role", "content", "output"}) for item in chat_ctx.items]
        self.shown.append((items, [tool.id for tool in tools]))
        assert options["tool_choice"] == "required"
        return _Stream(self, chat_ctx=chat_ctx, tools=tools, conn_options=options["conn_options"])


class _Stream(llm.LLMStream):
    async def _run(self) -> None:
        model = self._llm
        assert isinstance(model, Scripted)
        if model.hang:
            await asyncio.sleep(60)
        said = model.generations.pop(0)
        if isinstance(said, Exception):
            raise said
        self._event_ch.send_nowait(llm.ChatChunk(id="1", delta=said))


def calling(*calls: tuple[str, str]) -> llm.ChoiceDelta:
    made = [
        llm.FunctionToolCall(name=name, arguments=args, call_id=f"{name}-{index}")
        for index, (name, args) in enumerate(calls)
    ]
    return llm.ChoiceDelta(role="assistant", tool_calls=made)


def answering(**answer: Json) -> llm.ChoiceDelta:
    return calling((ANSWER, json.dumps(answer)))


class Used:
    """Stands for the dispatcher: what the subagent asked for, and what it is told."""

    def __init__(self, *results: Json | ToolFailed) -> None:
        self.results = list(results)
        self.asked: list[tuple[str, str, Mapping[str, Json]]] = []

    async def __call__(self, entry: ToolEntry, tool: str, args: Mapping[str, Json]) -> Json:
        self.asked.append((entry.id, tool, args))
        result = self.results.pop(0)
        if isinstance(result, ToolFailed):
            raise result
        return result


Run = Callable[..., Any]


@pytest.fixture
def run(catalogue: Mapping[str, ToolEntry], context: Callable[..., ToolContext]) -> Run:
    async def go(model: Scripted, used: Used, **changed: Any) -> Json:
        document = dict(catalogue["analyze_question"].document)
        document["run"] = {"subagent": {**document["run"]["subagent"], **changed}}
        entry = ToolEntry.from_document("knowledge", document)
        runner = SubagentRunner(lambda *_: model, catalogue, used)
        return await runner.run(entry, QUESTION, context("atlas-research"))

    return go


async def test_it_searches_and_answers(run: Run) -> None:
    found = {"passages": [{"title": "t", "text": "x"}]}
    model = Scripted(
        calling(("search_knowledge", '{"query": "pumped hydro"}')),
        answering(answer="**Pumped hydro** is cheaper.", confidence="high"),
    )
    used = Used(found)
    assert await run(model, used) == {
        "answer": "Pumped hydro is cheaper.",
        "confidence": "high",
    }
    assert used.asked == [("analyze_question", "search_knowledge", {"query": "pumped hydro"})]
    dialogue, tools = model.shown[1]
    assert tools == ["search_knowledge", ANSWER]
    assert dialogue[1]["content"] == [QUESTION["question"]]
    assert "en-US" in dialogue[0]["content"][0]
    assert json.loads(dialogue[-1]["output"]) == found


async def test_several_searches_run_at_once(run: Run) -> None:
    model = Scripted(
        calling(("search_knowledge", '{"query": "aa"}'), ("search_knowledge", '{"query": "bb"}')),
        answering(answer="So."),
    )
    used = Used({"passages": []}, {"passages": []})
    assert await run(model, used) == {"answer": "So."}
    assert [args for _, _, args in used.asked] == [{"query": "aa"}, {"query": "bb"}]


async def test_a_tool_that_it_was_not_given_is_for_the_dispatcher_to_refuse(run: Run) -> None:
    model = Scripted(
        calling(("take_payment", '{"amount": 1}'), ("search_knowledge", "[1]"), ("pry", "[1]")),
        answering(answer="So."),
    )
    used = Used(ToolFailed("No such tool."), ToolFailed("Nor this."))
    assert await run(model, used) == {"answer": "So."}
    assert used.asked == [
        ("analyze_question", "take_payment", {"amount": 1}),
        ("analyze_question", "pry", {}),
    ], "it is refused, and on record, where all tools are"
    outputs = [item["output"] for item in model.shown[1][0] if "output" in item]
    assert outputs == ["No such tool.", "The arguments are no JSON object.", "Nor this."]


async def test_a_tool_that_fails_is_told_in_its_words(run: Run) -> None:
    model = Scripted(calling(("search_knowledge", '{"query": "aa"}')), answering(answer="So."))
    await run(model, Used(ToolFailed("The knowledge system cannot be reached.")))
    assert model.shown[1][0][-1]["output"] == "The knowledge system cannot be reached."


async def test_an_answer_that_does_not_fit_is_asked_for_again(run: Run) -> None:
    model = Scripted(
        answering(answer="So.", confidence="certain"),
        calling((ANSWER, "so")),
        llm.ChoiceDelta(role="assistant", content="So it is."),
        answering(answer="So."),
    )
    assert await run(model, Used()) == {"answer": "So."}
    outputs = [item.get("output") for item in model.shown[-1][0]]
    assert any(text and text.startswith("The answer does not fit: ") for text in outputs)
    assert "The answer is no JSON object." in outputs
    assert model.shown[-1][0][-1]["content"] == [
        f"Nobody hears that. Call {ANSWER} with your answer."
    ]


async def test_it_comes_to_an_end(run: Run) -> None:
    search = calling(("search_knowledge", '{"query": "aa"}'))
    model = Scripted(search, search, search)
    with pytest.raises(ToolFailed, match=r"^No answer was found\.$"):
        await run(model, Used({"passages": []}, {"passages": []}, {"passages": []}), max_steps=2)
    assert [tools for _, tools in model.shown] == [
        ["search_knowledge", ANSWER],
        ["search_knowledge", ANSWER],
        [ANSWER],
    ]


async def test_a_model_that_cannot_be_asked(run: Run) -> None:
    model = Scripted(APIConnectionError("secret.example is down", retryable=False))
    with pytest.raises(ToolFailed, match=r"^The slower model cannot be asked right now\.$"):
        await run(model, Used())


async def test_cancelling_stops_the_model(run: Run) -> None:
    model = Scripted()
    model.hang = True
    running = asyncio.create_task(run(model, Used()))
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 1)


async def test_over_the_wire(
    sandbox: Sandbox,
    catalogue: Mapping[str, ToolEntry],
    context: Callable[..., ToolContext],
) -> None:
    """The OpenAI-compatible client against the sandbox's model, which searches the sandbox."""
    here = context("atlas-research")
    models = SlowModels(sandbox.environment)
    async with HttpRunner(sandbox.environment) as http:

        async def use(entry: ToolEntry, tool: str, args: Mapping[str, Json]) -> Json:
            return await http.run(catalogue[tool], args, here)

        runner = SubagentRunner(models, catalogue, use)
        result = await runner.run(catalogue["analyze_question"], QUESTION, here)
    await models.aclose()
    assert isinstance(result, dict)
    assert str(result["answer"]).startswith("Pumped hydro gives back around four fifths")
    assert result["confidence"] == "medium"


async def test_the_wrong_key_is_no_answer(
    sandbox: Sandbox,
    catalogue: Mapping[str, ToolEntry],
    context: Callable[..., ToolContext],
) -> None:
    models = SlowModels({**sandbox.environment, "TRUNKLINE_SUBAGENT_LLM_API_KEY": "wrong"})
    with pytest.raises(ToolFailed, match=r"^The slower model cannot be asked right now\.$"):
        await SubagentRunner(models, catalogue, Used()).run(
            catalogue["analyze_question"], QUESTION, context("atlas-research")
        )
    await models.aclose()


async def test_no_model_is_set_up(
    catalogue: Mapping[str, ToolEntry], context: Callable[..., ToolContext]
) -> None:
    with pytest.raises(ToolFailed, match=r"^No slower model is set up\.$"):
        await SubagentRunner(SlowModels({}), catalogue, Used()).run(
            catalogue["analyze_question"], QUESTION, context("atlas-research")
        )
