"""The rules of facts: who establishes one, what it rests on, and what makes it fall."""

import asyncio
from typing import Any

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
OBJECT = {"type": "object", "additionalProperties": False}
CHECK = {
    "parameters": {
        **OBJECT,
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "account": {"type": "string"}},
    },
    "result": {
        "type": "object",
        "properties": {"match": {"type": "string"}, "name": {"type": "string"}},
    },
    "spoken": ["name"],
    "subject": "args.account",
    "establishes": {"verified": 'result.match == "exact"'},
    "revokes": ["verified"],
}
SLOTS = {"name": {"type": "string"}, "amount": {"type": "number"}}
NODES = {
    "verify": {
        "instructions": "Verify.",
        "collect": ["name"],
        "tools": [
            {
                "id": "check",
                "with": {"name": "slots.name", "account": '"A-1"'},
                "max_calls": 9,
            },
            {"id": "forget"},
            {"id": "look"},
        ],
        "edges": [{"to": "bye", "when": "done", "requires": ["verified"]}],
    },
    "bye": BYE,
}
TOOLS: dict[str, Any] = {
    "check": CHECK,
    "forget": {"revokes": ["verified"]},
    "look": {},
}
COLLECT_JANE = {"calls": [{"tool": "collect", "args": {"name": "Jane"}}]}
CALL_CHECK = {"calls": [{"tool": "check"}]}


async def verified(bench: Any, tools: Any = None, nodes: Any = None, **more: Any) -> Any:
    b = bench(nodes or NODES, tools=tools or TOOLS, slots=SLOTS, script=[{"say": "Name?"}], **more)
    b.runner.answers["check"] = [{"match": "exact"}]
    await b.live.start()
    await b.turn("Jane.", COLLECT_JANE, CALL_CHECK, {"say": "Thank you."})
    return b


async def test_a_result_establishes_a_fact_with_its_subject_and_its_slots(bench: Any) -> None:
    b = await verified(bench)
    fact = b.state.facts["verified"]
    assert (fact.subject, fact.by, fact.slots) == ("A-1", "check", {"name"})
    assert b.gate.requests[0].subject == "A-1"
    await b.turn("Look.", {"calls": [{"tool": "look"}]}, {"say": "Ok."})
    assert {name: fact.subject for name, fact in b.gate.requests[-1].facts.items()} == {
        "verified": "A-1"
    }


async def test_about_somebody_of_whom_nobody_can_tell_who_it_is_nothing_is_established(
    bench: Any,
) -> None:
    """The argument of `subject` is optional, and the model leaves it out."""
    use = {"id": "check", "with": {"name": "slots.name"}}
    nodes = {**NODES, "verify": {**NODES["verify"], "tools": [use]}}
    assert (await verified(bench, nodes=nodes)).state.facts == {}
    result = {**TOOLS, "check": {**CHECK, "subject": "result.name"}}
    assert (await verified(bench, tools=result)).state.facts == {}


async def test_another_result_establishes_nothing_and_the_move_is_refused(bench: Any) -> None:
    b = await verified(bench)
    b.runner.answers["check"] = [{"match": "partial"}]
    await b.turn("Again.", CALL_CHECK, {"say": "Hm."})
    assert b.state.facts == {}, "it was revoked when the call started"
    await b.turn("Done.", {"move_to": "bye"}, {"say": "Not yet."})
    (output,) = b.outputs("move_to")
    assert output.output == (
        "Not possible now: verified is not established. The call stays at verify. Exits: bye."
    )
    assert output.is_error
    assert b.said()[-1] == "Not yet."


async def test_a_slot_that_changes_lets_what_rests_on_it_fall(bench: Any) -> None:
    b = await verified(bench)
    await b.turn("Jane.", COLLECT_JANE, {"say": "Yes, Jane."})
    assert "verified" in b.state.facts, "the same value is no change"
    await b.turn(
        "No, John.", {"calls": [{"tool": "collect", "args": {"name": "John"}}]}, {"say": "John."}
    )
    assert b.state.facts == {}


