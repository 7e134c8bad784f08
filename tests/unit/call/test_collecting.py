"""Collecting on a real session: what is asked, what is taken, and when the call goes on."""

from typing import Any

import pytest

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
SLOTS = {
    "full_name": {"type": "string", "ask": "May I have your name?", "pii": True},
    "postcode": {"type": "string", "pattern": "[0-9]{5}", "description": "Postcode"},
    "birthday": {"type": "date", "optional": True},
    "plan": {"type": "choice", "choices": ["monthly", "yearly"]},
}
NODES = {
    "greeting": {
        "instructions": "Greet.",
        "edges": [{"to": "details", "when": "they agree"}, {"to": "bye", "when": "they do not"}],
    },
    "details": {
        "instructions": "Take the details.",
        "collect": ["full_name", "postcode"],
        "edges": [{"to": "plan"}, {"to": "bye", "when": "they give up"}],
    },
    "plan": {
        "instructions": "Ask for the plan.",
        "collect": ["plan", "birthday"],
        "edges": [
            {"to": "bye"},
            {"to": "details", "when": "a detail was wrong", "correction": True},
            {"to": "bye", "when": "they give up"},
        ],
    },
    "bye": BYE,
}


async def at_details(bench: Any) -> Any:
    b = bench(NODES, slots=SLOTS, script=[{"say": "Hello."}])
    await b.live.start()
    await b.turn("Yes.", {"move_to": "details"}, {"say": "Name please!"})
    return b


async def test_the_exact_words_replace_what_the_model_would_ask(bench: Any) -> None:
    b = await at_details(bench)
    assert b.said() == ["Hello.", "May I have your name?"]


async def test_what_was_said_before_is_taken_instead_of_asked(bench: Any) -> None:
    b = bench(NODES, slots=SLOTS, script=[{"say": "Hello."}])
    await b.live.start()
    await b.turn(
        "Yes, I am Jane Doe.",
        {"move_to": "details"},
        {"calls": [{"tool": "collect", "args": {"full_name": "Jane Doe"}}]},
        {"say": "And your postcode?"},
    )
    assert b.said() == ["Hello.", "And your postcode?"]
    assert b.state.slots["full_name"].value == "Jane Doe"
    assert b.state.slots["full_name"].source == "caller"


async def test_a_question_of_the_caller_is_answered_in_the_models_own_words(bench: Any) -> None:
    b = await at_details(bench)
    await b.turn("Why?", {"say": "To find your account. Your name, please?"})
    assert b.said()[-1] == "To find your account. Your name, please?"


async def test_several_answers_in_one_turn_and_the_call_goes_on_by_itself(bench: Any) -> None:
    b = await at_details(bench)
    await b.turn(
        "Jane Doe, two double oh zero one.",
        {
            "calls": [
                {
                    "tool": "collect",
                    "args": {"full_name": "Jane Doe", "postcode": "two double oh zero one"},
                }
            ]
        },
        {"say": "Monthly or yearly?"},
    )
    assert b.outputs("collect")[-1].output == "Noted: full_name, postcode is 20001."
    assert b.nodes == ["greeting", "details", "plan"]
    assert b.state.path[-1].reason.cause == "edge"
    assert b.said()[-1] == "Monthly or yearly?"


async def test_what_does_not_fit_is_said_to_the_model_and_the_rest_is_taken(bench: Any) -> None:
    b = await at_details(bench)
    await b.turn(
        "Jane Doe, uh.",
        {"calls": [{"tool": "collect", "args": {"full_name": "Jane Doe", "postcode": "uh"}}]},
        {"say": "The postcode once more?"},
    )
    (output,) = b.outputs("collect")
    assert not output.is_error
    assert output.output == (
        "Noted: full_name. Not taken: postcode: it does not have the form that is needed; "
        "ask for it once more. Still missing: postcode."
    )
    await b.turn(
        "Uh.",
        {"calls": [{"tool": "collect", "args": {"postcode": "uh", "age": 7}}]},
        {"say": "Sorry, the postcode?"},
    )
    assert b.outputs("collect")[-1].is_error
    assert "age is not collected here" in b.outputs("collect")[-1].output
    assert b.nodes == ["greeting", "details"]


async def test_an_optional_slot_may_be_declined_and_others_may_not(bench: Any) -> None:
    b = await at_details(bench)
    given = {"full_name": "Jane", "postcode": "20001", "declined": ["postcode"]}
    await b.turn(
        "Jane.",
        {"calls": [{"tool": "collect", "args": given}]},
        {"say": "Which plan?"},
    )
    assert "postcode cannot be declined" in b.outputs("collect")[-1].output
    await b.turn(
        "Yearly, and I would rather not say.",
        {"calls": [{"tool": "collect", "args": {"plan": "yearly", "declined": ["birthday"]}}]},
    )
    assert b.state.declined == {"birthday"}
    assert b.state.over


