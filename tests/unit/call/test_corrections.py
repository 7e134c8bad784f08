"""A caller takes answers back: several at once, of several steps, with a tool on its way."""

import asyncio
from typing import Any

from trunkline_runtime.script.model import Generation

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
OBJECT = {"type": "object", "additionalProperties": False}
SLOTS = {
    "name": {"type": "string"},
    "postcode": {"type": "string", "pattern": "[0-9]{5}"},
    "amount": {"type": "number"},
    "day": {"type": "date", "optional": True},
}
CHECK = {
    "parameters": {
        **OBJECT,
        "required": ["name", "postcode"],
        "properties": {"name": {"type": "string"}, "postcode": {"type": "string"}},
    },
    "result": {"type": "object", "properties": {"match": {"type": "string"}}},
    "spoken": ["name", "postcode"],
    "establishes": {"verified": 'result.match == "exact"'},
    "revokes": ["verified"],
}
QUOTE = {
    "parameters": {**OBJECT, "properties": {"amount": {"type": "number"}}},
    "establishes": {"quoted": "true"},
}
TOOLS: dict[str, Any] = {"check": CHECK, "quote": QUOTE}
BOUND = {"name": "slots.name", "postcode": "slots.postcode"}
NODES: dict[str, Any] = {
    "who": {
        "instructions": "Verify.",
        "collect": ["name", "postcode"],
        "tools": [{"id": "check", "with": BOUND, "max_calls": 9}],
        "edges": [{"to": "what", "if": "facts.verified"}],
    },
    "what": {
        "instructions": "How much, and when?",
        "collect": ["amount", "day"],
        "tools": [{"id": "quote", "with": {"amount": "slots.amount"}, "max_calls": 9}],
        "edges": [{"to": "sure", "if": "facts.quoted"}],
    },
    "sure": {
        "kind": "confirm",
        "say": "{{ slots.amount }} dollars, is that right?",
        "establishes": ["agreed"],
        "on_yes": "pay",
        "on_no": "what",
        "on_unclear": "what",
    },
    "pay": {
        "instructions": "Pay.",
        "edges": [
            {"to": "who", "when": "something was wrong", "correction": True},
            {"to": "bye", "when": "they pay", "requires": ["agreed", "verified"]},
        ],
    },
    "bye": BYE,
}


def collected(**args: Any) -> dict[str, Any]:
    return {"calls": [{"tool": "collect", "args": args}]}


CHECKED: dict[str, Any] = {"calls": [{"tool": "check"}]}
QUOTED: dict[str, Any] = {"calls": [{"tool": "quote"}]}


async def at_pay(bench: Any) -> Any:
    b = bench(NODES, slots=SLOTS, tools=TOOLS, script=[{"say": "Who are you?"}])
    b.runner.answers["check"] = [{"match": "exact"}]
    await b.live.start()
    jane = collected(name="Jane", postcode="20001")
    await b.turn("Jane, 20001.", jane, CHECKED, {"say": "How much?"})
    await b.turn("Fifty, any day.", collected(amount="fifty", declined=["day"]), QUOTED)
    await b.turn("Yes.", {"say": "Shall I?"})
    assert b.state.node == "pay"
    assert set(b.state.facts) == {"verified", "quoted", "agreed"}
    return b


def values(b: Any) -> dict[str, Any]:
    return {name: slot.value for name, slot in b.state.slots.items()}


async def test_answers_of_several_steps_are_taken_back_in_one_turn(bench: Any) -> None:
    b = await at_pay(bench)
    await b.turn(
        "No wait: it is John, 20002, and five hundred.",
        {"move_to": "who"},
        collected(name="John", postcode="20002", changed=["amount"]),
        CHECKED,
        collected(amount="five hundred", declined=["day"]),
        QUOTED,
    )
    assert values(b) == {"name": "John", "postcode": "20002", "amount": 500}
    assert b.runner.ran[-2:] == [
        ("check", {"name": "John", "postcode": "20002"}),
        ("quote", {"amount": 500}),
    ]
    assert b.said()[-1] == "500 dollars, is that right?"
    assert set(b.state.facts) == {"verified", "quoted"}, "the yes was about another amount"
    await b.turn("Yes.", {"say": "Shall I?"})
    await b.turn("Pay.", {"move_to": "bye"})
    assert b.state.over


