"""Moves that meet something else: a tool that outlives its node, a twin, a failure, an exit that
holds by itself. Never silence, never a lost turn, never a dead session."""

import asyncio
from typing import Any

import pytest
from ears import Ears, Line, Throat

from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.path import Reason
from trunkline_runtime.script.model import Generation

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
NODES = {
    "first": {
        "instructions": "First.",
        "tools": [{"id": "look_up"}],
        "edges": [
            {"to": "second", "when": "they go on"},
            {"to": "broken", "when": "they break it"},
        ],
    },
    "second": {
        "instructions": "Second.",
        "edges": [
            {"to": "first", "when": "back"},
            {"to": "bye", "when": "done", "requires": ["known"]},
        ],
    },
    "broken": {
        "speak": ["no_such_disclosure"],
        "instructions": "Never.",
        "edges": [{"to": "bye", "when": "done"}],
    },
    "sorry": {
        "instructions": "Say that something is wrong.",
        "edges": [{"to": "bye", "when": "done"}],
    },
    "bye": BYE,
}
TOOLS: dict[str, Any] = {"look_up": {"establishes": {"known": "true"}, "timeout_seconds": 5}}


async def started(bench: Any, **options: Any) -> Any:
    b = bench(NODES, tools=TOOLS, script=[{"say": "Hello."}], **options)
    await b.live.start()
    return b


async def test_the_dialogue_is_carried_into_the_next_node(bench: Any) -> None:
    b = await started(bench)
    await b.turn("My dog is called Rex.", {"say": "Nice."})
    await b.turn("Go on.", {"move_to": "second"}, {"say": "Second here."})
    seen = [i.text_content for i in b.model.seen[-1].dialogue.items[1:] if i.type == "message"]
    assert seen == ["Hello.", "My dog is called Rex.", "Nice.", "Go on."]


async def test_two_moves_to_one_node_in_one_batch_are_one_move(bench: Any) -> None:
    b = await started(bench)
    move = {"tool": "move_to", "args": {"to": "second"}}
    await b.turn("Go on.", {"calls": [move], "move_to": "second"}, {"say": "Second here."})
    won, lost = b.outputs("move_to")
    assert not won.is_error
    assert lost.is_error
    assert "one move at a time" in lost.output
    assert b.nodes == ["first", "second"]
    assert b.said()[-1] == "Second here."


@pytest.mark.parametrize("answer", ["error", "timeout"])
async def test_a_tool_that_fails_beside_a_move_does_not_stop_it(
    bench: Any, failed: Any, answer: str
) -> None:
    b = await started(bench)
    b.runner.answers["look_up"] = [failed("down", answer)]
    await b.turn("Go.", {"calls": [{"tool": "look_up"}], "move_to": "second"}, {"say": "Second."})
    assert b.nodes == ["first", "second"]
    assert b.said()[-1] == "Second."
    assert b.outputs("look_up")[0].is_error


async def test_a_tool_that_outlives_its_node_loses_no_result_and_no_turn(bench: Any) -> None:
    b = await started(bench, keys={"9": "second"})
    released = b.hold("look_up", {"account": "A-1"})
    looking = asyncio.create_task(b.turn("Look.", {"calls": [{"tool": "look_up"}]}))
    await b.until(lambda: b.runner.ran and b.live.session.current_speech is None)
    b.model.then([Generation("Second here."), Generation("Yes, hello.")])
    await asyncio.wait_for(b.caller.presses("9"), 5)
    assert b.nodes == ["first", "second"], "a key waits for no tool"
    assert b.said()[-1] == "Second here.", "and there is no silence while it works"
    await asyncio.wait_for(b.caller.says("Hello?"), 5)
    assert b.said()[-1] == "Yes, hello."
    assert b.state.facts == {}
    b.model.then([Generation("It is account A-1.")])
    released.set()
    await asyncio.wait_for(looking, 10)
    await b.until(lambda: b.model.left == 0)
    assert "known" in b.state.facts, "what came of it is known"
    assert b.outputs("look_up")[0].output == '{"account": "A-1"}'
    assert b.said()[-1] == "It is account A-1.", "and it is told"
    assert b.said("caller") == ["Look.", "[key 9]", "Hello?"]
    await b.turn("Done.", {"move_to": "bye"})
    assert b.state.over


