"""TL403: facts that nothing can establish, and confirm nodes and tools that only pretend to."""

import pytest

FLOW = """
    start: hello
    slots:
      name: {type: string}
      code: {type: string}
      other: {type: string}
    SLOT
    nodes:
      hello:
        collect: [name, code]
        tools:
          - USE
        edges:
          - {to: done, when: it is them, requires: [verified]}MARK
          - {to: done, when: it is somebody else}
      done: {kind: end, outcome: done}
    """


def use(tool: str, mark: str = "", more: str = "") -> str:
    text = FLOW.replace("USE", tool).replace("MARK", mark).replace("    SLOT\n", more)
    return text


SPOKEN = "{id: listen, with: {name: slots.name, code: slots.code}}"


@pytest.mark.parametrize(
    "tool",
    [
        "look_up",
        SPOKEN,
        "{id: listen, with: {name: (slots.name), code: slots.code}}",
        "{id: listen, with: {name: slots.code, code: slots.code}}",
    ],
)
def test_a_tool_that_can_establish_it(judge, tool: str) -> None:
    judge(use(tool))


@pytest.mark.parametrize(
    "tool",
    [
        "listen",
        "{id: listen, with: {name: slots.name}}",
        "{id: listen, with: {name: slots.name, code: '\"20001\"'}}",
        "{id: listen, with: {name: slots.name, code: slots.code + '1'}}",
        "{id: listen, with: {name: slots.name, code: slots.code + slots.name}}",
        "{id: listen, with: {name: slots.name, code: 'true ? slots.code : slots.code'}}",
        "{id: listen, with: {name: slots.name, code: slots.code + '\\\\u0031'}}",
        "{id: listen, with: {name: slots.name, code: 'true ? \"20001\" : slots.code'}}",
        "{id: listen, with: {name: slots.name, code: '[slots.code][0]'}}",
        "{id: listen, with: {name: slots.name, code: inputs.code}}",
    ],
)
def test_a_look_up_that_is_not_bound_to_what_the_caller_said(judge, tool: str) -> None:
    (finding,) = judge(use(tool, "  #! TL403", "    inputs: {code: {type: string}}\n"))
    assert finding.message == "nothing that a call can come to establishes `verified`"
    assert "`listen` on `hello` would, if `" in finding.help


def test_a_look_up_bound_to_a_slot_that_nobody_asks_for(judge) -> None:
    tool = "{id: listen, with: {name: slots.name, code: slots.other}}  #! TL402"
    judge(use(tool, "  #! TL403"))


def test_a_look_up_bound_to_a_slot_that_a_tool_sets(judge) -> None:
    tools = SPOKEN + "\n          - {id: fetch, sets: {code: 'result.days[0]'}}"
    (finding,) = judge(use(tools, "  #! TL403"))
    assert "if `code` were bound" in finding.help


def test_a_look_up_bound_to_a_slot_that_a_link_fills(judge) -> None:
    linking = """
        start: go
        nodes:
          go: {kind: link, flow: flow, with: {code: '"20001"'}}
        """
    judge(use(SPOKEN, "  #! TL403"), {"flows/acme/first.yaml": linking})
    judge(use(SPOKEN), {"flows/acme/first.yaml": linking.replace("{code: '\"20001\"'}", "{}")})


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('{type: choice, choices: ["20001"]}', False),
        ('{type: choice, choices: ["20001", "20002"]}', True),
        ('{type: string, pattern: "20001"}', False),
        ('{type: string, pattern: "^20001$"}', False),
        ('{type: string, pattern: "[2]0001"}', False),
        ('{type: string, pattern: "(2000|2000)1"}', False),
        ('{type: string, pattern: "2000{1}1"}', False),
        ('{type: string, pattern: "(2000|2001)1"}', True),
        ('{type: string, pattern: "20001?"}', True),
        ('{type: string, pattern: "[0-9]{5}"}', True),
        ('{type: string, pattern: "20\\\\d+"}', True),
    ],
)
def test_a_slot_that_takes_one_value_is_not_what_the_caller_said(
    judge, code: str, said: bool
) -> None:
    flow = use(SPOKEN, "" if said else "  #! TL403")
    judge(flow.replace("code: {type: string}", f"code: {code}"))


