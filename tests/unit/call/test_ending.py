"""How a call ends: transfers, limits, silence, hang-ups, what runs after it, what is on record."""

import asyncio
import json
from typing import Any

import pytest

from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.record import record_of
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.transfers import Taken
from trunkline_runtime.failure import Refused
from trunkline_runtime.script.model import Generation

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
SLOTS = {
    "name": {"type": "string", "pii": True},
    "kind": {"type": "choice", "choices": ["day", "night"]},
}
NODES = {
    "greeting": {
        "instructions": "Greet.",
        "collect": ["name", "kind"],
        "edges": [
            {"to": "human", "when": "they want a human"},
            {"to": "bye", "when": "done"},
            {"to": "greeting", "when": "again"},
        ],
    },
    "human": {
        "kind": "transfer",
        "number": {"by": "slots.kind", "night": "night", "default": "support"},
        "mode": "warm",
        "summary": ["name", "kind"],
        "say": "One moment.",
        "on_failure": "sorry",
    },
    "sorry": {"kind": "end", "say": "Nobody is there.", "outcome": "not_connected"},
    "bye": BYE,
}


async def started(bench: Any, nodes: Any = None, **more: Any) -> Any:
    b = bench(nodes or NODES, slots=SLOTS, script=[{"say": "Hello."}], **more)
    await b.live.start()
    return b


async def test_a_warm_transfer_to_the_number_that_a_slot_chooses(bench: Any) -> None:
    b = await started(bench)
    given = {"name": "Jane", "kind": "night"}
    collect = {"calls": [{"tool": "collect", "args": given}]}
    await b.turn("Jane, at night.", collect, {"say": "And now?"})
    await b.turn("A human!", {"move_to": "human"})
    (hand_off,) = b.desk.rung
    assert (hand_off.name, hand_off.number, hand_off.mode) == ("night", "+12025550102", "warm")
    assert hand_off.summary == {"name": "Jane", "kind": "night"}
    assert b.said()[-1] == "One moment."
    assert b.said("human") == ["Kim here, how can I help?"]
    assert (b.state.outcome, b.state.over) == ("transferred", True)
    assert b.nodes == ["greeting", "human"]


async def test_a_slot_that_is_not_set_gives_the_default_and_no_summary(bench: Any) -> None:
    b = await started(bench)
    await b.turn("A human!", {"move_to": "human"})
    (hand_off,) = b.desk.rung
    assert (hand_off.name, hand_off.summary) == ("support", {})


@pytest.mark.parametrize("answer", [Taken(False), RuntimeError("the trunk is down")])
async def test_a_transfer_that_fails_goes_where_the_flow_says(bench: Any, answer: Any) -> None:
    b = await started(bench)
    b.desk.answer = answer
    await b.turn("A human!", {"move_to": "human"})
    assert b.nodes == ["greeting", "human", "sorry"]
    assert b.said()[-2:] == ["One moment.", "Nobody is there."]
    assert b.state.path[-1].reason.cause == "on_failure"
    assert b.state.outcome == "not_connected"


async def test_a_number_that_the_tenant_does_not_have_is_a_failed_transfer(bench: Any) -> None:
    nodes = {**NODES, "human": {**NODES["human"], "number": "nobody"}}
    b = await started(bench, nodes)
    await b.turn("A human!", {"move_to": "human"})
    assert b.desk.rung == []
    assert b.nodes[-1] == "sorry"


SILENCE = {"after_seconds": 8, "say": "Are you still there?", "times": 2, "to": "bye"}


async def test_silence_is_broken_twice_and_then_the_call_moves(bench: Any) -> None:
    b = await started(bench, silence=SILENCE)
    await b.caller.is_silent_for(7)
    assert b.said() == ["Hello."]
    await b.caller.is_silent_for(1)
    await b.caller.is_silent_for(8)
    assert b.said()[1:] == ["Are you still there?"] * 2
    await b.caller.is_silent_for(8)
    assert b.said()[-1] == "Goodbye."
    assert b.state.path[-1].reason.cause == "silence"
    assert len(b.model.seen) == 1