async def test_a_key_in_the_breath_in_which_a_tool_begins_waits_for_no_tool(bench: Any) -> None:
    """The speech that began the tool is still the current one, and ends with the tool."""
    b = await started(bench, keys={"9": "second"})
    released = asyncio.Event()
    pressing: list[asyncio.Task[None]] = []

    async def look(args: Any) -> Any:
        assert b.live.session.current_speech is not None
        pressing.append(asyncio.create_task(b.caller.presses("9")))
        await released.wait()
        return {"account": "A-1"}

    b.runner.answers["look_up"] = [look]
    looking = asyncio.create_task(b.turn("Look.", {"calls": [{"tool": "look_up"}]}))
    await b.until(lambda: pressing)
    b.model.then([Generation("Second here.")])
    await asyncio.wait_for(pressing[0], 5)
    assert b.nodes == ["first", "second"]
    assert b.said()[-1] == "Second here."
    released.set()
    await asyncio.wait_for(looking, 10)
    await b.until(lambda: "known" in b.state.facts)
    await b.turn("And?", {"say": "It is account A-1."})
    items = b.model.seen[-1].dialogue.items
    assert '{"account": "A-1"}' in [i.output for i in items if i.type == "function_call_output"]


async def test_a_cough_between_a_move_and_the_words_of_the_node_leaves_no_silence(
    bench: Any,
) -> None:
    """The reply is cut off before it began, and no turn of the caller follows."""
    nodes = {**NODES, "second": {**NODES["second"], "say": "Welcome."}}
    b = bench(nodes, tools=TOOLS, script=[{"say": "Hello."}])
    await b.live.start()
    session, coughs = b.live.session, list[Any]()

    def cough(_: Any) -> None:
        if b.state.node == "second" and not coughs:
            coughs.append(asyncio.get_running_loop().call_soon(session.interrupt))

    session.on("function_tools_executed", cough)
    b.model.then([Generation("", (("move_to", {"to": "second"}),)), Generation("Never heard.")])
    await b.caller.says("Go on.")
    assert b.said() == ["Hello."]
    b.model.drop_rest()
    assert b.state.node == "second"
    b.model.then([Generation("What is it?")])
    await b.until(lambda: b.said()[-1] == "Welcome. What is it?")
    assert b.said("caller") == ["Go on."], "by itself"
    assert b.model.short == 0, "and once"
    await b.turn("Hm.", {"say": "Yes?"})
    assert b.said()[-1] == "Yes?"


async def enter_broken(b: Any, how: str) -> None:
    if how == "model":
        await b.turn("Break.", {"move_to": "broken"}, {"say": "Sorry."})
    else:
        b.model.then([Generation("Sorry.")])
        if how == "key":
            await b.caller.presses("5")
        elif how == "silence":
            await b.caller.let_time_run_out()
            await b.caller.let_time_run_out()
        else:
            b.clock.pass_time(13 * 60)
            await b.live.go_on()


@pytest.mark.parametrize("how", ["model", "key", "silence", "limit"])
async def test_an_exception_on_entry_is_spoken_of_however_the_node_was_entered(
    bench: Any, how: str
) -> None:
    b = await started(
        bench,
        keys={"5": "broken"},
        silence={"after_seconds": 8, "say": "Are you there?", "times": 1, "to": "broken"},
        limits={"max_minutes": 12, "to": "broken"},
        error="sorry",
    )
    await enter_broken(b, how)
    assert b.nodes == ["first", "broken", "sorry"]
    assert b.said()[-1] == "Sorry."
    assert not b.state.over
    await b.turn("And now?", {"say": "I am still here."})
    assert b.said()[-1] == "I am still here.", "the session lives"


def silent(*to: str) -> dict[str, Any]:
    return {"edges": [{"to": node} for node in to]}


async def test_exits_without_when_are_a_chain_that_asks_no_model(bench: Any) -> None:
    """Each node collects what is known already; a route stands between; the last one speaks."""
    slots = {"name": {"type": "string"}, "kind": {"type": "choice", "choices": ["a", "b"]}}
    nodes = {
        "ask": {"instructions": "Ask.", "collect": ["name", "kind"], **silent("again")},
        "again": {"instructions": "Never asked.", "collect": ["name"], **silent("fork")},
        "fork": {
            "kind": "route",
            "edges": [
                {"to": "never", "if": 'slots.kind == "a"'},
                {"to": "once_more", "else": True},
            ],
        },
        "never": BYE,
        "once_more": {
            "say": "Just a moment.",
            "collect": ["kind"],
            "edges": [{"to": "never", "if": 'slots.kind == "a"'}, {"to": "talk"}],
        },
        "talk": {"instructions": "Talk.", "edges": [{"to": "never", "when": "done"}]},
    }
    b = bench(nodes, slots=slots, script=[{"say": "Who, and which?"}])
    await b.live.start()
    both = {"tool": "collect", "args": {"name": "Jane", "kind": "b"}}
    await b.turn("Jane, b.", {"calls": [both]}, {"say": "Let us talk."})
    assert b.nodes == ["ask", "again", "fork", "once_more", "talk"]
    assert [step.reason.cause for step in b.state.path[1:]] == ["edge"] * 4
    assert b.said()[1:] == ["Just a moment.", "Let us talk."]
    assert len(b.model.seen) == 3, "one for the question, one for the answer, one for the talk"


