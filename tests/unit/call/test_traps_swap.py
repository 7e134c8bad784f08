"""Where per-node agents break on livekit-agents 1.8.9, and do not here: everything about a swap."""

import asyncio
from typing import Any

import pytest
from livekit.agents import Agent

from trunkline_runtime.call.agent import FlowAgent
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.path import Reason

NODES = {
    "first": {
        "instructions": "First.",
        "tools": [{"id": "look_up"}],
        "edges": [
            {"to": "second", "when": "they go on"},
            {"to": "third", "when": "they skip"},
            {"to": "locked", "when": "they are known", "requires": ["known"]},
        ],
    },
    "second": {
        "instructions": "Second.",
        "tools": [{"id": "charge"}],
        "edges": [{"to": "first", "when": "back"}, {"to": "bye", "when": "done"}],
    },
    "third": {"instructions": "Third.", "edges": [{"to": "bye", "when": "done"}]},
    "locked": {"kind": "end", "outcome": "paid"},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}
TOOLS: dict[str, Any] = {"look_up": {"establishes": {"known": "true"}}, "charge": {}}


async def started(bench: Any, **options: Any) -> Any:
    b = bench(NODES, tools=TOOLS, script=[{"say": "Hello."}], **options)
    await b.live.start()
    return b


async def test_the_next_step_of_the_same_turn_has_the_new_prompt_and_the_new_tools(
    bench: Any,
) -> None:
    b = await started(bench)
    await b.turn("Go on.", {"move_to": "second"}, {"say": "Second here."})
    before, after = b.model.seen[-2:]
    assert before.tools == ("move_to", "look_up")
    assert after.tools == ("move_to", "charge")
    prompts = [
        item.text_content
        for item in after.dialogue.items
        if item.type == "message" and item.role == "system"
    ]
    assert len(prompts) == 1
    assert "Second." in prompts[0]
    assert "First." not in prompts[0]


async def test_two_moves_in_one_batch_one_wins_and_the_other_is_told(bench: Any) -> None:
    b = await started(bench)
    await b.turn(
        "Go on.",
        {"calls": [{"tool": "move_to", "args": {"to": "second"}}], "move_to": "third"},
        {"say": "Second here."},
    )
    won, lost = b.outputs("move_to")
    assert (won.output, won.is_error) == ("The call is now at second.", False)
    assert lost.is_error
    assert "one move at a time" in lost.output
    assert b.nodes == ["first", "second"]
    assert b.said()[-1] == "Second here.", "never silence"


async def test_the_first_move_that_holds_wins(bench: Any) -> None:
    b = await started(bench)
    await b.turn(
        "Go on.",
        {"calls": [{"tool": "move_to", "args": {"to": "locked"}}], "move_to": "second"},
        {"say": "Second here."},
    )
    assert b.nodes == ["first", "second"]
    assert [refusal.to for refusal in b.state.refusals] == ["locked"]


async def test_a_move_beside_a_tool_is_decided_when_the_tool_has_settled(bench: Any) -> None:
    b = await started(bench)

    released = b.hold("look_up", {})
    asyncio.get_running_loop().call_later(0.05, released.set)
    await b.turn("It is me.", {"calls": [{"tool": "look_up"}], "move_to": "locked"})
    assert b.nodes == ["first", "locked"], "the fact was there when the move was decided"
    assert b.said() == ["Hello."], "the old node says nothing more"


async def test_results_of_a_node_that_was_left_are_not_forgotten(bench: Any) -> None:
    b = await started(bench)
    b.runner.answers["look_up"] = [{"account": "A-1"}]
    await b.turn("Look.", {"calls": [{"tool": "look_up"}]}, {"say": "Found."})
    await b.turn("Go on.", {"move_to": "second"}, {"say": "Second here."})
    outputs = [
        item.output
        for item in b.model.seen[-1].dialogue.items
        if item.type == "function_call_output" and item.name == "look_up"
    ]
    assert outputs == ['{"account": "A-1"}']
    history = b.live.session.history.items
    assert any(item.type == "function_call" and item.name == "look_up" for item in history)


async def test_a_turn_that_ends_within_the_swap_is_heard_stored_and_answered(bench: Any) -> None:
    b = await started(bench)
    released = b.hold("look_up", {})
    running = asyncio.create_task(
        b.turn(
            "Look, and go on.",
            {"calls": [{"tool": "look_up"}], "move_to": "second"},
            {"say": "I hear you."},
            {"say": "Second here."},
        )
    )
    await b.until(lambda: b.runner.ran)
    # the window in which an ordinary swap drops the turn: a tool runs, a move is asked for
    await b.live.session.generate_reply(user_input="And one more thing!")
    assert b.said()[-1] == "I hear you."
    released.set()
    await running
    assert b.said("caller") == ["Look, and go on.", "And one more thing!"]
    assert b.said()[-1] == "Second here."
    assert b.state.node == "second"
    heard = [item.text_content for item in b.live.session.history.items if item.type == "message"]
    assert "And one more thing!" in heard


async def test_a_move_in_a_batch_that_the_caller_interrupts_is_not_lost(bench: Any) -> None:
    b = await started(bench)
    released = b.hold("look_up", {"account": "A-1"})
    running = asyncio.create_task(
        b.turn("Look.", {"calls": [{"tool": "look_up"}], "move_to": "second"})
    )
    await b.until(lambda: b.runner.ran)
    interrupted = b.live.session.interrupt()
    released.set()
    await interrupted
    await running
    assert b.state.node == "second"
    await b.turn("Hello?", {"say": "Second here."})
    assert b.said()[-1] == "Second here."
    assert b.model.seen[-1].tools == ("move_to", "charge")
    assert b.outputs("look_up")[0].output == '{"account": "A-1"}', "or the tool would run twice"


async def test_a_call_from_a_node_that_was_left_does_nothing(bench: Any) -> None:
    b = await started(bench)
    stale = b.live.agent._maker.next(b.live.agent.chat_ctx, 0, no_calls=False)
    b.live.move(Move("second", Reason("key", "1")))
    tool = next(tool for tool in stale.model_tools if tool.info.name == "look_up")
    context = type("Context", (), {"speech_handle": None, "function_call": None})()
    with pytest.raises(Exception, match="no tool 'look_up' at second"):
        await tool(raw_arguments={}, context=context)
    assert b.runner.ran == []
    assert b.gate.requests == []


async def test_forty_swaps_are_one_activity(bench: Any) -> None:
    b = await started(bench, limits={"max_visits": 99})
    for _ in range(20):
        await b.turn("Go on.", {"move_to": "second"}, {"say": "Second."})
        await b.turn("Back.", {"move_to": "first"}, {"say": "First."})
    assert len(b.nodes) == 41
    handoffs = [item for item in b.live.session.history.items if item.type == "agent_handoff"]
    assert len(handoffs) == 1


def test_the_stt_stream_can_be_kept() -> None:
    assert FlowAgent.stt_node is Agent.stt_node
    assert FlowAgent.tts_node is Agent.tts_node
