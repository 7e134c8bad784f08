"""TL204, TL205, TL206 and TL303: what works and could be better."""

import pytest


@pytest.fixture
def warned(judge):
    return lambda flow, files=None: judge(flow, files, warnings=True)


BOTH = """
    start: hello
    anywhere: [{to: done, when: they are done}]
    nodes:
      hello:
        edges:
          - {to: book, when: they want an appointment}BOOK
          - {to: ask, when: they have a question}ASK
      book: {instructions: Talk., edges: [{to: done, when: it is booked}]}
      ask: {instructions: Talk., edges: [{to: done, when: it is answered}, {to: hello, when: back}]}
      done: {kind: end, outcome: done}
    """


def test_a_choice_without_a_way_back(warned) -> None:
    (finding,) = warned(BOTH.replace("BOOK", "  #! TL204").replace("ASK", ""))
    assert finding.severity == "warning"
    assert finding.message == "whoever is sent to `book` by mistake cannot come back"
    assert finding.help == "Let `book` have an exit to `hello`, or to another choice."


def test_an_exit_that_leads_nowhere_may_be_the_way_back(warned) -> None:
    mistyped = BOTH.replace(
        "{to: done, when: it is booked}]}", "{to: helo, when: back}]}  #! TL103"
    )
    warned(mistyped.replace("BOOK", "").replace("ASK", ""))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{to: done, when: it is booked}", "{to: ask, when: they rather ask}"),
        ("[{to: done, when: it is booked}]", "[{to: done, when: it is booked}], keys: {'1': ask}"),
        ("{to: done, when: they are done}", "{to: ask, when: they have a question}"),
        ("{to: ask, when: they have a question}ASK", "{to: done, when: they are fine}"),
        ("{to: ask, when: they have a question}ASK", "{to: ask, if: call.minutes > 5}"),
    ],
)
def test_a_way_back_or_only_one_way_on(warned, old: str, new: str) -> None:
    assert old in BOTH
    flow = BOTH.replace(old, new).replace("BOOK", "").replace("ASK", "")
    if "they are fine" in new:
        flow = flow.replace("{to: hello, when: back}]}", "{to: hello, when: back}]}  #! TL201")
    warned(flow)


def test_silence_and_errors_are_no_way_back(warned) -> None:
    more = "error: safe\n    silence: {to: safe}\n    start: hello\n"
    flow = BOTH.replace("start: hello\n", more).replace("BOOK", "  #! TL204").replace("ASK", "")
    warned(
        flow.replace(
            "      done:",
            "      safe: {kind: confirm, say: Go on?, on_yes: hello, on_no: done, "
            "on_unclear: done}  #! TL203\n"
            "      done:",
        )
    )


@pytest.mark.parametrize(("exits", "tools"), [(7, 8), (8, 8), (7, 9)])
def test_too_much_to_choose_from(warned, exits: int, tools: int) -> None:
    edges = "".join(f"          - {{to: done, when: reason {n}}}\n" for n in range(exits))
    edges += "".join(f"          - {{to: done, if: call.minutes > {n}}}\n" for n in range(9))
    warned(f"""
    start: hello
    nodes:
      hello:
        instructions: look up
        tools: [{", ".join(["look_up"] * tools)}]{"  #! TL205" if tools > 8 else ""}
        edges:{"  #! TL205" if exits > 7 else ""}
{edges}
      done: {{kind: end, outcome: done}}
    """)


@pytest.mark.parametrize(
    ("node", "edge", "needless"),
    [
        ("collect: [name]", "when: they said it", True),
        ("instructions: Talk.", "when: they said it, if: call.minutes > 1", True),
        ("instructions: Talk.", "when: they said it, requires: [slots.name]", True),
        ("say: Hello.", "when: they heard it", True),
        ("instructions: Talk.", "when: they said it", False),
        ("collect: [name]", "if: call.minutes > 1", False),
        ("{collect: [name], edges: []}", "when: fine}, {to: done, when: they refuse", False),
    ],
)
def test_a_needless_question(warned, node: str, edge: str, needless: bool) -> None:
    node = "collect: [name]" if node.startswith("{") else node
    warned(f"""
    start: hello
    slots: {{name: {{type: string}}}}
    nodes:
      hello:
        {node}
        edges: [{{to: done, {edge}}}]{"  #! TL206" if needless else ""}
      done: {{kind: end, outcome: done}}
    """)


TOOLS = """
    start: hello
    slots: {a: {type: number}, day: {type: choice, choices: [x]}}
    nodes:
      hello:
        instructions: WORDS
        tools: [TOOL]
        edges:
          - {to: done, EDGE}
          - {to: done, when: they are done}
      done: {kind: end, outcome: done}
    """


@pytest.mark.parametrize(
    ("words", "tool", "edge", "needless"),
    [
        ("Talk.", "fetch", "when: so", True),
        ("Call fetch.", "fetch", "when: so", False),
        ("Fetching takes a while.", "fetch", "when: so", False),
        ("Talk.", "fetch", "when: it was fetched", False),
        ("Talk.", "fetch", "if: failed.fetch", False),
        ("Talk.", "{id: fetch, sets: {a: result.amount}}", "when: so", False),
        ("Talk.", "look_up", "when: so, requires: [verified]", False),
        ("Talk.", "look_up", "if: facts.verified", False),
    ],
)
def test_a_tool_that_nothing_needs(
    warned, words: str, tool: str, edge: str, needless: bool
) -> None:
    flow = TOOLS.replace("WORDS", words).replace("TOOL", tool).replace("EDGE", edge)
    warned(flow.replace(f"tools: [{tool}]", f"tools: [{tool}]{'  #! TL303' if needless else ''}"))


def test_a_tool_that_is_named_where_it_is_not_granted(warned) -> None:
    flow = TOOLS.replace("TOOL", "fetch").replace("EDGE", "when: so")
    (finding,) = warned(flow.replace("WORDS", '"Call fetch, then look_up."  #! TL303'))
    assert finding.help == "Add `look_up` to the `tools` of the node, or leave it out of the text."
    # An id that is an everyday word is not taken for a tool.
    warned(flow.replace("WORDS", "Call fetch. Do not charge."))