def test_a_tool_that_no_call_comes_to_establishes_nothing(judge) -> None:
    judge("""
        start: hello
        nodes:
          hello:
            edges:
              - {to: done, when: it is them, requires: [verified]}  #! TL403
              - {to: done, when: it is somebody else, if: "!facts.verified"}  #! TL403
          island:  #! TL201
            tools: [look_up]
            edges: [{to: done, when: it is them, if: facts.paid}]
          done: {kind: end, outcome: done}
        after_call: [look_up]
        """)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if: facts.paid", True),
        ("if: facts.paid || true", True),
        ('with: {name: \'facts.paid ? "a" : "b"\'}', True),
        ("if: facts.verified", False),
    ],
)
def test_readers_on_a_tool(judge, text: str, found: bool) -> None:
    tool = f"{{id: look_up, {text}}}{'  #! TL403' if found else ''}"
    judge(use(tool))


def test_a_confirm_node_establishes_only_what_it_may(judge) -> None:
    flow = """
        start: ask
        nodes:
          ask:
            kind: confirm
            say: Are you the account holder?
            establishes: [agreed, verified]  #! TL403
            on_yes: next
            on_no: done
            on_unclear: done
          next:
            edges:
              - {to: done, when: one, requires: [agreed]}
              - {to: done, when: two, requires: [verified]}  #! TL403
          done: {kind: end, outcome: done}
        """
    pretending, _ = judge(flow)
    assert pretending.message == "a yes to a question cannot establish `verified`"
    judge(flow.replace("[agreed, verified]  #! TL403", "[agreed]"))
    (finding, _) = judge(flow.replace("[agreed, verified]", "[agreed, agred]"))
    assert (finding.message, finding.help) == ("there is no fact `agred`", "Did you mean `agreed`?")


def test_a_yes_proves_only_on_the_way_of_the_yes(judge) -> None:
    requirements = """
        schema_version: 1
        requirements:
          - {id: agree, level: mandatory, effect: payment, facts: [agreed], source: policy,
             verified: "2026-11-29", effective_from: "2026-01-01"}
        """
    flow = """
        start: ask
        slots: {code: {type: string}}
        nodes:
          ask:
            kind: confirm
            say: May I charge you?
            establishes: [agreed]
            on_yes: pay
            on_no: done
            on_unclear: done
          pay:
            tools: [charge]
            edges: [{to: done, if: facts.paid}]
          done: {kind: end, outcome: done}
        """
    files = {"policy/requirements.yaml": requirements}
    judge(flow, files)
    for way in ("on_no", "on_unclear"):
        opened = flow.replace(f"{way}: done", f"{way}: pay")
        (finding,) = judge(opened.replace("[charge]", "[charge]  #! TL401"), files)
        assert finding.trace == ("ask", "pay")
    # The yes was to words with another code in them.
    reading = flow.replace("May I charge you?", '"Charge {{ slots.code }}?"  #! TL402').replace(
        "tools: [charge]", "collect: [code]\n            tools: [charge]  #! TL401"
    )
    judge(reading, files)


def test_a_fact_that_nobody_lists(judge) -> None:
    (finding,) = judge(
        use("look_up", "").replace("requires: [verified]}", "requires: [verifed]}  #! TL403")
    )
    assert (finding.message, finding.help) == (
        "there is no fact `verifed`",
        "Did you mean `verified`?",
    )


def test_where_it_could_come_from_is_told(judge) -> None:
    (finding,) = judge(use("fetch", "  #! TL403"))
    assert finding.help == "It comes from `listen` and `look_up`."
    agreed = use("look_up").replace("requires: [verified]}", "requires: [agreed]}  #! TL403")
    (finding,) = judge(agreed)
    assert finding.help.startswith("A `confirm` node with `establishes` can prove it")
