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


async def started(bench: Any, tools: Any = TOOLS) -> Any:
    b = bench(NODES, tools=tools, script=[{"say": "Ask me."}])
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
    assert b.gate.settled == [("1", "done")], "what was thought until then has its price"


FILLER = ["I am looking into that.", "I am still working on it."]


FILLING = {
    **TOOLS,
    "ponder": {
        **TOOLS["ponder"],
        "run": {"subagent": {"instructions": "Think.", "filler": FILLER}},
    },
}


async def with_filler(bench: Any) -> Any:
    return await started(bench, FILLING)


async def test_filler_is_spoken_in_place_of_a_guess_of_the_model(bench: Any) -> None:
    b = await with_filler(bench)
    asked = len(b.model.seen)
    await b.turn("Why?", PONDER)
    assert b.said()[-1] == FILLER[0]
    assert len(b.model.seen) == asked + 1, "the model is not asked before it can know"
    await let_it_come(b, Generation("Because."))
    assert b.said()[-1] == "Because."


async def test_a_model_that_says_so_itself_is_not_doubled(bench: Any) -> None:
    b = await with_filler(bench)
    await b.turn("Why?", {"say": "Let me see.", **PONDER}, {"say": "Anything else?"})
    assert FILLER[0] not in b.said()
    assert b.said()[-2:] == ["Let me see.", "Anything else?"]


async def test_a_caller_who_waits_for_it_is_not_asked_whether_they_are_there(bench: Any) -> None:
    b = await with_filler(bench)
    await b.turn("Why?", PONDER)
    for _ in range(4):
        await b.caller.let_time_run_out()
    assert b.said()[1:] == [FILLER[0], *[FILLER[1]] * 4]
    assert not b.state.over
    assert b.state.visit.silences == 0
    await let_it_come(b, Generation("Because."))
    await b.caller.let_time_run_out()
    assert b.state.visit.silences == 1, "now it is the caller's turn again"


async def test_the_model_is_told_not_to_answer_while_it_is_worked_on(bench: Any) -> None:
    b = await with_filler(bench)
    await b.turn("Why?", PONDER)
    await b.turn("Well?", {"say": "It is still being looked into."})
    prompt = b.model.seen[-1].dialogue.items[0].text_content
    assert 'do not answer it yourself. lk_stop ends it:\n- ponder {"question": "Why?"}' in prompt
    await let_it_come(b, Generation("Because."))
    await b.turn("Thanks.", {"say": "Welcome."})
    assert "lk_stop" not in b.model.seen[-1].dialogue.items[0].text_content
    assert "lk_stop" not in b.model.seen[-1].tools


async def test_the_caller_may_call_it_off(bench: Any) -> None:
    b = await with_filler(bench)
    await b.turn("Why?", PONDER)
    stop = {"calls": [{"tool": "lk_stop", "args": {"tool": "ponder"}}]}
    await b.turn("Never mind.", stop, {"say": "As you like."})
    assert b.outputs("lk_stop")[-1].output == "Stopped: ponder."
    await asyncio.wait_for(b.live.at_rest(), 5)
    assert b.said()[-1] == "As you like.", "nobody waits for it, so nothing is told"
    assert [(tool.tool, tool.outcome) for tool in b.state.tools] == [("ponder", "error")]
    assert b.gate.settled == [("1", "done")], "what was thought until then has its price"
    await b.turn("Why, then?", PONDER)
    assert len(b.runner.ran) == 2, "and it may be begun again"
    await b.turn("Stop.", {"calls": [{"tool": "lk_stop", "args": {"tool": "look"}}]}, {"say": "?"})
    assert "Nothing of that kind" in b.outputs("lk_stop")[-1].output
    await b.caller.hangs_up()


async def test_a_blocking_one_is_waited_for_and_has_no_filler(bench: Any) -> None:
    run = {"subagent": {"instructions": "Think.", "filler": FILLER, "blocking": True}}
    b = await started(bench, {**TOOLS, "ponder": {**TOOLS["ponder"], "run": run}})
    asking = asyncio.create_task(b.turn("Why?", PONDER, {"say": "Because."}))
    await b.until(lambda: b.runner.ran)
    await asyncio.sleep(0.05)
    assert b.said() == ["Ask me."], "nothing is said before the answer is there"
    b.release_it.set()
    await asyncio.wait_for(asking, 5)
    assert b.outputs("ponder")[0].output == '{"answer": "Because."}'
    assert b.said() == ["Ask me.", "Because."]


async def test_a_call_that_was_cut_off_works_on_nothing(bench: Any) -> None:
    b = await with_filler(bench)
    await b.turn("Why?", PONDER)
    saved = type(b.state).from_json(b.state.to_json())
    await b.caller.hangs_up()
    again = bench(NODES, tools=FILLING, state=saved, script=[])
    await again.live.start()
    await again.turn("Well?", {"say": "Let me ask again."})
    assert "lk_stop" not in again.model.seen[-1].tools
    assert again.state.tools[0].outcome == "error"