async def test_several_earlier_answers_change_at_once(bench: Any) -> None:
    """What rested on them falls, guards are judged anew, and a proof beside them stays."""
    wide = [
        {"id": "check", "with": {"name": "slots.name", "account": '"A-1"'}, "max_calls": 9},
        {"id": "weigh", "with": {"amount": "slots.amount"}},
        {"id": "look"},
    ]
    edges = [{"to": "bye", "if": "slots.amount > 100.0 && facts.verified"}]
    node = {**NODES["verify"], "collect": ["name", "amount"], "tools": wide, "edges": edges}
    number = {**OBJECT, "properties": {"amount": {"type": "number"}}}
    tools = {
        **TOOLS,
        "weigh": {"parameters": number, "establishes": {"weighed": "true"}},
        "look": {"establishes": {"looked": "true"}},
    }
    b = bench({"verify": node, "bye": BYE}, tools=tools, slots=SLOTS, script=[{"say": "Name?"}])
    b.runner.answers["check"] = [{"match": "exact"}]
    await b.live.start()
    known = {"tool": "collect", "args": {"name": "Jane", "amount": 50}}
    proofs = [{"tool": "check"}, {"tool": "weigh"}, {"tool": "look"}]
    await b.turn("Jane, fifty.", {"calls": [known]}, {"calls": proofs}, {"say": "Thank you."})
    assert set(b.state.facts) == {"verified", "weighed", "looked"}
    changed = {"tool": "collect", "args": {"name": "John", "amount": 500}}
    await b.turn("No: John, and five hundred.", {"calls": [changed]}, {"say": "I see."})
    assert set(b.state.facts) == {"looked"}
    assert b.state.node == "verify", "the amount would do, and nobody is verified any more"
    await b.turn("Go on.", {"calls": [{"tool": "check"}]})
    assert b.nodes == ["verify", "bye"], "as soon as the proof is there again"


async def test_a_tenant_with_sixty_tools_offers_those_of_the_node(bench: Any) -> None:
    many = {f"tool_{number}": {} for number in range(60)}
    b = await verified(bench, tools={**TOOLS, **many})
    assert b.model.seen[-1].tools == ("move_to", "collect", "check", "forget", "look")


async def test_a_tool_that_revokes_does_so_when_it_starts_even_if_it_fails(
    bench: Any, failed: Any
) -> None:
    b = await verified(bench)
    b.runner.answers["forget"] = [failed("down")]
    await b.turn("Forget.", {"calls": [{"tool": "forget"}]}, {"say": "Hm."})
    assert b.state.facts == {}


async def test_a_denied_tool_revokes_nothing(bench: Any) -> None:
    b = await verified(bench)
    b.gate.deny.add("forget")
    await b.turn("Forget.", {"calls": [{"tool": "forget"}]}, {"say": "Hm."})
    assert "verified" in b.state.facts


async def test_a_result_that_another_call_overtook_establishes_nothing(bench: Any) -> None:
    b = await verified(bench)

    released = b.hold("check", {"match": "exact"})
    both = {"calls": [{"tool": "check"}, {"tool": "forget"}]}
    turn = asyncio.create_task(b.turn("Both.", both, {"say": "Ok."}))
    await b.until(lambda: len(b.runner.ran) == 3)
    released.set()
    await turn
    assert b.state.facts == {}, "the other call, which revokes it, started later"


async def test_a_result_that_comes_after_its_slot_changed_establishes_nothing(bench: Any) -> None:
    b = await verified(bench)

    released = b.hold("check", {"match": "exact"})
    both = {"calls": [{"tool": "check"}, {"tool": "collect", "args": {"name": "John"}}]}
    turn = asyncio.create_task(b.turn("Both.", both, {"say": "Ok."}))
    await b.until(lambda: b.state.slots["name"].value == "John")
    released.set()
    await turn
    assert b.state.facts == {}
    assert b.runner.ran[-1][1]["name"] == "Jane"


async def test_a_spoken_argument_that_is_not_bound_to_a_slot_establishes_nothing(
    bench: Any,
) -> None:
    uses: list[dict[str, Any]] = [
        {"id": "check"},  # the model chooses the name
        {"id": "check", "with": {"name": '"Jane"'}},
        {"id": "check", "with": {"name": 'slots.name + ""'}},
    ]
    for use in uses:
        nodes = {"verify": {**NODES["verify"], "tools": [use]}, "bye": BYE}
        args = {} if "with" in use else {"name": "Jane"}
        b = bench(nodes, tools=TOOLS, slots=SLOTS, script=[{"say": "Name?"}])
        b.runner.answers["check"] = [{"match": "exact"}]
        await b.live.start()
        call = {"calls": [{"tool": "check", "args": args}]}
        await b.turn("Jane.", COLLECT_JANE, call, {"say": "Thank you."})
        assert b.runner.ran, use
        assert b.state.facts == {}, use


