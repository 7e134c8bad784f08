"""Enums that are filled as a call begins: from a tool past the gate, or the tool is not offered."""

import asyncio
from typing import Any

import pytest

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
NODES = {
    "hello": {"instructions": "Greet.", "edges": [{"to": "topics", "when": "they ask"}]},
    "topics": {
        "instructions": "Book a topic.",
        "tools": [{"id": "book"}, {"id": "plain"}],
        "edges": [{"to": "bye", "when": "done"}],
    },
    "bye": BYE,
}
TOOLS: dict[str, Any] = {
    "list_topics": {
        "result": {
            "type": "object",
            "properties": {"topics": {"type": "array", "items": {"type": "string"}}},
        }
    },
    "book": {
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "required": ["topic"],
            "properties": {
                "topic": {"type": "string", "x-enum-from": "list_topics.topics"},
                "note": {"type": "string"},
            },
        }
    },
    "plain": {},
}


def made(bench: Any, answer: Any, **more: Any) -> Any:
    b = bench(NODES, tools=TOOLS, script=[{"say": "Hello."}], **more)
    b.runner.answers["list_topics"] = [answer]
    return b


def offered(b: Any, tool: str) -> Any:
    return b.model.seen[-1].schemas[tool]["parameters"]


async def test_the_values_of_the_tenants_system_are_the_enum(bench: Any) -> None:
    b = made(bench, {"topics": ["gas", "water", "gas"]})
    await b.live.start()
    await b.turn("Topics?", {"move_to": "topics"}, {"say": "Gas or water?"})
    assert offered(b, "book")["properties"] == {
        "topic": {"type": "string", "enum": ["gas", "water"]},
        "note": {"type": "string"},
    }
    assert [request.tool_id for request in b.gate.requests] == ["list_topics"], "past the gate"
    assert b.gate.requests[0].node == "call_start"
    await b.turn("Gas.", {"calls": [{"tool": "book", "args": {"topic": "gas"}}]}, {"say": "Done."})
    assert ("book", {"topic": "gas"}) in b.runner.ran
    await b.turn("Oil.", {"calls": [{"tool": "book", "args": {"topic": "oil"}}]}, {"say": "No."})
    assert "'oil' is not one of ['gas', 'water']" in b.outputs("book")[-1].output
    assert [tool for tool, _ in b.runner.ran] == ["list_topics", "book"]


@pytest.mark.parametrize("answer", [{"topics": []}, {}, {"topics": [str(n) for n in range(201)]}])
async def test_without_values_it_is_not_offered_and_the_record_says_why(
    bench: Any, answer: Any
) -> None:
    b = made(bench, answer)
    await b.live.start()
    await b.turn("Topics?", {"move_to": "topics"}, {"say": "None today."})
    assert b.model.seen[-1].tools == ("move_to", "plain")
    (note,) = [tool for tool in b.state.tools if tool.tool == "book"]
    assert (note.node, note.outcome) == ("call_start", "refused")
    assert note.reasons == ("unfilled: topic has no values in list_topics.topics",)


async def test_a_failure_and_a_denial_leave_it_out(bench: Any, failed: Any) -> None:
    broken = made(bench, failed("It is down."))
    await broken.live.start()
    await broken.turn("Topics?", {"move_to": "topics"}, {"say": "None today."})
    assert "book" not in broken.model.seen[-1].tools
    assert [(t.tool, t.outcome) for t in broken.state.tools] == [
        ("list_topics", "error"),
        ("book", "refused"),
    ]
    denied = made(bench, {"topics": ["gas"]})
    denied.gate.deny.add("list_topics")
    await denied.live.start()
    await denied.turn("Topics?", {"move_to": "topics"}, {"say": "None today."})
    assert "book" not in denied.model.seen[-1].tools
    assert denied.runner.ran == []
    assert denied.state.tools[0].outcome == "denied"


async def test_nobody_waits_in_silence_for_it(bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trunkline_runtime.call.filling._PATIENCE_SECONDS", 0.05)
    b = made(bench, None)
    released = b.hold("list_topics", {"topics": ["gas"]})
    await b.live.start()
    assert b.said() == ["Hello."], "the greeting does not wait"
    await b.turn("Topics?", {"move_to": "topics"}, {"say": "One moment."})
    assert "book" not in b.model.seen[-1].tools
    released.set()
    await b.live.dispatcher.settled()
    await b.turn("And now?", {"say": "Gas."})
    assert offered(b, "book")["properties"]["topic"]["enum"] == ["gas"]


async def test_hanging_up_stops_it(bench: Any) -> None:
    b = made(bench, None)
    b.hold("list_topics", {"topics": ["gas"]})
    await b.live.start()
    await asyncio.wait_for(b.caller.hangs_up(), 5)
    assert [(tool.tool, tool.outcome) for tool in b.state.tools] == [("list_topics", "error")]


async def test_a_linked_flow_has_its_own(bench: Any) -> None:
    nodes = {
        "hello": {"instructions": "Greet.", "edges": [{"to": "over", "when": "they ask"}]},
        "over": {"kind": "link", "flow": "second"},
    }
    second = {"topics": NODES["topics"], "bye": BYE}
    b = bench(nodes, tools=TOOLS, script=[{"say": "Hello."}], flows={"second": {"nodes": second}})
    b.runner.answers["list_topics"] = [{"topics": ["gas"]}]
    await b.live.start()
    await b.turn("Topics?", {"move_to": "over"}, {"say": "Gas?"})
    assert offered(b, "book")["properties"]["topic"]["enum"] == ["gas"]


async def test_a_call_that_goes_on_keeps_its_values(bench: Any) -> None:
    b = made(bench, {"topics": ["gas"]})
    await b.live.start()
    await b.turn("Topics?", {"move_to": "topics"}, {"say": "Gas?"})
    saved = type(b.state).from_json(b.state.to_json())
    again = made(bench, {"topics": ["never asked"]}, state=saved)
    await again.live.start()
    await again.turn("Hello?", {"say": "Gas?"})
    assert offered(again, "book")["properties"]["topic"]["enum"] == ["gas"]
    assert again.runner.ran == []
