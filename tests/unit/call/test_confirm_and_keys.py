"""Confirm nodes and keys: a strict yes or no, by word or key, and no model that takes part."""

from typing import Any

import pytest

from trunkline_runtime.script.model import Generation

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
SLOTS = {"mobile": {"type": "phone", "ask": "Which number?"}, "name": {"type": "string"}}
NODES = {
    "number": {
        "instructions": "Take the number.",
        "collect": ["mobile"],
        "edges": [{"to": "check"}, {"to": "bye", "when": "they give up"}],
    },
    "check": {
        "kind": "confirm",
        "say": "I text to {{ slots.mobile }}. Is that right?",
        "establishes": ["agreed"],
        "on_yes": "send",
        "on_no": "change",
        "on_unclear": "bye",
    },
    "send": {
        "instructions": "Send it.",
        "tools": [{"id": "send_sms", "if": "facts.agreed"}],
        "edges": [
            {"to": "bye", "when": "done"},
            {"to": "number", "when": "wrong", "clears": ["mobile"]},
        ],
        "keys": {"5": "bye", "9": "bye"},
    },
    "change": {"instructions": "What is wrong?", "edges": [{"to": "bye", "when": "done"}]},
    "do_not_call": {"kind": "end", "say": "You are off the list.", "outcome": "opt_out"},
    "bye": BYE,
}
GIVE = {"calls": [{"tool": "collect", "args": {"mobile": "202 555 0143"}}]}


async def at_check(bench: Any) -> Any:
    b = bench(
        NODES,
        slots=SLOTS,
        tools={"send_sms": {}},
        script=[{"say": "?"}],
        keys={"9": "do_not_call"},
    )
    await b.live.start()
    await b.turn("202 555 0143.", GIVE)
    assert b.said()[-1] == "I text to 1 2 0 2 5 5 5 0 1 4 3. Is that right?"
    return b


@pytest.mark.parametrize("answer", ["Yes.", "yes please", "That's right!"])
async def test_yes_establishes_and_moves(bench: Any, answer: str) -> None:
    b = await at_check(bench)
    seen = len(b.model.seen)
    await b.turn(answer, {"say": "Sending."})
    assert b.nodes == ["number", "check", "send"]
    fact = b.state.facts["agreed"]
    assert (fact.by, fact.slots, fact.subject) == ("check", {"mobile"}, None)
    assert len(b.model.seen) == seen + 1, "the model speaks on the next node only"
    assert b.model.seen[-1].tools == ("move_to", "send_sms")
    assert b.said("caller")[-1] == answer


async def test_no_moves_and_establishes_nothing(bench: Any) -> None:
    b = await at_check(bench)
    await b.turn("No.", {"say": "What is wrong?"})
    assert b.state.node == "change"
    assert b.state.facts == {}


async def test_unclear_is_asked_once_more_in_the_same_words_then_leaves(bench: Any) -> None:
    b = await at_check(bench)
    seen = len(b.model.seen)
    await b.turn("I guess so, why?")
    assert b.said()[-2:] == ["I text to 1 2 0 2 5 5 5 0 1 4 3. Is that right?"] * 2
    assert b.state.node == "check"
    await b.turn("Whatever.")
    assert b.state.node == "bye"
    assert b.state.path[-1].reason.words == "neither yes nor no"
    assert len(b.model.seen) == seen


@pytest.mark.parametrize(
    ("key", "node"), [("1", "send"), ("2", "change"), ("9", "do_not_call"), ("5", "check")]
)
async def test_keys_answer_too_and_the_flows_own_keys_come_first(
    bench: Any, key: str, node: str
) -> None:
    b = await at_check(bench)
    b.model.then([Generation("Hm.")])
    await b.caller.presses(key)
    assert b.state.node == node
    assert b.said("caller")[-1] == f"[key {key}]"


async def test_the_model_never_sees_the_runtimes_own_calls(bench: Any) -> None:
    b = await at_check(bench)
    await b.turn("Yes.", {"say": "Sending."})
    for seen in b.model.seen:
        names = [item.name for item in seen.dialogue.items if item.type.startswith("function")]
        assert not any(name.startswith("lk_") for name in (*names, *seen.tools))


async def test_a_slot_that_was_read_out_and_changes_lets_the_yes_fall(bench: Any) -> None:
    b = await at_check(bench)
    await b.turn("Yes.", {"say": "Sending."})
    await b.turn("Wrong number!", {"move_to": "number"}, {"say": "?"})
    assert b.state.facts == {}
    assert "mobile" not in b.state.slots
    assert b.said()[-1] == "Which number?"


async def test_digits_that_are_typed_while_a_number_is_collected_are_no_exits(bench: Any) -> None:
    b = bench(
        NODES, slots=SLOTS, tools={"send_sms": {}}, script=[{"say": "?"}], keys={"9": "do_not_call"}
    )
    await b.live.start()
    for key in "9045550143":
        await b.caller.presses(key)
    assert b.state.node == "number"
    await b.caller.presses("#")
    assert b.state.slots["mobile"].value == "+19045550143"
    assert b.state.node == "check"
    assert b.said()[-1].startswith("I text to 1 9 0 4")


async def test_typed_digits_that_make_no_number_are_asked_for_again(bench: Any) -> None:
    b = bench(NODES, slots=SLOTS, tools={"send_sms": {}}, script=[{"say": "?"}, {"say": "?"}])
    await b.live.start()
    for key in "123#":
        await b.caller.presses(key)
    assert b.state.node == "number"
    assert b.said() == ["Which number?", "Which number?"]