async def test_what_is_known_is_not_asked_again_on_the_way_back(bench: Any) -> None:
    nodes = {
        **NODES,
        "details": {
            "collect": ["full_name", "postcode"],
            "instructions": "Take the details.",
            "edges": [{"to": "bye", "when": "done"}, {"to": "greeting", "when": "back"}],
        },
    }
    b = bench(nodes, slots=SLOTS, script=[{"say": "Hello."}])
    await b.live.start()
    await b.turn("Yes.", {"move_to": "details"}, {"say": "?"})
    await b.turn(
        "Jane.",
        {"calls": [{"tool": "collect", "args": {"full_name": "Jane"}}]},
        {"say": "Postcode?"},
    )
    await b.turn("Wait.", {"move_to": "greeting"}, {"say": "Hello again."})
    await b.turn("Go on.", {"move_to": "details"}, {"say": "And your postcode?"})
    assert b.said()[-1] == "And your postcode?", "the name is known"
    prompt = b.model.seen[-1].dialogue.items[0].text_content
    assert "full_name: full_name, known" in prompt
    assert "- full_name: Jane" in prompt


async def test_a_correction_asks_again_for_what_is_set(bench: Any) -> None:
    b = await at_details(bench)
    await b.turn(
        "Jane Doe, 20001.",
        {"calls": [{"tool": "collect", "args": {"full_name": "Jane Doe", "postcode": "20001"}}]},
        {"say": "Which plan?"},
    )
    await b.turn("My name is wrong.", {"move_to": "details"}, {"say": "?"})
    assert b.nodes[-1] == "details", "it does not run through"
    assert b.said()[-1] == "May I have your name?"
    assert b.state.slots["full_name"].value == "Jane Doe", "it stays until another is given"
    await b.turn(
        "John Doe.",
        {"calls": [{"tool": "collect", "args": {"full_name": "John Doe", "postcode": "20001"}}]},
        {"say": "Which plan?"},
    )
    assert b.nodes[-1] == "plan"
    assert b.state.slots["full_name"].value == "John Doe"


async def test_the_schema_shows_each_slot_as_optional(bench: Any) -> None:
    b = await at_details(bench)
    parameters = b.model.seen[-1].schemas["collect"]["parameters"]
    assert parameters == {
        "type": "object",
        "properties": {
            "full_name": {"type": "string"},
            "postcode": {"type": "string", "description": "Postcode"},
        },
        "additionalProperties": False,
    }


CHOICE_NODES = {
    "choose": {
        "instructions": "Offer the times.",
        "collect": ["opening"],
        "tools": [
            {"id": "list_openings", "max_calls": 2},
            {"id": "book", "with": {"opening": "slots.opening"}},
        ],
        "edges": [{"to": "bye", "if": "facts.booked"}, {"to": "bye", "when": "they give up"}],
    },
    "bye": BYE,
}
CHOICE_TOOLS = {
    "list_openings": {
        "result": {
            "type": "object",
            "properties": {"openings": {"type": "array", "items": {"type": "string"}}},
        }
    },
    "book": {
        "parameters": {
            "type": "object",
            "required": ["opening"],
            "properties": {"opening": {"type": "string"}},
        },
        "establishes": {"booked": "true"},
    },
}


async def test_choices_come_from_the_last_result_of_a_tool(bench: Any) -> None:
    slots = {"opening": {"type": "choice", "choices_from": "list_openings.openings"}}
    b = bench(
        CHOICE_NODES,
        slots=slots,
        tools=CHOICE_TOOLS,
        script=[
            {"calls": [{"tool": "collect", "args": {"opening": "nine"}}]},
            {"calls": [{"tool": "list_openings"}]},
            {"say": "Nine or ten?"},
        ],
    )
    b.runner.answers["list_openings"] = [{"openings": ["9 AM", "10 AM"]}]
    await b.live.start()
    assert "not known yet" in b.outputs("collect")[0].output
    assert b.model.seen[0].tools == ("move_to", "collect", "list_openings"), "book needs the slot"
    await b.turn(
        "The second one.",
        {"calls": [{"tool": "collect", "args": {"opening": "the second one"}}]},
        {"calls": [{"tool": "book"}]},
    )
    schema = b.model.seen[-2].schemas["collect"]["parameters"]["properties"]["opening"]
    assert schema == {"type": "string", "enum": ["9 AM", "10 AM"]}
    assert "book" in b.model.seen[-1].tools
    assert b.runner.ran[-1] == ("book", {"opening": "10 AM"})
    assert b.state.over