async def test_the_model_is_offered_the_earlier_answers_of_other_steps_alone(bench: Any) -> None:
    b = await at_pay(bench)
    await b.turn("Wrong.", {"move_to": "who"}, {"say": "What is wrong?"})
    properties = b.model.seen[-1].schemas["collect"]["parameters"]["properties"]
    assert list(properties) == ["name", "postcode", "changed"]
    assert properties["changed"]["items"]["enum"] == ["amount"]
    await b.turn("Hm.", collected(changed=["name", "nonsense", None]), {"say": "Pardon?"})
    assert b.outputs("collect")[-1].is_error
    assert b.state.ask_again == {"name", "postcode"}


async def test_the_same_value_of_another_step_takes_nothing_back(bench: Any) -> None:
    b = await at_pay(bench)
    same = collected(name="Jane", postcode="20001", amount="fifty dollars")
    await b.turn("Wrong.", {"move_to": "who"}, same, CHECKED)
    assert b.state.ask_again == set(), "the same value takes nothing back"
    assert b.state.node == "sure", "so the step of the amount is passed"


async def test_what_differs_is_asked_for_at_its_own_step(bench: Any) -> None:
    """A model that hands over what this step does not collect: it is not set, and not forgotten."""
    b = await at_pay(bench)
    other = collected(name="Jane", postcode="20001", amount="sixty")
    await b.turn("Sixty!", {"move_to": "who"}, other, CHECKED, {"say": "Sixty dollars?"})
    assert b.state.node == "what", "it is asked for where it is collected"
    assert values(b)["amount"] == 50, "and stands until then"
    prompt = b.model.seen[-1].dialogue.items[0].text_content
    assert "- amount: amount, ask again, it may have been wrong" in prompt
    await b.turn("Sixty.", collected(amount="sixty"), QUOTED)
    assert b.said()[-1] == "60 dollars, is that right?"


async def test_a_correction_by_voice_while_the_proof_is_on_its_way(bench: Any) -> None:
    """The caller corrects the name in a turn of its own while the first is being looked up."""
    b = bench(NODES, slots=SLOTS, tools=TOOLS, script=[{"say": "Who are you?"}])
    await b.live.start()
    released = b.hold("check", {"match": "exact"})
    jane = collected(name="Jane", postcode="20001")
    looking = asyncio.create_task(b.turn("Jane, 20001.", jane, CHECKED))
    await b.until(lambda: b.runner.ran)
    john = Generation("", (("collect", {"name": "John", "postcode": "20009"}),))
    b.model.then([john, Generation("John, 20009.")])
    await asyncio.wait_for(b.caller.says("No: John, 20009."), 5)
    assert values(b) == {"name": "John", "postcode": "20009"}
    b.model.then([Generation("", (("check", {}),)), Generation("How much?")])
    released.set()
    await asyncio.wait_for(looking, 5)
    await b.until(lambda: b.model.left == 0)
    first, second = (dict(args) for _, args in b.runner.ran)
    assert first == {"name": "Jane", "postcode": "20001"}
    assert second == {"name": "John", "postcode": "20009"}
    assert b.state.facts["verified"].slots == {"name", "postcode"}
    assert b.nodes == ["who", "what"], "by the second proof"


async def test_there_and_back_again_while_the_proof_is_on_its_way_proves_nothing(
    bench: Any,
) -> None:
    b = bench(NODES, slots=SLOTS, tools=TOOLS, script=[{"say": "Who are you?"}])
    await b.live.start()
    released = b.hold("check", {"match": "exact"})
    await b.turn("Jane, 20001.", collected(name="Jane", postcode="20001"), {"say": "So?"})
    batch = [CHECKED["calls"][0]]
    batch += [{"tool": "collect", "args": {"name": name}} for name in ("John", "June", "Jane")]
    running = asyncio.create_task(b.turn("Check.", {"calls": batch}, {"say": "Hm."}))
    await b.until(lambda: b.runner.ran)
    released.set()
    await running
    assert values(b)["name"] == "Jane"
    assert b.state.facts == {}
    assert b.state.node == "who"


async def test_many_corrections_in_one_batch_the_last_word_counts(bench: Any) -> None:
    b = await at_pay(bench)
    many = [
        {"tool": "collect", "args": {"name": name, "postcode": code}}
        for name, code in (("A", "11111"), ("B", "no code"), ("C", "33333"), ("Jane", "33333"))
    ]
    await b.turn("A, no, B, no, C.", {"move_to": "who"}, {"calls": many}, {"say": "Jane, then?"})
    assert values(b)["name"] == "Jane"
    assert values(b)["postcode"] == "33333"
    assert set(b.state.facts) == {"quoted", "agreed"}, "what rested on the postcode fell"
    assert b.state.node == "who", "nobody is verified"
    await b.turn("Yes.", CHECKED, {"say": "?"})
    assert "verified" in b.state.facts