async def test_a_circle_without_the_caller_is_a_failure_and_no_hang(bench: Any) -> None:
    nodes = {
        "start": {"instructions": "Hi.", "edges": [{"to": "left", "when": "they go on"}]},
        "left": {"kind": "route", "edges": [{"to": "right", "else": True}]},
        "right": {"kind": "route", "edges": [{"to": "left", "else": True}]},
        "sorry": {"kind": "end", "say": "Something is wrong.", "outcome": "no_action"},
    }
    b = bench(nodes, script=[{"say": "Hello."}], error="sorry", limits={"max_visits": 1000})
    await b.live.start()
    await asyncio.wait_for(b.turn("Go.", {"move_to": "left"}), 10)
    assert "in a circle without the caller" in b.state.failures[0]
    assert b.said()[-1] == "Something is wrong."
    assert b.state.over


async def test_a_loop_that_the_slots_close_ends_by_the_limit_on_visits(bench: Any) -> None:
    """Each turn of the caller sends the call around once more, until the flow says enough."""
    nodes = {
        "ask": {
            "instructions": "Ask.",
            "collect": ["name"],
            "edges": [{"to": "ask", "clears": ["name"]}],
        },
        "bye": BYE,
    }
    limits = {"max_visits": 3, "to": "bye"}
    b = bench(nodes, slots={"name": {"type": "string"}}, script=[{"say": "Name?"}], limits=limits)
    await b.live.start()
    jane = {"calls": [{"tool": "collect", "args": {"name": "Jane"}}]}
    await b.turn("Jane.", jane, {"say": "Name?"})
    await b.turn("Jane.", jane, {"say": "Name?"})
    await b.turn("Jane!", jane)
    assert b.nodes == ["ask", "ask", "ask", "bye"]
    assert b.state.over


async def test_a_move_beside_the_answer_that_opens_it_is_taken(bench: Any) -> None:
    nodes = {
        "ask": {
            "instructions": "Ask.",
            "collect": ["amount"],
            "edges": [
                {"to": "pay", "when": "they pay", "requires": ["slots.amount"]},
                {"to": "bye", "when": "they do not"},
            ],
        },
        "pay": {"instructions": "Pay.", "edges": [{"to": "bye", "when": "done"}]},
        "bye": BYE,
    }
    b = bench(nodes, slots={"amount": {"type": "number"}}, script=[{"say": "How much?"}])
    await b.live.start()
    five = {"tool": "collect", "args": {"amount": "five dollars"}}
    await b.turn("Five.", {"calls": [five], "move_to": "pay"}, {"say": "Paying."})
    assert b.nodes == ["ask", "pay"]
    assert b.said()[-1] == "Paying."


async def test_ears_throat_and_line_are_those_of_the_whole_call(bench: Any) -> None:
    ears, throat, line = Ears(), Throat(), Line()
    turns = {"turn_detection": "stt", "endpointing": {"min_delay": 0.0, "max_delay": 0.1}}
    options = {"stt": ears, "vad": throat, "turn_handling": turns}
    b = bench(
        NODES,
        tools=TOOLS,
        script=[{"say": "Hello."}],
        session_options=options,
        limits={"max_visits": 99},
    )
    session = b.live.session
    session.input.audio = line
    await b.live.start()
    for number in range(10):
        await b.turn("Go.", {"move_to": ("second", "first")[number % 2]}, {"say": "Ok."})
    assert len(b.nodes) == 11
    await b.until(lambda: ears.streams and throat.streams)
    assert (len(ears.streams), len(throat.streams)) == (1, 1)
    assert b.live.session is session
    assert session.input.audio is line
    assert session.current_agent is b.live.agent
    assert (session.stt, session.vad) == (ears, throat)
    await b.caller.hangs_up()


async def test_the_state_is_the_sessions_userdata(bench: Any) -> None:
    b = await started(bench)
    assert b.live.session.userdata is b.state
    b.live.move(Move("second", Reason("key", "1")))
    assert b.live.session.userdata.node == "second"