async def test_a_slot_that_a_tool_sets_does_not_count_as_spoken(bench: Any) -> None:
    nodes = {
        "verify": {
            **NODES["verify"],
            "tools": [*NODES["verify"]["tools"], {"id": "guess", "sets": {"name": "result.name"}}],
        },
        "bye": BYE,
    }
    tools = {**TOOLS, "guess": {"result": CHECK["result"]}}
    b = await verified(bench, tools=tools, nodes=nodes)
    assert b.state.facts == {}


async def test_sets_are_unset_at_the_start_and_set_by_the_result(bench: Any, failed: Any) -> None:
    nodes = {
        "state": {
            "instructions": "State the amount.",
            "tools": [{"id": "get", "sets": {"amount": "result.amount"}}],
            "edges": [
                {"to": "bye", "requires": ["slots.amount"], "if": "slots.amount <= 0.0"},
                {"to": "bye", "when": "they pay", "requires": ["slots.amount"]},
            ],
        },
        "bye": BYE,
    }
    result = {"type": "object", "properties": {"amount": {"type": "number"}}}
    b = bench(nodes, tools={"get": {"result": result}}, slots=SLOTS, script=[{"say": "Hello."}])
    get = {"calls": [{"tool": "get"}]}
    b.runner.answers["get"] = [{"amount": 49.9}, failed("down"), {"amount": 0}]
    await b.live.start()
    await b.turn("How much?", get, {"say": "49 dollars 90."})
    slot = b.state.slots["amount"]
    assert (slot.value, slot.source, slot.by) == (49.9, "tool", "get")
    await b.turn("And now?", get, {"say": "I cannot see it."})
    assert "amount" not in b.state.slots
    assert b.state.visit.failed == {"get": "error"}
    await b.turn("Once more?", get)
    assert b.state.visit.failed == {}
    assert b.state.over, "the exit without `when` held after the batch"
    assert b.state.path[-1].reason.words == "slots.amount <= 0.0"


async def test_used_up(bench: Any) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "look", "max_calls": 2}],
            "edges": [{"to": "bye", "if": "failed.look"}, {"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    b = bench(nodes, tools={"look": {}}, script=[{"say": "Hello."}])
    await b.live.start()
    look = {"calls": [{"tool": "look"}]}
    await b.turn("Look.", look, look, look)
    assert [call.outcome for call in b.state.tools] == ["done", "done", "used_up"]
    assert len(b.runner.ran) == 2
    assert len(b.gate.requests) == 2
    assert b.state.over


async def test_an_attempt_that_may_have_worked_keeps_its_key(bench: Any, failed: Any) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "pay", "max_calls": 9}],
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    b = bench(nodes, tools={"pay": {}}, script=[{"say": "Hello."}])
    b.runner.answers["pay"] = [failed("late", "timeout"), {}, {}]
    await b.live.start()
    pay = {"calls": [{"tool": "pay"}]}
    await b.turn("Pay.", pay, pay, pay, {"say": "Done."})
    first, second, third = b.runner.keys
    assert first == second, "a repetition of what may have gone through"
    assert second != third, "a new wish"
    assert [request.attempt for request in b.gate.requests] == [first, second, third]
    assert [ending for _, ending in b.gate.settled] == ["unknown", "done", "done"]


async def test_a_fact_that_falls_while_the_gate_decides_is_decided_anew(bench: Any) -> None:
    b = await verified(bench)
    original = b.gate.decide

    async def slow_for_look(request: Any) -> Any:
        decision = await original(request)
        if request.tool_id == "look":
            await b.until(lambda: b.state.facts == {})
        return decision

    b.gate.decide = slow_for_look
    await b.turn("Both.", {"calls": [{"tool": "look"}, {"tool": "forget"}]}, {"say": "Ok."})
    asked = [set(request.facts) for request in b.gate.requests if request.tool_id == "look"]
    assert asked == [{"verified"}, set()]
    assert "withdrawn" in [ending for _, ending in b.gate.settled]
