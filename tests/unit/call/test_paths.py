"""Asides, routes, links, edges' words, global exits, the answer, what is owed on entry."""

from typing import Any

import pytest

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
HOST = {
    "instructions": "Host.",
    "say": "Welcome to {{ tenant.display_name }}.",
    "say_again": "Welcome back.",
    "edges": [{"to": "other", "when": "they go on"}],
}
ASIDES = {
    "host": HOST,
    "other": {"instructions": "Other.", "edges": [{"to": "bye", "when": "done"}]},
    "question": {"instructions": "Answer the question.", "return": True},
    "weather": {"instructions": "Talk of the weather.", "return": True},
    "human": {"kind": "transfer", "number": "support", "mode": "warm", "on_failure": "bye"},
    "bye": BYE,
}
ANYWHERE = [
    {"to": "question", "when": "they ask something"},
    {"to": "weather", "when": "they talk of the weather"},
    {"to": "human", "when": "they want a human"},
]


async def test_an_aside_goes_back_to_where_it_was_entered_from(bench: Any) -> None:
    b = bench(ASIDES, script=[{"say": "Hi."}], anywhere=ANYWHERE)
    await b.live.start()
    assert b.said() == ["Welcome to Acme Power. Hi."]
    await b.turn("What?", {"move_to": "question"}, {"say": "This."})
    enum = b.model.seen[-1].schemas["move_to"]["parameters"]["properties"]["to"]["enum"]
    assert enum == ["question", "weather", "human", "back"]
    await b.turn("I see.", {"move_to": "back"}, {"say": "So?"})
    assert b.nodes == ["host", "question", "host"]
    assert b.state.path[-1].reason.cause == "back"
    assert b.said()[-1] == "Welcome back. So?"
    assert b.state.host is None


async def test_an_aside_that_is_entered_from_an_aside_keeps_the_host(bench: Any) -> None:
    b = bench(ASIDES, script=[{"say": "Hi."}], anywhere=ANYWHERE)
    await b.live.start()
    await b.turn("Go on.", {"move_to": "other"}, {"say": "Other."})
    await b.turn("What?", {"move_to": "question"}, {"say": "This."})
    await b.turn("Rain!", {"move_to": "weather"}, {"say": "Yes."})
    await b.turn("Well.", {"move_to": "back"}, {"say": "So."})
    assert b.nodes == ["host", "other", "question", "weather", "other"]


async def test_back_is_no_exit_of_an_ordinary_node(bench: Any) -> None:
    b = bench(ASIDES, script=[{"say": "Hi."}], anywhere=ANYWHERE)
    await b.live.start()
    await b.turn("Back.", {"move_to": "back"}, {"say": "Sorry."})
    assert b.nodes == ["host"]
    assert b.outputs("move_to")[0].is_error


async def test_a_global_exit_beats_an_exit_without_when(bench: Any) -> None:
    nodes = {
        "details": {
            "instructions": "Ask.",
            "collect": ["name"],
            "edges": [{"to": "other"}],
        },
        **ASIDES,
    }
    b = bench(nodes, slots={"name": {"type": "string"}}, script=[{"say": "?"}], anywhere=ANYWHERE)
    await b.live.start()
    await b.turn(
        "Jane, and get me a human!",
        {"calls": [{"tool": "collect", "args": {"name": "Jane"}}], "move_to": "human"},
    )
    assert b.nodes == ["details", "human"]


async def test_an_exit_without_when_beats_a_local_choice_of_the_model(bench: Any) -> None:
    nodes = {
        "pay": {
            "instructions": "Pay.",
            "tools": [{"id": "charge"}],
            "edges": [{"to": "thanks", "if": "facts.paid"}, {"to": "bye", "when": "they give up"}],
        },
        "thanks": {"kind": "end", "say": "Thank you.", "outcome": "paid"},
        "bye": BYE,
    }
    b = bench(nodes, tools={"charge": {"establishes": {"paid": "true"}}}, script=[{"say": "?"}])
    await b.live.start()
    await b.turn("Pay.", {"calls": [{"tool": "charge"}], "move_to": "bye"})
    assert b.nodes == ["pay", "thanks"]
    (output,) = b.outputs("move_to")
    assert "the call has moved to thanks (edge: facts.paid)" in output.output


