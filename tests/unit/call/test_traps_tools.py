"""Where tools break on livekit-agents 1.8.9, and do not here."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from livekit.agents import llm

import trunkline_runtime
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.record import record_of
from trunkline_runtime.call.state import CallState
from trunkline_runtime.table.canonical import canonical_bytes

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
PAY = {
    "parameters": {
        "type": "object",
        "required": ["plan", "amount"],
        "additionalProperties": False,
        "properties": {
            "plan": {"type": "string", "enum": ["once", "monthly"]},
            "amount": {"type": "number"},
        },
    }
}
NODES = {
    "greeting": {
        "instructions": "Greet.",
        "tools": [{"id": "quote", "with": {"amount": 5}}],
        "edges": [{"to": "pay", "when": "they pay"}, {"to": "bye", "when": "done"}],
    },
    "pay": {
        "instructions": "Pay.",
        "tools": [{"id": "take_payment"}],
        "edges": [{"to": "bye", "when": "done"}],
    },
    "bye": BYE,
}
TOOLS: dict[str, Any] = {"quote": PAY, "take_payment": {}}


async def started(bench: Any, nodes: Any = None, **options: Any) -> Any:
    b = bench(nodes or NODES, tools=TOOLS, script=[{"say": "Hello."}], **options)
    await b.live.start()
    return b


async def test_a_tool_of_another_node_is_not_there(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Pay.", {"calls": [{"tool": "take_payment"}]}, {"say": "Sorry."})
    (output,) = b.outputs("take_payment")
    assert output.is_error
    assert output.output == "There is no tool 'take_payment' at greeting."
    assert "lk_" not in output.output
    assert b.runner.ran == []
    assert b.said()[-1] == "Sorry.", "the call goes on"
    assert [(call.tool, call.outcome) for call in b.state.tools] == [("take_payment", "refused")]


async def test_a_step_outside_the_enum_is_refused_and_the_call_goes_on(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Pay.", {"move_to": "vault"}, {"say": "Sorry."})
    (output,) = b.outputs("move_to")
    assert output.is_error
    assert output.output == "vault is no exit of this step. Exits: pay, bye."
    assert b.nodes == ["greeting"]
    assert b.said()[-1] == "Sorry."
    assert [refusal.to for refusal in b.state.refusals] == ["vault"]


@pytest.mark.parametrize("args", [{}, {"to": 1}, {"to": "pay", "force": True}, {"node": "pay"}])
async def test_a_move_with_other_arguments_is_refused(bench: Any, args: Any) -> None:
    b = await started(bench)
    await b.turn("Pay.", {"calls": [{"tool": "move_to", "args": args}]}, {"say": "Sorry."})
    assert b.outputs("move_to")[0].is_error
    assert b.nodes == ["greeting"]


@pytest.mark.parametrize(
    ("args", "wrong"),
    [
        ({"plan": "weekly"}, "'weekly' is not one of"),
        ({}, "'plan' is a required property"),
        ({"plan": "once", "amount": 1}, "'amount' was unexpected"),  # bound: not the model's to say
        ({"plan": "once", "tip": 1}, "'tip' was unexpected"),
        ({"plan": 1}, "1 is not of type 'string'"),
    ],
)
async def test_arguments_outside_the_schema_are_refused(bench: Any, args: Any, wrong: str) -> None:
    b = await started(bench)
    await b.turn("Quote.", {"calls": [{"tool": "quote", "args": args}]}, {"say": "Sorry."})
    (output,) = b.outputs("quote")
    assert output.is_error
    assert wrong in output.output
    assert b.runner.ran == []
    assert b.gate.requests == []
    assert b.said()[-1] == "Sorry."


async def test_bound_arguments_leave_the_schema_and_reach_the_tool(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Quote.", {"calls": [{"tool": "quote", "args": {"plan": "once"}}]}, {"say": "Ok."})
    assert b.model.seen[-1].schemas["quote"]["parameters"] == {
        "type": "object",
        "required": ["plan"],
        "additionalProperties": False,
        "properties": {"plan": {"type": "string", "enum": ["once", "monthly"]}},
    }
    assert b.runner.ran == [("quote", {"plan": "once", "amount": 5})]
    assert b.gate.requests[0].bound == {"amount"}


async def test_broken_json_is_refused_and_the_rest_of_the_batch_counts(bench: Any) -> None:
    b = await started(bench)
    await b.turn(
        "Pay.",
        {"calls": [{"tool": "quote", "args": "{{{not json"}], "move_to": "pay"},
        {"say": "Pay here."},
    )
    assert b.outputs("quote")[0].is_error
    assert b.nodes == ["greeting", "pay"]
    assert b.said()[-1] == "Pay here."


async def test_a_slow_tool_times_out_and_the_call_goes_on(bench: Any) -> None:
    tools = {"slow": {"timeout_seconds": 0.05}}
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "slow"}],
            "edges": [{"to": "bye", "if": "failed.slow"}, {"to": "only", "when": "again"}],
        },
        "bye": BYE,
    }
    b = bench(nodes, tools=tools, script=[{"say": "Hello."}])
    b.runner.answers["slow"] = [lambda args: asyncio.sleep(30)]
    await b.live.start()
    await b.turn("Work.", {"calls": [{"tool": "slow"}]})
    assert b.outputs("slow")[0].output == (
        "slow did not answer in time. "
        "It may have gone through all the same, so do not try it again."
    )
    assert b.state.tools[0].outcome == "timeout"
    assert b.gate.settled == [("1", "unknown")], "it may have done its work"
    assert b.nodes == ["only", "bye"], "the flow sees it as failed.slow"


async def test_a_tool_that_does_not_let_itself_be_cancelled_holds_nothing_up(bench: Any) -> None:
    b = bench(
        {
            "only": {
                "instructions": "Work.",
                "tools": [{"id": "deaf"}],
                "edges": [{"to": "bye", "when": "done"}],
            },
            "bye": BYE,
        },
        tools={"deaf": {"timeout_seconds": 0.05}},
        script=[{"say": "Hello."}],
    )

    heard_enough = asyncio.Event()

    async def deaf(args: Any) -> Any:
        while not heard_enough.is_set():
            try:
                await heard_enough.wait()
            except asyncio.CancelledError:
                continue
        return {}

    b.runner.answers["deaf"] = [deaf]
    await b.live.start()
    await b.turn("Work.", {"calls": [{"tool": "deaf"}]}, {"say": "That takes too long."})
    assert b.said()[-1] == "That takes too long."
    heard_enough.set()


async def test_the_calls_of_a_batch_run_at_once(bench: Any) -> None:
    b = await started(bench)
    all_run = asyncio.Event()

    async def together(args: Any) -> Any:
        if len(b.runner.ran) == 3:
            all_run.set()
        await all_run.wait()
        return {}

    b.runner.answers["quote"] = [together]
    call = {"tool": "quote", "args": {"plan": "once"}}
    await b.turn("Quote.", {"calls": [call, call, call]}, {"say": "Ok."})
    assert [tool.outcome for tool in b.state.tools] == ["done", "done", "done"]


async def test_tools_of_the_session_appear_on_no_node(bench: Any) -> None:
    async def leak(raw_arguments: dict[str, Any]) -> str:
        raise AssertionError("it ran")

    schema = {"name": "leak", "description": "", "parameters": {"type": "object"}}
    b = await started(bench)
    b.live.session._tools.append(llm.function_tool(leak, raw_schema=schema))
    await b.turn("Leak.", {"calls": [{"tool": "leak"}]}, {"say": "Sorry."})
    assert "leak" not in b.model.seen[-1].tools
    assert b.outputs("leak")[0].output == "There is no tool 'leak' at greeting."


async def test_two_uses_of_one_tool_on_a_node_do_not_kill_the_session(bench: Any) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "quote", "with": {"amount": 1}}, {"id": "quote"}],
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    b = await started(bench, nodes)
    await b.turn("Quote.", {"calls": [{"tool": "quote", "args": {"plan": "once"}}]}, {"say": "Ok."})
    assert b.model.seen[-1].tools == ("move_to", "quote")
    assert b.runner.ran == [("quote", {"plan": "once", "amount": 1})]


async def test_a_model_that_only_calls_tools_has_to_speak_in_the_end(bench: Any) -> None:
    b = await started(bench)
    call = {"calls": [{"tool": "quote", "args": {"plan": "once"}}]}
    await b.turn("Quote.", *[call] * 8, {"say": "Here I am."})
    assert b.model.seen[-1].tools == ()
    assert b.said()[-1] == "Here I am."
    await b.turn("Again.", {"say": "Yes?"})
    assert b.model.seen[-1].tools == ("move_to", "quote"), "the next turn has its tools again"


async def test_a_model_that_calls_tools_even_then_fails_the_flow(bench: Any) -> None:
    b = await started(bench, error="bye")
    call = {"calls": [{"tool": "quote", "args": {"plan": "once"}}]}
    await b.turn("Quote.", *[call] * 12)
    assert b.state.node == "bye"
    assert b.state.path[-1].reason.cause == "error"
    assert b.state.over


async def test_a_call_that_comes_late_from_a_node_that_was_left_does_nothing(bench: Any) -> None:
    nodes = {
        **NODES,
        "greeting": {**NODES["greeting"], "collect": ["name"]},
    }
    b = bench(nodes, tools=TOOLS, slots={"name": {"type": "string"}}, script=[{"say": "Hello."}])
    await b.live.start()
    stale = b.live.agent._maker.next(b.live.agent.chat_ctx, 0, no_calls=False)
    b.live.move(Move("pay", Reason("key", "1")))
    late = {tool.info.name: tool for tool in stale.model_tools}
    call = llm.FunctionCall(call_id="late", name="move_to", arguments="{}")
    context = type("Context", (), {"speech_handle": None, "function_call": call})()
    with pytest.raises(llm.ToolError, match="moved on to pay"):
        await late["move_to"](raw_arguments={"to": "bye"}, context=context)
    with pytest.raises(llm.ToolError, match="moved on to pay"):
        await late["collect"](raw_arguments={"name": "Jane"}, context=context)
    assert b.state.slots == {}
    assert b.live.ledger.wishes == {}


async def test_a_denied_tool_does_not_run(bench: Any) -> None:
    b = await started(bench)
    b.gate.deny.add("quote")
    await b.turn("Quote.", {"calls": [{"tool": "quote", "args": {"plan": "once"}}]}, {"say": "No."})
    assert b.runner.ran == []
    assert b.outputs("quote")[0].output == "Not allowed. Not proven."
    (call,) = b.state.tools
    assert (call.outcome, call.allowed, call.rules) == ("denied", False, ("test",))
    assert b.gate.settled == []


def test_nothing_of_the_call_uses_library_tasks_that_would_go_around_the_gate() -> None:
    # GetCreditCardTask lets a card number through the model; TaskGroup asks answered things again.
    room = Path(trunkline_runtime.__file__).parent
    for module in [*room.glob("call/**/*.py"), *room.glob("tools/**/*.py")]:
        text = module.read_text(encoding="utf-8")
        assert "beta.workflows" not in text, module
        assert "TaskGroup(" not in text, module


@pytest.mark.parametrize(
    "args",
    [
        '{"amount": NaN}',
        '{"amount": 1e999}',
        '{"amount": -Infinity}',
        '{"amount": -123456789012345678901234567890}',
        '{"note": "\\ud800"}',
        '{"\\udfff": 1}',
    ],
)
async def test_what_json_has_no_spelling_for_is_refused_before_the_gate(
    bench: Any, args: str
) -> None:
    amount = {"type": "number", "maximum": 500}
    parameters = {"type": "object", "properties": {"amount": amount, "note": {"type": "string"}}}
    nodes = {**NODES, "greeting": {**NODES["greeting"], "tools": [{"id": "give"}]}}
    b = bench(nodes, tools={**TOOLS, "give": {"parameters": parameters}}, script=[{"say": "Hi."}])
    await b.live.start()
    await b.turn("Give.", {"calls": [{"tool": "give", "args": args}]}, {"say": "Sorry."})
    assert b.outputs("give")[0].output.startswith("The arguments do not fit: ")
    assert (b.runner.ran, b.gate.requests) == ([], [])
    assert b.said()[-1] == "Sorry."
    canonical_bytes(record_of(b.call))
    assert CallState.from_json(json.loads(json.dumps(b.state.to_json()))).tools


async def test_a_condition_that_falls_in_the_same_batch_holds_a_tool_back(bench: Any) -> None:
    uses = [{"id": "agree"}, {"id": "undo"}, {"id": "send", "if": "facts.agreed"}]
    nodes = {**NODES, "greeting": {**NODES["greeting"], "tools": uses}}
    tools = {
        **TOOLS,
        "agree": {"establishes": {"agreed": "true"}},
        "undo": {"revokes": ["agreed"]},
        "send": {},
    }
    b = bench(nodes, tools=tools, script=[{"say": "Hi."}])
    await b.live.start()
    await b.turn("Yes.", {"calls": [{"tool": "send"}, {"tool": "agree"}]}, {"say": "Good."})
    await b.turn("No!", {"calls": [{"tool": "undo"}, {"tool": "send"}]}, {"say": "As you like."})
    assert [tool for tool, _ in b.runner.ran] == ["agree", "undo"]
    assert "no longer offered" in b.outputs("send")[-1].output
    assert b.gate.settled[-1][1] == "done"
    assert ("3", "withdrawn") in b.gate.settled, "it was allowed, and then it did not start"


async def test_a_tool_of_one_generation_is_not_there_in_the_next(bench: Any) -> None:
    nodes = {**NODES, "greeting": {**NODES["greeting"], "tools": [{"id": "quick", "once": True}]}}
    b = bench(nodes, tools={**TOOLS, "quick": {}}, script=[{"say": "Hi."}])
    await b.live.start()
    assert b.model.seen[-1].tools == ("move_to", "quick")
    await b.turn("Now.", {"calls": [{"tool": "quick"}]}, {"say": "Too late."})
    assert b.outputs("quick")[0].output == "There is no tool 'quick' at greeting."
    assert b.runner.ran == []


async def test_a_node_of_a_tenant_with_sixty_tools_offers_its_own(bench: Any) -> None:
    sixty = {f"tool_{number}": {} for number in range(60)}
    nodes = {
        "greeting": {
            "instructions": "Greet.",
            "tools": [{"id": "tool_7"}, {"id": "tool_41"}],
            "edges": [{"to": "rest", "when": "go on"}],
        },
        "rest": {
            "instructions": "Rest.",
            "tools": [{"id": tool} for tool in list(sixty)[:8]],
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    b = bench(nodes, tools=sixty, script=[{"say": "Hi."}])
    await b.live.start()
    assert b.model.seen[-1].tools == ("move_to", "tool_7", "tool_41")
    await b.turn("Now.", {"calls": [{"tool": "tool_8"}]}, {"say": "Sorry."})
    assert b.outputs("tool_8")[0].is_error
    assert b.runner.ran == []
