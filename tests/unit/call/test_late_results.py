"""Tools that work in the background: the call goes on, and the result is told when it is there."""

import asyncio
from typing import Any

from trunkline_runtime.script.model import Generation

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
NODES = {
    "answer": {
        "instructions": "Answer.",
        "tools": [{"id": "ponder"}, {"id": "look"}],
        "edges": [{"to": "other", "when": "they go on"}, {"to": "sure", "when": "done"}],
    },
    "sure": {
        "kind": "confirm",
        "say": "Are you sure?",
        "on_yes": "bye",
        "on_no": "bye",
        "on_unclear": "bye",
    },
    "other": {"instructions": "Other.", "edges": [{"to": "bye", "when": "done"}]},
    "bye": BYE,
}
QUESTION = {
    "type": "object",
    "required": ["question"],
    "properties": {"question": {"type": "string"}},
}
TOOLS: dict[str, Any] = {
    "ponder": {
        "parameters": QUESTION,
        "run": {"subagent": {"instructions": "Think."}},
        "establishes": {"pondered": "true"},
    },
    "look": {},
}
PONDER = {"calls": [{"tool": "ponder", "args": {"question": "Why?"}}]}


async def started(bench: Any) -> Any:
    b = bench(NODES, tools=TOOLS, script=[{"say": "Ask me."}])
    b.runners["subagent"] = b.runner
    b.release_it = asyncio.Event()

    async def slow(args: Any) -> Any:
        await b.release_it.wait()
        return {"answer": "Because."}

    b.runner.answers["ponder"] = [slow]
    await b.live.start()
    return b


async def let_it_come(b: Any, *generations: Generation) -> None:
    b.model.expects_late = True
    b.model.then(generations)
    b.release_it.set()
    await asyncio.wait_for(b.live.at_rest(), 5)


async def test_the_call_goes_on_and_the_result_is_told(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Why?", PONDER, {"say": "I am looking into it."})
    (output,) = b.outputs("ponder")
    assert output.output.startswith("It is being worked on in the background")
    assert b.said()[-1] == "I am looking into it."
    await b.turn("And what?", {"calls": [{"tool": "look"}]}, {"say": "That."})
    assert b.said()[-1] == "That."
    await let_it_come(b, Generation("Because."))
    assert b.said()[-1] == "Because."
    results = [
        item.output
        for item in b.model.seen[-1].dialogue.items
        if item.type == "function_call_output"
    ]
    assert '{"answer": "Because."}' in results
    assert len(results) == 3, "nothing that was called before is forgotten"
    assert "pondered" in b.state.facts


async def test_a_result_comes_after_the_node_was_left(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Why?", PONDER, {"say": "I am looking into it."})
    await b.turn("Go on.", {"move_to": "other"}, {"say": "Other."})
    await let_it_come(b, Generation("Because."))
    assert b.said()[-1] == "Because."
    assert b.state.node == "other"


async def test_a_result_that_comes_on_a_confirm_node_answers_no_question(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Why?", PONDER, {"say": "I am looking into it."})
    await b.turn("Yes.", {"move_to": "sure"})
    assert b.said()[-1] == "Are you sure?"
    await let_it_come(b)
    assert b.state.node == "sure", "what was said before the question is no answer to it"
    await b.turn("No.")
    assert b.state.path[-1].reason.words == "no"


async def test_the_same_question_is_not_begun_twice(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Why?", PONDER, {"say": "I am looking into it."})
    await b.turn("Why, why?", PONDER, {"say": "Still looking."})
    assert [args for _, args in b.runner.ran] == [{"question": "Why?"}]
    assert "already working on exactly this" in b.outputs("ponder")[-1].output
    await let_it_come(b, Generation("Because."))
    assert b.said()[-1] == "Because."


async def test_a_denied_one_is_told_at_once(bench: Any) -> None:
    b = await started(bench)
    b.gate.deny.add("ponder")
    await b.turn("Why?", PONDER, {"say": "I may not."})
    assert b.outputs("ponder")[0].output == "Not allowed. Not proven."
    assert b.runner.ran == []


async def test_hanging_up_stops_it(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Why?", PONDER, {"say": "I am looking into it."})
    await asyncio.wait_for(b.caller.hangs_up(), 5)
    assert b.state.outcome == "hung_up"
    assert b.state.tools[0].outcome == "error"
    assert b.gate.settled == [("1", "unknown")]
