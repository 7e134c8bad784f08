"""TL104: sets of exits that cannot work."""

import pytest

FLOW = """
    start: hello
    TOP
    nodes:
      hello:
        tools: [look_up, charge]
        NODE
      way:
        kind: route
        edges: [{to: done, else: true}]
      done: {kind: end, outcome: done}
    """


def flow(node: str, top: str = "") -> str:
    # `way` is only there to be led to; `charge` only so that its fact is known.
    lines = [
        line.replace("NODE", node).replace("TOP", top)
        for line in FLOW.replace("tools: [look_up, charge]", "instructions: Talk.").splitlines()
        if line.strip() != "TOP" or top
    ]
    return "\n".join(lines)


def test_a_talk_node_needs_an_exit(judge) -> None:
    stuck = flow("say: Hi.").replace("      hello:\n", "      hello:  #! TL104 TL202\n")
    stuck = stuck.replace("      way:\n", "      way:  #! TL201\n").replace(
        "      done: {kind: end, outcome: done}", "      done: {kind: end, outcome: done}  #! TL201"
    )
    judge(stuck)
    judge(flow("say: Hi.", "anywhere: [{to: way, when: they are done}]"))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("when: they agree", "when: they agree", True),
        ("when: they agree", 'when: "They  AGREE "', True),
        ("when: they agree", "when: they do not agree", False),
        ("if: call.minutes > 1", "if: call.minutes > 1", True),
        ("if: call.minutes > 1", "if: call.minutes > 2", False),
        ("requires: [slots.a, slots.b]", "requires: [slots.b, slots.a]", True),
        ("requires: [slots.a]", "requires: [slots.b]", False),
        ("when: yes please", "when: yes please, if: call.minutes > 1", False),
        ("correction: true", "correction: false", True),
    ],
)
def test_two_exits_with_the_same_conditions(judge, first: str, second: str, same: bool) -> None:
    mark = "  #! TL104" if same else ""
    node = f"""edges:
          - {{to: way, {first}}}
          - {{to: done, {second}}}{mark}
          - {{to: done, when: they are done}}"""
    slots = "slots: {a: {type: string}, b: {type: string}}"
    findings = judge(flow(node, slots))
    if same:
        assert "the one in line 11 has the same conditions" in findings[0].message
    anywhere = f"""{slots}
    anywhere:
      - {{to: way, {first}}}
      - {{to: done, {second}}}{mark}"""
    judge(flow("say: Hi.", anywhere))


ROUTE = """
    start: way
    slots: {a: {type: string}}
    nodes:
      way:MISSING
        kind: route
        edges:
          - {to: hello, if: call.minutes > 1}
          EDGES
      hello: {edges: [{to: done, when: they are done}]}
      done: {kind: end, outcome: done}
    """


@pytest.mark.parametrize(
    ("edges", "missing"),
    [
        ("- {to: done, else: true}", False),
        ("- {to: done, if: call.minutes > 2}", True),
        ("- {to: done}", True),
        (
            "- {to: done, else: true}  #! TL104\n          - {to: hello, if: call.minutes > 3}",
            False,
        ),
        (
            "- {to: done, else: true}  #! TL104\n          - {to: hello, else: true}",
            False,
        ),
        ("- {to: done, else: true, if: call.minutes > 5}  #! TL104", False),
        ("- {to: done, else: true, requires: [slots.a]}  #! TL104", False),
        (
            "- {to: done, when: they like}  #! TL104\n          - {to: hello, else: true}",
            False,
        ),
    ],
)
def test_routes(judge, edges: str, missing: bool) -> None:
    judge(ROUTE.replace("EDGES", edges).replace("MISSING", "  #! TL104" if missing else ""))


def test_else_is_for_routes(judge) -> None:
    judge(flow("edges: [{to: way, else: true}]  #! TL104"))
    judge(flow("say: Hi.", "anywhere: [{to: way, else: true, when: they like}]  #! TL104"))


ASIDE = """
    start: START
    nodes:
      hello:
        edges:
          - {to: hours, when: they ask for the hours}
          - {to: done, when: they are done}
      hours:
        return: true
        instructions: From nine to five.
        MORE
      done: {kind: end, outcome: done}
    """


def test_an_aside_has_no_exits_of_its_own(judge) -> None:
    judge(ASIDE.replace("START", "hello").replace("        MORE\n", ""))
    judge(
        ASIDE.replace("START", "hello").replace(
            "MORE", "edges: [{to: done, when: they are done}]  #! TL104"
        )
    )


def test_a_call_cannot_begin_with_an_aside(judge) -> None:
    beginning = ASIDE.replace("      hello:\n", "      hello:  #! TL201\n").replace(
        "      done: {kind: end, outcome: done}", "      done: {kind: end, outcome: done}  #! TL201"
    )
    judge(beginning.replace("START", "hours  #! TL104").replace("        MORE\n", ""))
    answered = ASIDE.replace("START", "hello\n    answer: {human: hours}  #! TL104")
    judge(answered.replace("        MORE\n", ""))
