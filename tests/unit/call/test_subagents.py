"""Subagents in a call, with the real runner: what they may use, and what nobody waits for."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from livekit.agents import llm

from trunkline_runtime.call.record import record_of
from trunkline_runtime.catalogue.entry import DEFAULT_SUBAGENT_STEPS, SUBAGENT_CALLS_A_STEP
from trunkline_runtime.script.model import Generation, ScriptedModel
from trunkline_runtime.tools.subagent import ANSWER, SubagentRunner

QUESTION = {
    "type": "object",
    "required": ["question"],
    "properties": {"question": {"type": "string"}},
}
ANSWERS = {
    "type": "object",
    "required": ["answer"],
    "additionalProperties": False,
    "properties": {"answer": {"type": "string"}},
}
THINK = {"instructions": "Think.", "tools": ["look"], "filler": ["I am looking into that."]}
TOOLS: dict[str, Any] = {
    "ponder": {"parameters": QUESTION, "result": ANSWERS, "run": {"subagent": THINK}},
    "wonder": {
        "parameters": QUESTION,
        "result": ANSWERS,
        "run": {"subagent": {**THINK, "blocking": True}},
    },
    "look": {"idempotent": True},
    "pay": {},
}
NODES: dict[str, Any] = {
    "answer": {
        "instructions": "Answer.",
        "tools": [{"id": "ponder"}, {"id": "wonder"}],
        "edges": [{"to": "other", "when": "they go on"}, {"to": "bye", "when": "done"}],
    },
    "other": {
        "instructions": "Other.",
        "tools": [{"id": "ponder"}],
        "edges": [{"to": "bye", "when": "done"}],
    },
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}


def asking(*questions: Any, tool: str = "ponder") -> dict[str, Any]:
    return {"calls": [{"tool": tool, "args": question} for question in questions]}


WHY = {"question": "Why?"}


class Thinker(ScriptedModel):
    """Thinks until it is let go on, and then gives its script."""

    def __init__(self, *generations: Mapping[str, Any]) -> None:
        super().__init__([Generation.from_document(written) for written in generations])
        self.go_on = asyncio.Event()
        self.asked = 0
        self.stopped = 0

    def chat(self, **options: Any) -> llm.LLMStream:
        self.asked += 1
        options.pop("tool_choice")
        return _Thinking(self, super().chat(**options), options)


class _Thinking(llm.LLMStream):
    def __init__(self, thinker: Thinker, said: llm.LLMStream, options: dict[str, Any]) -> None:
        given = {key: options[key] for key in ("chat_ctx", "tools", "conn_options")}
        super().__init__(thinker, **given)
        self._thinker, self._said = thinker, said

    async def _run(self) -> None:
        try:
            await self._thinker.go_on.wait()
        except asyncio.CancelledError:
            self._thinker.stopped += 1
            raise
        async for chunk in self._said:
            self._event_ch.send_nowait(chunk)


def says(text: str) -> dict[str, Any]:
    return {"calls": [{"tool": ANSWER, "args": {"answer": text}}]}


async def started(bench: Any, *thoughts: Mapping[str, Any]) -> tuple[Any, Thinker]:
    b = bench(NODES, tools=TOOLS, script=[{"say": "Ask me."}])
    thinker = Thinker(*thoughts)
    b.runners["subagent"] = SubagentRunner(
        lambda *_: thinker, b.call.entries, b.live.dispatcher.for_subagent
    )
    await b.live.start()
    return b, thinker


async def let_it_come(b: Any, thinker: Thinker, *generations: Mapping[str, Any]) -> None:
    b.model.expects_late = True
    b.model.then(Generation.from_document(written) for written in generations)
    thinker.go_on.set()
    await asyncio.wait_for(b.live.at_rest(), 5)


async def test_it_uses_what_its_entry_lists_past_the_gate_and_nothing_else(bench: Any) -> None:
    wants = {"calls": [{"tool": "pay"}, {"tool": "look"}, {"tool": "ponder", "args": WHY}]}
    b, thinker = await started(bench, wants, says("**Because** [so](https://x.example)."))
    await b.turn("Why?", asking(WHY))
    await let_it_come(b, thinker, {"say": "Because so."})
    assert [tool for tool, _ in b.runner.ran] == ["look"]
    assert [request.tool_id for request in b.gate.requests] == ["ponder", "look"]
    assert b.gate.requests[1].node == "answer/ponder"
    assert b.outputs("ponder")[-1].output == '{"answer": "Because so."}', "fit for the ear"
    told = [item.output for item in thinker.seen[1].dialogue.items if "output" in item.type]
    assert "There is no tool 'pay' at answer/ponder." in told
    assert "There is no tool 'ponder' at answer/ponder." in told
    kept = [(tool["tool"], tool["node"], tool["outcome"]) for tool in record_of(b.call)["tools"]]
    assert sorted(kept) == [
        ("look", "answer/ponder", "done"),
        ("pay", "answer/ponder", "refused"),
        ("ponder", "answer", "done"),
        ("ponder", "answer/ponder", "refused"),
    ]


async def test_what_it_uses_is_counted_where_it_was_begun_though_the_call_has_moved(
    bench: Any,
) -> None:
    most = DEFAULT_SUBAGENT_STEPS * SUBAGENT_CALLS_A_STEP
    many = {"calls": [{"tool": "look"}] * (most - 1)}
    two = {"calls": [{"tool": "look"}] * 2}
    b, thinker = await started(bench, many, two, says("So."))
    await b.turn("Why?", asking(WHY))
    thinker.go_on.set()
    while len(b.runner.ran) < most - 1:  # noqa: ASYNC110
        await asyncio.sleep(0)
    thinker.go_on.clear()
    await b.turn("Go on.", {"move_to": "other"}, {"say": "Yes?"})
    await let_it_come(b, thinker, {"say": "So."})
    looked = [tool for tool in b.call.state.tools if tool.tool == "look"]
    assert {tool.node for tool in looked} == {"answer/ponder"}
    assert [tool.outcome for tool in looked[-2:]] == ["done", "used_up"]
    assert b.call.state.node == "other"


@pytest.mark.parametrize("again", ['{"question":"Why?"}', '{ "question" : "Why?" }'])
async def test_the_same_question_is_not_begun_twice_from_another_node_or_in_other_spelling(
    bench: Any, again: str
) -> None:
    b, thinker = await started(bench, says("So."))
    await b.turn("Why?", asking(WHY, WHY))
    assert thinker.asked == 1, "in one batch"
    await b.turn("Go on.", {"move_to": "other"}, {"say": "Yes?"})
    await b.turn("Why?", asking(again), {"say": "I am at it."})
    assert thinker.asked == 1
    assert "already working on exactly this" in b.outputs("ponder")[-1].output
    await let_it_come(b, thinker, {"say": "So."})
    assert b.said()[-1] == "So."


async def test_a_result_that_comes_over_the_goodbye_is_on_record_and_not_said(bench: Any) -> None:
    b, thinker = await started(bench, says("Because."))
    await b.turn("Why?", asking(WHY))
    b.model.expects_late = True
    leaving = asyncio.create_task(b.turn("Bye.", {"move_to": "bye"}))
    await b.until(lambda: b.state.closing)
    thinker.go_on.set()
    await leaving
    await b.live.ended.wait()
    assert b.said()[-1] == "Goodbye."
    (tool,) = record_of(b.call)["tools"]
    assert tool["outcome"] in ("done", "error"), "it is settled, whichever came first"
    assert b.gate.settled[0][0] == "1"


@pytest.mark.parametrize("tool", ["ponder", "wonder"])
async def test_nobody_thinks_on_for_a_caller_who_is_gone(bench: Any, tool: str) -> None:
    b, thinker = await started(bench, says("Because."))
    turn = asyncio.create_task(b.turn("Why?", asking(WHY, tool=tool)))
    await b.until(lambda: thinker.asked)
    if tool == "ponder":
        await turn
    await asyncio.wait_for(b.caller.hangs_up(), 2)
    await turn
    assert thinker.stopped == 1
    assert [(each.tool, each.outcome) for each in b.state.tools] == [(tool, "error")]
    assert b.gate.settled == [("1", "done")]
    assert b.state.outcome == "hung_up"


async def test_what_it_uses_when_the_caller_goes_is_brought_to_its_end(bench: Any) -> None:
    b, thinker = await started(bench, {"calls": [{"tool": "look"}]}, says("Because."))
    released = b.hold("look", {})
    thinker.go_on.set()
    await b.turn("Why?", asking(WHY))
    await b.until(lambda: b.runner.ran)
    leaving = asyncio.create_task(b.caller.hangs_up())
    await asyncio.sleep(0.05)
    assert not b.live.ended.is_set(), "what has begun has to be settled"
    released.set()
    await asyncio.wait_for(leaving, 2)
    assert {each.tool: each.outcome for each in b.state.tools} == {
        "ponder": "error",
        "look": "done",
    }
    assert sorted(b.gate.settled) == [("1", "done"), ("2", "done")]


async def test_a_blocking_one_is_never_answered_early(bench: Any) -> None:
    b, thinker = await started(bench, says("Because."))
    asked = len(b.model.seen)
    turn = asyncio.create_task(b.turn("Why?", asking(WHY, tool="wonder"), {"say": "Because."}))
    await b.until(lambda: thinker.asked)
    await asyncio.sleep(0.05)
    assert (b.said(), len(b.model.seen)) == (["Ask me."], asked + 1)
    thinker.go_on.set()
    await asyncio.wait_for(turn, 5)
    assert b.said() == ["Ask me.", "Because."]
