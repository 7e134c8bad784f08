"""Moves on a real session: who decides them, when, and what the model is told."""

from typing import Any

TALK = {
    "greeting": {
        "instructions": "Ask whether now is a good time.",
        "edges": [
            {"to": "verify", "when": "they agree"},
            {"to": "bye", "when": "they decline"},
        ],
    },
    "verify": {
        "instructions": "Verify them.",
        "edges": [
            {"to": "paid", "when": "they want to pay", "requires": ["identity_verified"]},
            {"to": "bye", "when": "they do not want to"},
        ],
    },
    "paid": {"kind": "end", "say": "Thank you.", "outcome": "paid"},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}


async def test_a_whole_call(bench: Any) -> None:
    b = bench(TALK, script=[{"say": "Is now a good time?"}])
    await b.live.start()
    assert b.said() == ["Is now a good time?"]
    await b.turn("Yes.", {"say": "Great.", "move_to": "verify"}, {"say": "Who are you?"})
    await b.turn("Nobody.", {"move_to": "bye"})
    assert b.said() == ["Is now a good time?", "Great.", "Who are you?", "Goodbye."]
    assert b.nodes == ["greeting", "verify", "bye"]
    assert (b.state.outcome, b.state.over) == ("no_action", True)
    assert b.live.ended.is_set()
    assert b.model.left == 0
    assert b.model.short == 0


async def test_what_an_exit_says_is_said_of_what_it_clears(bench: Any) -> None:
    nodes = {
        "ask": {
            "collect": ["day"],
            "edges": [{"to": "check"}],
        },
        "check": {
            "instructions": "Ask whether the day suits them.",
            "edges": [
                {"to": "ask", "when": "no", "clears": ["day"], "say": "Not {{ slots.day }}, then."}
            ],
        },
    }
    b = bench(nodes, slots={"day": {"type": "string"}}, script=[{"say": "Which day?"}])
    await b.live.start()
    await b.turn(
        "Monday.",
        {"calls": [{"tool": "collect", "args": {"day": "Monday"}}]},
        {"say": "Does it suit you?"},
    )
    await b.turn("No.", {"move_to": "ask"}, {"say": "Which one?"})
    assert b.said()[-1] == "Not Monday, then. Which one?"
    assert "day" not in b.state.slots


async def test_what_sets_reads_besides_the_result(bench: Any) -> None:
    nodes = {
        "ask": {
            "collect": ["fee"],
            "tools": [{"id": "fetch", "sets": {"total": "result.amount + slots.fee"}}],
            "edges": [{"to": "bye", "when": "done", "requires": ["slots.total"]}],
        },
        "bye": {"kind": "end", "say": "Together {{ slots.total }}.", "outcome": "no_action"},
    }
    number = {"type": "number"}
    result = {"type": "object", "properties": {"amount": number}}
    tools = {"fetch": {"parameters": {"type": "object"}, "result": result}}
    b = bench(nodes, tools=tools, slots={"fee": number, "total": number}, script=[{"say": "Fee?"}])
    b.runner.answers["fetch"] = [{"amount": 40.5}]
    await b.live.start()
    await b.turn(
        "Two.",
        {"calls": [{"tool": "collect", "args": {"fee": 2}}]},
        {"calls": [{"tool": "fetch"}]},
        {"move_to": "bye"},
    )
    assert b.state.slots["total"].value == 42.5
    assert b.nodes == ["ask", "bye"]
