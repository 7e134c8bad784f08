"""A call that is cut off at any moment goes on at its node, with everything that it knew and heard.

One long call passes everything that a call may stand on; at each change of it the state is taken
through JSON, and another session goes on from there.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from trunkline_runtime.call.state import CallState
from trunkline_runtime.script.model import Generation

SLOTS = {
    "name": {"type": "string", "ask": "May I have your name?"},
    "amount": {"type": "number"},
    "day": {"type": "date", "optional": True},
}
NODES: dict[str, Any] = {
    "greeting": {
        "speak": ["ai"],
        "say": "I call for {{ tenant.display_name }}.",
        "instructions": "Greet.",
        "edges": [{"to": "details", "when": "they agree"}],
    },
    "details": {
        "instructions": "Ask.",
        "collect": ["name", "amount", "day"],
        "tools": [{"id": "check", "with": {"name": "slots.name"}}, {"id": "ponder"}],
        "edges": [{"to": "sure", "if": "facts.checked"}],
    },
    "sure": {
        "kind": "confirm",
        "say": "{{ slots.amount }} dollars, is that right?",
        "establishes": ["agreed"],
        "on_yes": "short",
        "on_no": "details",
        "on_unclear": "details",
        "times": 2,
    },
    "short": {
        "instructions": "Short.",
        "history": {"keep": 2, "summary": True},
        "edges": [
            {"to": "whole", "when": "they go on", "requires": ["agreed", "checked"]},
            {"to": "bye", "when": "they give up"},
        ],
    },
    "whole": {"instructions": "Whole.", "edges": [{"to": "bye", "when": "done"}]},
    "question": {"instructions": "Answer.", "return": True},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}
ANYWHERE = [{"to": "question", "when": "they ask something"}]
PONDER = {"subagent": {"instructions": "Think.", "filler": ["One moment."]}}
CHECK = {
    "parameters": {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}},
    },
    "spoken": ["name"],
    "establishes": {"checked": "true"},
}
TOOLS: dict[str, Any] = {"check": CHECK, "ponder": {"run": PONDER}}
MORE: dict[str, Any] = {"slots": SLOTS, "tools": TOOLS, "anywhere": ANYWHERE}


def calls(tool: str, **args: Any) -> dict[str, Any]:
    return {"calls": [{"tool": tool, "args": args}]}


async def whole_call(bench: Any) -> tuple[Any, list[str]]:
    """The call, and its state as JSON at each change."""
    b = bench(NODES, script=[{"say": "Is now a good time?"}], **MORE)
    b.runners["subagent"] = b.runner
    thought = b.hold("ponder", {"answer": 42})
    kept: list[str] = []
    b.live._changed = lambda: kept.append(json.dumps(b.state.to_json()))
    await b.live.start()
    await b.turn("Yes.", {"move_to": "details"}, {"say": "Who are you?"})
    await b.turn("Jane.", calls("collect", name="Jane"), calls("ponder"))
    await b.turn("What?", {"move_to": "question"}, {"say": "It is about your bill."})
    await b.turn("I see.", {"move_to": "back"}, {"say": "And how much?"})
    rest = calls("collect", amount="twelve fifty", declined=["day"])
    await b.turn("Twelve fifty.", rest, calls("check"))
    await b.turn("Hm.")
    await b.turn("Yes.", {"say": "Short."})
    b.model.expects_late = True
    b.model.then([Generation("It is 42.")])
    thought.set()
    await asyncio.wait_for(b.live.at_rest(), 10)
    await b.turn("Go on.", {"move_to": "whole"}, {"say": "All of it."})
    await b.turn("Done.", {"move_to": "bye"})
    assert b.state.over
    return b, kept


def messages(b: Any) -> list[str]:
    items = b.model.seen[-1].dialogue.items[1:]
    return [item.text_content for item in items if item.type == "message"]


async def goes_on(bench: Any, saved: Mapping[str, Any]) -> Any:
    """Another session from a checkpoint. Its model says one thing each time that it is asked."""
    state = CallState.from_json(saved)
    assert state.to_json() == saved, "nothing is lost on the way"
    again = bench(NODES, state=state, **MORE)
    again.runners["subagent"] = again.runner
    again.model.then([Generation("Here I am.")])
    await asyncio.wait_for(again.live.start(), 10)
    return again


async def test_from_every_moment_the_call_goes_on(bench: Any) -> None:
    b, kept = await whole_call(bench)
    assert b.nodes == [
        "greeting", "details", "question", "details", "sure", "short", "whole", "bye"
    ]  # fmt: skip
    moments = list(dict.fromkeys(kept))
    assert len(moments) > 40
    seen = set()
    for text in moments:
        saved = json.loads(text)
        if saved["over"]:
            continue
        again = await goes_on(bench, saved)
        state, node = again.state, saved["visit"]["node"]
        seen.add(node)
        where = f"{node}, after {len(saved['history'])} words"
        assert again.live.ended.is_set() == (state.over or node == "bye"), where
        assert state.to_json()["history"][: len(saved["history"])] == saved["history"], where
        spoken = [said.words for said in state.history[len(saved["history"]) :]]
        if not state.over:
            assert spoken, f"{where}: the caller hears something"
        if node == "details":
            # a result that had come in may open the exit
            assert state.node in (node, "sure"), where
        else:
            assert state.node == node, where
            assert state.to_json()["facts"] == saved["facts"], where
            assert state.to_json()["slots"] == saved["slots"], where
        if node == "sure":
            assert spoken == ["12.50 dollars, is that right?"], f"{where}: it is put again"
            again.model.then([Generation("Thank you.")])
            await again.turn("Yes.")
            assert "agreed" in state.facts, where
        if not state.over:
            await again.caller.hangs_up()
            assert (state.outcome, state.over) == ("hung_up", True), where
    assert seen == {"greeting", "details", "question", "sure", "short", "whole", "bye"}


async def test_a_later_node_restores_all_that_was_cut_also_after_a_crash(bench: Any) -> None:
    _, kept = await whole_call(bench)
    short = [json.loads(text) for text in kept if json.loads(text)["visit"]["node"] == "short"][-1]
    again = await goes_on(bench, short)
    assert len(messages(again)) == 2, "the node keeps two"
    prompt = again.model.seen[-1].dialogue.items[0].text_content
    known = prompt.partition("Known:\n")[2].splitlines()
    assert known == ["- amount: 12.5", "- name: Jane", "- day: declined", "- agreed", "- checked"]
    again.model.then([Generation("", (("move_to", {"to": "whole"}),)), Generation("All of it.")])
    await again.caller.says("Go on.")
    assert again.state.node == "whole"
    heard = [said["words"] for said in short["history"]]
    assert messages(again)[: len(heard)] == heard, "each word of the call, in its order"
    outputs = [
        i.output for i in again.model.seen[-1].dialogue.items if i.type == "function_call_output"
    ]
    assert '{"answer": 42}' in outputs, "and what tools answered"


@pytest.mark.parametrize("summary", [True, False])
async def test_the_summary_is_slots_and_facts_and_only_where_it_is_wanted(
    bench: Any, summary: bool
) -> None:
    nodes = {**NODES, "short": {**NODES["short"], "history": {"keep": 1, "summary": summary}}}
    b = bench(nodes, script=[{"say": "Is now a good time?"}], **MORE)
    await b.live.start()
    await b.turn("Yes.", {"move_to": "details"}, {"say": "Who are you?"})
    everything = calls("collect", name="Jane", amount=5, declined=["day"])
    await b.turn("Jane, five, and no.", everything, calls("check"))
    await b.turn("Yes.", {"say": "Short."})
    assert messages(b) == ["Yes."]
    prompt = b.model.seen[-1].dialogue.items[0].text_content
    assert "- name: Jane" in prompt
    assert ("- checked" in prompt) is summary
    assert len(b.live.session.history.items) > 8, "the session forgets nothing"
    assert b.said("caller") == ["Yes.", "Jane, five, and no.", "Yes."]


async def test_a_yes_from_before_the_crash_agrees_to_nothing(bench: Any) -> None:
    """The caller said yes to the step before; then the question was put, and the process died."""
    nodes = {
        "ready": {"instructions": "Ask.", "edges": [{"to": "sure", "when": "they are ready"}]},
        "sure": {**NODES["sure"], "say": "Shall I charge twelve dollars?", "on_yes": "bye"}
        | {"on_no": "bye", "on_unclear": "bye"},
        "bye": NODES["bye"],
    }
    b = bench(nodes, script=[{"say": "Are you ready?"}])
    await b.live.start()
    await b.turn("Yes.", {"move_to": "sure"})
    assert b.said()[-1] == "Shall I charge twelve dollars?"
    saved = CallState.from_json(json.loads(json.dumps(b.state.to_json())))
    again = bench(nodes, state=saved)
    await again.live.start()
    assert saved.facts == {}
    assert again.said()[-2:] == ["Shall I charge twelve dollars?"] * 2, "it is put again"
    await again.turn("Yes.")
    assert set(saved.facts) == {"agreed"}
    assert saved.over


async def test_a_tool_that_was_offered_once_is_not_offered_again(bench: Any) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "check", "once": True}, {"id": "ponder"}],
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": NODES["bye"],
    }
    tools: dict[str, Any] = {"check": {}, "ponder": {}}
    b = bench(nodes, tools=tools, script=[{"say": "Hello."}])
    await b.live.start()
    assert "check" in b.model.seen[-1].tools
    # at each length that the dialogue of the next session may have
    for length in range(4):
        saved = b.state.to_json()
        saved["visit"]["once"] = {"check": length}
        again = bench(nodes, tools=tools, state=CallState.from_json(saved))
        again.model.then([Generation("Here I am.")])
        await again.live.start()
        assert again.model.seen[-1].tools == ("move_to", "ponder"), length


async def test_a_call_that_was_linked_goes_on_in_the_other_flow(bench: Any) -> None:
    nodes = {
        "who": {
            "instructions": "Ask.",
            "collect": ["name"],
            "tools": [{"id": "check", "with": {"name": "slots.name"}}],
            "edges": [{"to": "over", "when": "they want more"}],
        },
        "over": {"kind": "link", "flow": "second", "with": {"guest": "slots.name"}},
    }
    second = {
        "nodes": {
            "more": {
                "instructions": "More for {{ slots.guest }}.",
                "edges": [{"to": "bye", "when": "done"}],
            },
            "bye": NODES["bye"],
        },
        "slots": {"guest": {"type": "string"}},
    }
    made = {
        "slots": {"name": {"type": "string"}},
        "tools": {"check": CHECK},
        "flows": {"second": second},
    }
    b = bench(nodes, script=[{"say": "Who?"}], **made)
    await b.live.start()
    await b.turn("Jane.", calls("collect", name="Jane"), calls("check"), {"say": "And?"})
    await b.turn("More.", {"move_to": "over"}, {"say": "What more?"})
    saved = json.loads(json.dumps(b.state.to_json()))
    again = bench(nodes, state=CallState.from_json(saved), **made)
    again.model.then([Generation("Here I am.")])
    await again.live.start()
    assert (again.state.flow, again.state.node) == ("second", "more")
    assert again.state.pin.digest == again.release.tables["second"].digest
    assert again.state.facts == {}, "nothing is proven there"
    assert {name: slot.value for name, slot in again.state.slots.items()} == {"guest": "Jane"}
    assert "More for Jane." in again.model.seen[-1].dialogue.items[0].text_content
    assert messages(again) == ["Who?", "Jane.", "And?", "More.", "What more?"]
    await again.turn("Done.", {"move_to": "bye"})
    assert again.state.over