async def test_a_word_of_the_caller_begins_the_count_anew(bench: Any) -> None:
    b = await started(bench, silence=SILENCE)
    await b.caller.is_silent_for(16)
    await b.turn("Yes.", {"say": "Good."})
    await b.caller.is_silent_for(16)
    assert b.state.node == "greeting"
    await b.caller.is_silent_for(8)
    assert b.state.over


async def test_silence_without_rules_asks_and_ends_as_abandoned(bench: Any) -> None:
    nodes = {
        "only": {"instructions": "Talk.", "edges": [{"to": "bye", "when": "done"}]},
        "bye": BYE,
    }
    b = await started(bench, nodes)
    await b.turn("Hm.", {"say": "Yes?"})
    b.model.then([Generation("Are you there?"), Generation("Hello?")])
    await b.caller.is_silent_for(24)
    assert b.said()[-2:] == ["Are you there?", "Hello?"]
    assert (b.state.outcome, b.state.over) == ("abandoned", True)


async def test_a_node_has_its_own_silence(bench: Any) -> None:
    own = {"after_seconds": 2, "say": "Take your time.", "times": 1, "to": "sorry"}
    nodes = {**NODES, "greeting": {**NODES["greeting"], "silence": own}}
    b = await started(bench, nodes, silence=SILENCE)
    await b.caller.is_silent_for(4)
    assert b.said() == ["Hello.", "Take your time.", "Nobody is there."]


async def test_too_many_visits(bench: Any) -> None:
    b = await started(bench, limits={"max_visits": 3, "to": "sorry"})
    for _ in range(2):
        await b.turn("Again.", {"move_to": "greeting"}, {"say": "Hello."})
    await b.turn("Again.", {"move_to": "greeting"})
    assert b.nodes == ["greeting", "greeting", "greeting", "sorry"]
    assert b.state.path[-1].reason.words == "greeting was entered 3 times"


async def test_too_many_visits_without_a_place_to_go(bench: Any) -> None:
    b = await started(bench, limits={"max_visits": 1})
    await b.turn("Again.", {"move_to": "greeting"})
    assert (b.state.outcome, b.state.over) == ("abandoned", True)


async def test_too_long_a_call_ends_although_the_model_only_talks(bench: Any) -> None:
    b = await started(bench, limits={"max_minutes": 2, "to": "sorry"})
    b.clock.pass_time(119)
    await b.turn("Hm.", {"say": "Yes?"})
    assert b.state.node == "greeting"
    b.clock.pass_time(1)
    await b.turn("Hm.")
    assert b.nodes == ["greeting", "sorry"]
    assert b.state.path[-1].reason.words == "the call has lasted 2 minutes"