async def test_routes_are_silent_and_an_edge_may_say_something(bench: Any) -> None:
    nodes = {
        "ask": {
            "instructions": "Ask.",
            "collect": ["kind"],
            "edges": [{"to": "fork", "say": "One moment."}],
        },
        "fork": {
            "kind": "route",
            "edges": [
                {"to": "a", "if": 'slots.kind == "a"', "say": "So it is A."},
                {"to": "b", "else": True},
            ],
        },
        "a": {"instructions": "A.", "edges": [{"to": "bye", "when": "done"}]},
        "b": {"instructions": "B.", "edges": [{"to": "bye", "when": "done"}]},
        "bye": BYE,
    }
    slots = {"kind": {"type": "choice", "choices": ["a", "b"]}}
    b = bench(nodes, slots=slots, script=[{"say": "A or B?"}])
    await b.live.start()
    collect = {"calls": [{"tool": "collect", "args": {"kind": "a"}}]}
    await b.turn("A.", collect, {"say": "Here is A."})
    assert b.nodes == ["ask", "fork", "a"]
    assert b.said()[1:] == ["One moment.", "So it is A. Here is A."]

    b = bench(nodes, slots=slots, script=[{"say": "A or B?"}])
    await b.live.start()
    collect = {"calls": [{"tool": "collect", "args": {"kind": "b"}}]}
    await b.turn("B.", collect, {"say": "Here is B."})
    assert b.nodes == ["ask", "fork", "b"]
    assert b.state.path[-1].reason.words == "else"