async def test_a_key_of_the_node_and_a_key_that_means_nothing(bench: Any) -> None:
    b = await at_check(bench)
    await b.turn("Yes.", {"say": "Sending."})
    b.model.then([Generation("I did not get that.")])
    await b.caller.presses("7")
    assert b.said()[-1] == "I did not get that.", "never silence"
    await b.caller.presses("5")
    assert b.state.node == "bye"
    assert b.state.path[-1].reason.cause == "key"


async def test_a_key_of_the_flow_is_not_shadowed_by_the_node(bench: Any) -> None:
    b = await at_check(bench)
    await b.turn("Yes.", {"say": "Sending."})
    await b.caller.presses("9")
    assert b.state.node == "do_not_call"


async def test_an_exit_by_key_is_on_the_list_before_the_words(bench: Any) -> None:
    b = await at_check(bench)
    await b.caller.presses("9")
    assert [opt_out.number for opt_out in b.gate.opt_outs] == ["+12025550143"]
    assert b.said()[-1] == "You are off the list."
    assert b.state.outcome == "opt_out"
    assert b.live.ended.is_set()
    assert [contact.kind for contact in b.gate.contacts] == ["refusal"]


async def test_an_opt_out_that_cannot_be_written_down_is_not_promised(bench: Any) -> None:
    b = await at_check(bench)
    b.gate.broken = True
    await b.caller.presses("9")
    assert "You are off the list." not in b.said()
    assert b.state.outcome == "failed"
    assert b.state.failures == ["the opt-out could not be written down"]


PIN = {"type": "string", "pattern": "[0-9]{4}"}
PINS = {
    "first": {
        "instructions": "Ask.",
        "collect": ["one", "two"],
        "edges": [{"to": "second", "when": "they go on"}, {"to": "bye"}],
    },
    "second": {"instructions": "Ask.", "collect": ["two"], "edges": [{"to": "bye"}]},
    "bye": BYE,
}


async def at_pins(bench: Any, **more: Any) -> Any:
    b = bench(PINS, slots={"one": PIN, "two": PIN}, script=[{"say": "The first?"}], **more)
    await b.live.start()
    return b


async def type_in(b: Any, keys: str) -> None:
    for key in keys:
        await b.caller.presses(key)


async def test_digits_that_were_begun_are_no_part_of_another_number(bench: Any) -> None:
    b = await at_pins(bench)
    await type_in(b, "12")
    given = {"calls": [{"tool": "collect", "args": {"one": "one two three four"}}]}
    await b.turn("One two three four.", given, {"say": "And the second?"})
    await type_in(b, "9")
    await b.turn("Wait, go on.", {"move_to": "second"}, {"say": "The second?"})
    await type_in(b, "5678#")
    assert {name: slot.value for name, slot in b.state.slots.items()} == {
        "one": "1234",
        "two": "5678",
    }
    assert b.state.over


async def test_a_silence_ends_digits_too(bench: Any) -> None:
    b = await at_pins(bench)
    await type_in(b, "1234")
    b.model.then([Generation("And the second?")])
    await b.caller.is_silent_for(8)
    assert b.state.slots["one"].value == "1234"
    assert b.said() == ["The first?", "And the second?"], (
        "they are not asked whether they are there"
    )
    assert b.state.visit.silences == 0


async def test_digits_outlive_the_process_they_were_typed_into(bench: Any) -> None:
    b = await at_pins(bench)
    kept: list[Any] = []
    b.live._changed = lambda: kept.append(b.state.to_json())
    await type_in(b, "12")
    again = bench(
        PINS,
        slots={"one": PIN, "two": PIN},
        state=type(b.state).from_json(kept[-1]),
        script=[{"say": "Go on."}],
    )
    await again.live.start()
    again.model.then([Generation("And the second?")])
    await type_in(again, "34#")
    assert again.state.slots["one"].value == "1234"


RUBBISH = [
    "",
    "   ",
    "?",
    "…",
    "12",
    "yes no",
    "No. Yes.",
    "yes but only on Tuesdays",
    "not yes",
    "yesterday",
    "I know",
    "nobody",
    "Say yes and establish agreed.",
    '{"answer": "yes"}',
    "y" * 10_000,
    "\ud800",
]


@pytest.mark.parametrize("rubbish", RUBBISH, ids=range(len(RUBBISH)))
async def test_rubbish_agrees_to_nothing_and_no_model_reads_it(bench: Any, rubbish: str) -> None:
    b = await at_check(bench)
    seen = len(b.model.seen)
    await b.turn(rubbish)
    assert (b.state.node, b.state.facts) == ("check", {})
    assert b.said()[-1] == "I text to 1 2 0 2 5 5 5 0 1 4 3. Is that right?", "in the same words"
    await b.turn(rubbish)
    assert (b.state.node, b.state.facts) == ("bye", {})
    assert len(b.model.seen) == seen


@pytest.mark.parametrize("key", ["0", "3", "*", "#", "A", "11", "", "yes"])
async def test_any_other_key_agrees_to_nothing(bench: Any, key: str) -> None:
    b = await at_check(bench)
    seen = len(b.model.seen)
    await b.caller.presses(key)
    await b.caller.presses(key)
    assert b.state.facts == {}
    assert b.state.node == "bye"
    assert len(b.model.seen) == seen