async def test_hanging_up_settles_the_tools_in_flight_and_completes_the_record(
    bench: Any,
) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "charge"}],
            "edges": [{"to": "bye", "if": "facts.paid"}, {"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    after = [{"id": "note", "with": {"outcome": "call.outcome"}}]
    tools = {
        "charge": {"establishes": {"paid": "true"}},
        "note": {
            "parameters": {
                "type": "object",
                "required": ["outcome"],
                "properties": {"outcome": {"type": "string"}},
            }
        },
    }
    b = bench(nodes, tools=tools, after_call=after, script=[{"say": "Hello."}])
    released = b.hold("charge", {})
    await b.live.start()
    turn = asyncio.create_task(b.turn("Pay.", {"calls": [{"tool": "charge"}]}))
    await b.until(lambda: b.runner.ran)
    hanging_up = asyncio.create_task(b.caller.hangs_up())
    await b.until(lambda: b.state.over)
    released.set()
    await hanging_up
    await turn
    assert b.state.outcome == "hung_up"
    assert [(call.tool, call.outcome) for call in b.state.tools] == [
        ("charge", "done"),
        ("note", "done"),
    ]
    assert "paid" in b.state.facts
    assert b.runner.ran[-1] == ("note", {"outcome": "hung_up"})
    assert b.live.ended.is_set()
    await b.caller.hangs_up()
    await b.caller.says("Hello?")
    assert b.said("caller") == ["Pay."]


async def test_hanging_up_over_the_goodbye_keeps_the_outcome(bench: Any) -> None:
    b = await started(bench)
    b.live.move(Move("bye", Reason("key", "1")))
    assert b.state.closing
    assert not b.state.over, "the words are still to be said"
    await b.caller.hangs_up()
    assert b.state.outcome == "no_action"


async def test_after_the_call_tools_run_gated_and_without_missing_arguments(bench: Any) -> None:
    text = {"type": "string"}
    tools = {
        "note": {
            "parameters": {
                "type": "object",
                "required": ["outcome"],
                "properties": {"outcome": text, "name": text},
            }
        },
        "other": {
            "parameters": {"type": "object", "required": ["name"], "properties": {"name": text}}
        },
        "denied": {},
        "never": {},
    }
    after = [
        {"id": "note", "with": {"outcome": "call.outcome", "name": "slots.name"}},
        {"id": "other", "with": {"name": "slots.name"}},
        {"id": "denied"},
        {"id": "never", "if": 'call.outcome == "paid"'},
    ]
    b = await started(bench, tools=tools, after_call=after)
    b.gate.deny.add("denied")
    await b.turn("Done.", {"move_to": "bye"})
    assert b.runner.ran == [("note", {"outcome": "no_action"})]
    assert [(call.tool, call.outcome, call.node) for call in b.state.tools] == [
        ("note", "done", "after_call"),
        ("denied", "denied", "after_call"),
    ]
    assert b.said()[-1] == "Goodbye."


async def test_a_conversation_is_kept_for_the_caps(bench: Any) -> None:
    b = await started(bench)
    await b.turn("Done.", {"move_to": "bye"})
    assert [(contact.number, contact.kind) for contact in b.gate.contacts] == [
        ("+12025550143", "conversation")
    ]


async def test_an_outcome_of_the_catalogue_may_suppress_too(bench: Any) -> None:
    nodes = {**NODES, "bye": {**BYE, "outcome": "wrong_number"}}
    outcomes = {"wrong_number": {"suppress": "platform"}}
    b = await started(bench, nodes, outcomes=outcomes)
    await b.turn("Wrong.", {"move_to": "bye"})
    assert [opt_out.scope for opt_out in b.gate.opt_outs] == ["platform"]


async def test_the_state_goes_through_json_and_a_call_goes_on_from_it(bench: Any) -> None:
    tools: dict[str, Any] = {"look": {}}
    nodes = {**NODES, "greeting": {**NODES["greeting"], "tools": [{"id": "look"}]}}
    b = await started(bench, nodes, tools=tools)
    b.runner.answers["look"] = [{"found": "it"}]
    collect = {"calls": [{"tool": "collect", "args": {"name": "Jane"}}]}
    await b.turn("Jane.", collect, {"calls": [{"tool": "look"}]}, {"say": "Ok."})
    await b.turn("Again.", {"move_to": "greeting"}, {"say": "Hello again."})
    again = CallState.from_json(json.loads(json.dumps(b.state.to_json())))
    assert again == b.state
    assert again.to_json() == b.state.to_json()

    other = bench(
        nodes, slots=SLOTS, tools=tools, state=again, script=[{"say": "We were cut off."}]
    )
    await other.live.start()
    assert other.nodes == ["greeting", "greeting", "greeting"]
    assert again.path[-1].reason.cause == "resume"
    assert again.visits == {"main/greeting": 2}, "going on is no new visit"
    seen = other.model.seen[-1].dialogue.items
    assert "- name: Jane" in seen[0].text_content
    assert [item.text_content for item in seen[1:] if item.type == "message"] == [
        "Hello.",
        "Jane.",
        "Ok.",
        "Again.",
        "Hello again.",
    ]
    outputs = [item.output for item in seen if item.type == "function_call_output"]
    assert outputs == ['{"found": "it"}']
    assert other.said()[-1] == "We were cut off."
    await other.turn("Done.", {"move_to": "bye"})
    assert again.over


async def test_a_call_does_not_go_on_on_another_release(bench: Any) -> None:
    b = await started(bench)
    changed = {**NODES, "bye": {**BYE, "say": "Farewell."}}
    with pytest.raises(Refused, match="the call is pinned to main v1 sha256:"):
        bench(changed, slots=SLOTS, state=b.state)


async def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="trunkline/call-state/v1"):
        CallState.from_json({"format": "trunkline/call-state/v9"})


async def test_the_record_says_everything_but_what_is_private(bench: Any) -> None:
    nodes = {
        **NODES,
        "greeting": {
            **NODES["greeting"],
            "tools": [
                {"id": "text", "with": {"to": "slots.name"}},
            ],
        },
    }
    text = {"type": "string"}
    tools = {
        "text": {
            "parameters": {
                "type": "object",
                "properties": {"to": text, "words": text, "number": text},
            }
        }
    }
    b = await started(bench, nodes, tools=tools)
    args = {"words": "Dear Jane Doe, hello", "number": "+1 202 555 0143"}
    await b.turn(
        "I am Jane Doe.",
        {"calls": [{"tool": "collect", "args": {"name": "Jane Doe", "kind": "day"}}]},
        {"calls": [{"tool": "text", "args": args}]},
        {"say": "Sent."},
    )
    await b.turn("Vault.", {"move_to": "vault"}, {"say": "No."})
    await b.turn("Done.", {"move_to": "bye"})
    record = record_of(b.call)
    written = json.dumps(record)
    assert "Jane" not in written
    assert "0143" not in written
    assert record["pin"]["table"] == b.call.pin.digest
    assert record["outcome"] == "no_action"
    assert [step["node"] for step in record["path"]] == ["greeting", "bye"]
    assert record["path"][1]["why"] == "done"
    assert record["refused"][0]["to"] == "vault"
    (tool,) = record["tools"]
    assert tool["args"] == {"to": "•••", "words": "•••", "number": "•••"}
    assert (tool["allowed"], tool["rules"], tool["outcome"]) == (True, ["test"], "done")
    assert record["slots"]["name"]["value"] == "•••"
    assert record["slots"]["kind"]["value"] == "day"
    assert record["turns"] == {"caller": 3, "agent": 4}


@pytest.mark.parametrize(
    "number",
    [
        "2025550101",
        "tel:+12025550101",
        "+1 202 555 0101",
        "sip:desk@example.com",
        "+12025550101;ext=1",
        "+0202555010",
        "911",
        "",
        "+١٢٠٢٥٥٥٠١٠١",
    ],
)
async def test_what_is_no_number_is_not_dialled(bench: Any, number: str) -> None:
    b = await started(bench)
    object.__setattr__(b.call.settings, "numbers", {"support": number, "night": number})
    await b.turn("A human!", {"move_to": "human"})
    assert b.desk.rung == []
    assert b.nodes[-1] == "sorry"


@pytest.mark.parametrize("kind", ["+12025550199", "nobody", "support"])
async def test_what_the_caller_says_is_never_dialled(bench: Any, kind: str) -> None:
    """A slot chooses among the names that the node lists, and names nothing by itself."""
    slots = {**SLOTS, "kind": {"type": "string"}}
    b = bench(NODES, slots=slots, script=[{"say": "Hello."}])
    await b.live.start()
    collect = {"calls": [{"tool": "collect", "args": {"kind": kind}}]}
    await b.turn(kind, collect, {"say": "And now?"})
    await b.turn("A human!", {"move_to": "human"})
    assert [hand_off.number for hand_off in b.desk.rung] == ["+12025550101"]


async def test_too_long_a_call_ends_while_a_question_waits_too(bench: Any) -> None:
    nodes = {
        "sure": {
            "kind": "confirm",
            "say": "Sure?",
            "establishes": ["agreed"],
            "on_yes": "bye",
            "on_no": "bye",
            "on_unclear": "bye",
        },
        "late": {"kind": "end", "say": "Our time is up.", "outcome": "abandoned"},
        "bye": BYE,
    }
    b = bench(nodes, limits={"max_minutes": 1, "to": "late"})
    await b.live.start()
    b.clock.pass_time(59)
    await b.live.go_on()
    assert b.nodes == ["sure"]
    b.clock.pass_time(2)
    await b.live.go_on()
    assert b.nodes == ["sure", "late"]
    assert b.said()[-1] == "Our time is up."