@pytest.mark.parametrize("value", [None, ""])
async def test_properties_that_a_model_fills_in_with_nothing_are_no_answers(
    bench: Any, value: Any
) -> None:
    b = await at_details(bench)
    given = {"full_name": "Jane", "postcode": value}
    await b.turn("Jane.", {"calls": [{"tool": "collect", "args": given}]}, {"say": "Postcode?"})
    assert set(b.state.slots) == {"full_name"}
    assert b.outputs("collect")[0].output == "Noted: full_name. Still missing: postcode."


@pytest.mark.parametrize("value", ["N/A", "unknown", "<null>", " undefined "])
async def test_what_models_write_where_nothing_was_said_is_no_answer(
    bench: Any, value: str
) -> None:
    b = await at_details(bench)
    given = {"full_name": value, "postcode": "20001"}
    await b.turn("20001.", {"calls": [{"tool": "collect", "args": given}]}, {"say": "Name?"})
    assert {name: slot.value for name, slot in b.state.slots.items()} == {"postcode": "20001"}
    assert b.state.node == "details"


@pytest.mark.parametrize(
    "args",
    [
        {"full_name": {"first": "Jane"}},
        {"full_name": ["Jane"]},
        {"full_name": True},
        {"full_name": "x" * 10_000},
        {"full_name": "\ud800\x00"},
        {"postcode": 10**400},
        {"plan": "yearly"},
        {"error": "Jane"},
        {"declined": [["full_name"], None, 7]},
        {"declined": {"full_name": True}},
        {"full_name": "..."},
        {"facts": {"known": True}, "facts.known": True, "slots.full_name": "Jane"},
        {},
    ],
)
async def test_rubbish_sets_nothing_is_told_and_the_call_goes_on(bench: Any, args: Any) -> None:
    b = await at_details(bench)
    await b.turn("Jane.", {"calls": [{"tool": "collect", "args": args}]}, {"say": "Once more?"})
    assert b.state.slots == {}
    (output,) = b.outputs("collect")
    assert output.is_error
    assert "internal error" not in output.output
    assert b.said()[-1] == "Once more?"
    collect = {"tool": "collect", "args": {"full_name": "Jane", "postcode": "20001"}}
    await b.turn("Jane, 20001.", {"calls": [collect]}, {"say": "Which plan?"})
    assert b.state.node == "plan"


async def test_what_is_given_and_declined_at_once_is_given(bench: Any) -> None:
    b = await at_details(bench)
    first = {"tool": "collect", "args": {"full_name": "Jane", "postcode": "20001"}}
    await b.turn("Jane, 20001.", {"calls": [first]}, {"say": "Which plan?"})
    both = {"birthday": "the fourth of July 1985", "declined": ["birthday"]}
    await b.turn("July.", {"calls": [{"tool": "collect", "args": both}]}, {"say": "And the plan?"})
    assert b.state.slots["birthday"].value == "1985-07-04"
    assert b.state.declined == set()
    declined = {"tool": "collect", "args": {"plan": "the second one", "declined": "birthday"}}
    await b.turn("Rather not, and the second.", {"calls": [declined]})
    assert b.state.declined == {"birthday"}
    assert b.state.slots["plan"].value == "yearly"


async def test_only_what_is_missing_is_asked_for_and_only_what_is_known_is_read_back(
    bench: Any,
) -> None:
    nodes = {
        "details": {
            "instructions": "Take the details and read them back.",
            "collect": ["full_name", "postcode"],
            "edges": [{"to": "bye", "when": "they say that it is right"}],
        },
        "bye": BYE,
    }
    slots = {**SLOTS, "full_name": {"type": "string"}}
    b = bench(nodes, slots=slots, script=[{"say": "Your name?"}])
    await b.live.start()

    def prompt() -> str:
        text: str = b.model.seen[-1].dialogue.items[0].text_content
        return text

    assert "Ask only for what is missing: full_name, postcode." in prompt()
    jane = {"tool": "collect", "args": {"full_name": "Jane"}}
    await b.turn("Jane.", {"calls": [jane]}, {"say": "Your postcode?"})
    assert "Ask only for what is missing: postcode. Read nothing back before that." in prompt()
    code = {"tool": "collect", "args": {"postcode": "20001"}}
    await b.turn("20001.", {"calls": [code]}, {"say": "Jane, 20001: is that right?"})
    assert "missing" not in prompt()
    assert "All of it is known: ask for none of it again." in prompt()
    wrong = {"tool": "collect", "args": {"full_name": "June", "postcode": "two double oh zero two"}}
    await b.turn("June, and 20002.", {"calls": [wrong]}, {"say": "June, 20002: is that right?"})
    assert {name: slot.value for name, slot in b.state.slots.items()} == {
        "full_name": "June",
        "postcode": "20002",
    }
    await b.turn("Yes.", {"move_to": "bye"})
    assert b.state.over