async def test_disclosures_come_first_whole_and_once(bench: Any) -> None:
    nodes = {
        "greeting": {
            "speak": ["ai"],
            "say": "I call for {{ tenant.display_name }}.",
            "instructions": "Greet.",
            "edges": [{"to": "greeting", "when": "again"}, {"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    b = bench(nodes, script=[{"say": "Is now a good time?"}])
    interruptible: list[tuple[str, bool]] = []

    def added(event: Any) -> None:
        speech = b.live.session.current_speech
        if speech is not None:
            interruptible.append((event.item.text_content, speech.allow_interruptions))

    b.live.session.on("conversation_item_added", added)
    await b.live.start()
    assert interruptible == [
        ("I am an assistant.", False),
        ("I call for Acme Power. Is now a good time?", True),
    ]
    assert b.state.disclosed == {"ai"}
    await b.turn("Again.", {"move_to": "greeting"}, {"say": "Hm?"})
    assert b.said()[-1] == "Hm?"


@pytest.mark.parametrize(
    ("answered_by", "nodes", "outcome"),
    [
        ("human", ["greeting"], None),
        (None, ["greeting"], None),
        ("unknown", ["greeting"], None),
        ("machine", ["voicemail"], "voicemail"),
        ("busy", [], "busy"),
        ("no_answer", [], "no_answer"),
    ],
)
async def test_who_answers_decides_where_it_begins(
    bench: Any, answered_by: Any, nodes: Any, outcome: Any
) -> None:
    table = {
        "greeting": {"instructions": "Greet.", "edges": [{"to": "bye", "when": "done"}]},
        "voicemail": {"kind": "end", "say": "Please call back.", "outcome": "voicemail"},
        "bye": BYE,
    }
    b = bench(
        table,
        script=[{"say": "Hello."}],
        answered_by=answered_by,
        answer={"machine": "voicemail"},
    )
    await b.live.start()
    assert b.nodes == nodes
    assert b.state.outcome == outcome
    assert b.state.over is (outcome is not None)


async def test_a_link_goes_on_in_the_other_flow_with_nothing_proven(bench: Any) -> None:
    first = {
        "start": {
            "instructions": "Start.",
            "collect": ["name", "amount"],
            "tools": [{"id": "check"}],
            "edges": [{"to": "over", "when": "they want to buy"}],
        },
        "over": {
            "kind": "link",
            "flow": "second",
            "with": {"who": "slots.name", "limit": 5, "gone": "slots.missing"},
        },
    }
    second = {
        "nodes": {
            "sell": {
                "say": "Hello {{ slots.who }}.",
                "instructions": "Sell.",
                "edges": [
                    {"to": "bye", "if": "facts.known"},
                    {"to": "bye", "when": "done", "requires": ["known"]},
                ],
            },
            "bye": BYE,
        },
        "slots": {"who": {"type": "string"}, "gone": {"type": "string"}},
        "inputs": {"limit": {"type": "integer"}},
    }
    slots = {
        "name": {"type": "string"},
        "amount": {"type": "number"},
        "missing": {"type": "string"},
    }
    b = bench(
        first,
        slots=slots,
        tools={"check": {"establishes": {"known": "true"}}},
        flows={"second": second},
        script=[{"say": "Hi."}],
    )
    await b.live.start()
    given = {"name": "Jane", "amount": 3}
    calls = [{"tool": "collect", "args": given}, {"tool": "check"}]
    await b.turn("I am Jane.", {"calls": calls}, {"say": "Ok."})
    assert "known" in b.state.facts
    digest = b.state.pin.digest
    await b.turn("Buy.", {"move_to": "over"}, {"say": "What do you want?"})
    assert [(step.flow, step.node) for step in b.state.path] == [
        ("main", "start"),
        ("main", "over"),
        ("second", "sell"),
    ]
    assert b.said()[-1] == "Hello Jane. What do you want?"
    assert b.state.facts == {}
    assert {name: slot.value for name, slot in b.state.slots.items()} == {"who": "Jane"}
    assert b.state.slots["who"].source == "link"
    assert b.state.inputs == {"limit": 5}
    assert b.state.pin.digest == b.release.tables["second"].digest != digest
    await b.turn("Done.", {"move_to": "bye"}, {"say": "Not yet."})
    assert b.state.node == "sell"


@pytest.mark.parametrize("by_model", [True, False])
async def test_what_an_exit_to_a_link_says_is_said_before_the_other_flow(
    bench: Any, by_model: bool
) -> None:
    say = {"to": "over", "say": "One moment."}
    first = {
        "start": {
            "say": "Hi.",
            "instructions": "Start.",
            "edges": [{**say, "when": "they want to buy"} if by_model else say],
        },
        "over": {"kind": "link", "flow": "second"},
    }
    # A flow that begins with a link has no turn of its own to say it either.
    second = {"nodes": {"on": {"kind": "link", "flow": "third"}}}
    ends = {"nodes": {"bye": BYE}}
    b = bench(first, flows={"second": second, "third": ends}, script=[{"say": "Yes?"}])
    await b.live.start()
    if by_model:
        await b.turn("I want to buy.", {"move_to": "over"})
    assert " ".join(b.said()).endswith("One moment. Goodbye.")
    assert b.state.over


async def test_words_that_are_a_question_give_the_caller_the_floor(bench: Any) -> None:
    nodes = {
        "greeting": {
            "say": "How can I help?",
            "instructions": "Find out.",
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    b = bench(nodes)
    await b.live.start()
    assert b.said() == ["How can I help?"]
    assert b.model.seen == []
    await b.turn("Not at all.", {"move_to": "bye"})
    assert b.state.over


async def test_a_tool_is_offered_once_or_while_its_condition_holds(bench: Any) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [
                {"id": "rare", "once": True},
                {"id": "later", "if": "facts.ready"},
                {"id": "prepare"},
            ],
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    tools = {"rare": {}, "later": {}, "prepare": {"establishes": {"ready": "true"}}}
    b = bench(nodes, tools=tools, script=[{"say": "Hi."}])
    await b.live.start()
    assert b.model.seen[-1].tools == ("move_to", "rare", "prepare")
    await b.turn("Hm.", {"calls": [{"tool": "prepare"}]}, {"say": "Ready."})
    assert b.model.seen[-2].tools == ("move_to", "prepare")
    assert b.model.seen[-1].tools == ("move_to", "later", "prepare")


async def test_history_is_cut_for_the_model_only(bench: Any) -> None:
    nodes = {
        "long": {"instructions": "Talk.", "edges": [{"to": "short", "when": "they go on"}]},
        "short": {
            "instructions": "Short.",
            "history": {"keep": 2, "summary": True},
            "edges": [{"to": "long", "when": "back"}, {"to": "bye", "when": "done"}],
        },
        "bye": BYE,
    }
    b = bench(nodes, script=[{"say": "Hi."}])
    await b.live.start()
    for number in range(4):
        await b.turn(f"Word {number}.", {"say": f"Answer {number}."})

    def messages() -> list[str]:
        items = b.model.seen[-1].dialogue.items
        return [item.text_content for item in items[1:] if item.type == "message"]

    await b.turn("Go on.", {"move_to": "short"}, {"say": "Short."})
    assert messages() == ["Answer 3.", "Go on."]
    await b.turn("Back.", {"move_to": "long"}, {"say": "Long."})
    assert messages()[0] == "Hi.", "a later node sees everything again"
    assert b.said("caller")[0] == "Word 0."
