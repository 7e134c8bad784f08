"""TL501: the policy's obligations, proven on the graph, and who is exempt from one."""

import pytest

RULE = """
  - id: {id}
    level: {level}
    kind: {kind}
    source: company policy
    verified: "2026-11-29"
    effective_from: "2026-01-01"
{more}
"""
OPT_OUT = ("opt-out", "opt_out", "    applies_to: {direction: outbound}")
SPEAK = ("say-it", "disclosure", "    disclosures: [ai]")
HUMAN = ("human", "human", "")
EXCEPTION = """
    schema_version: 1
    exceptions:
      - rule: {rule}
        target: {target}
        reason: It is being built.
        owner: o@acme.example
        approver: c@acme.example
        created: "2026-11-01"
        expires: "{expires}"
    """


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUNKLINE_TODAY", "2026-11-29")


def obliged(*rules: tuple[str, str, str], level: str = "mandatory") -> dict[str, str]:
    texts = [RULE.format(id=id, level=level, kind=kind, more=more) for id, kind, more in rules]
    return {"policy/obligations.yaml": "schema_version: 1\nobligations:\n" + "".join(texts)}


def excepted(target: str, rule: str = "opt-out", expires: str = "2027-02-01") -> dict[str, str]:
    return {
        "policy/exceptions.yaml": EXCEPTION.format(rule=rule, target=target, expires=expires),
    }


OUTBOUND = "schema_version: 1\nid: flow\ndirection: outbound\nlanguage: en-US\n"


def outbound(anywhere: str, hello: str = "", more: str = "") -> str:
    return f"""{OUTBOUND}start: hello
anywhere:
  - {{to: done, when: they are done}}
{anywhere}
nodes:
  hello: # HELLO
    edges: [{{to: more, when: they want more}}{hello}]
  more: {{edges: [{{to: hello, when: they go back}}]}}
  gone: {{kind: end, say: Goodbye., outcome: opt_out}}
  done: {{kind: end, outcome: done}}
{more}
"""


STOP = "  - {to: gone, when: they want no more calls}"
BREAKS = "#! TL501"


@pytest.mark.parametrize(
    ("anywhere", "hello", "more", "breaks"),
    [
        (STOP, "", "", False),
        ("", "", "  x: {kind: end, outcome: done} #! TL201", True),
        # Not in words, not always, or to another end.
        ('keys: {"9": gone}', "", "", True),
        ("  - {to: gone, if: call.minutes > 3}", "", "", True),
        ("  - {to: gone, when: they want no more calls, if: call.minutes > 3}", "", "", True),
        ("  - {to: gone, when: they want no more calls, requires: [agreed]}", "", "", True),
        # On one node only.
        ("", ", {to: gone, when: they want no more calls}", "", True),
        # Over a question, or a node that leads nowhere else.
        (
            "  - {to: sure, when: they want no more calls}",
            "",
            "  sure: {kind: confirm, say: Sure?, on_yes: gone, on_no: hello, on_unclear: gone}",
            False,
        ),
        (
            "  - {to: sure, when: they want no more calls}",
            "",
            "  sure: {kind: confirm, say: Stay?, on_yes: done, on_no: gone, on_unclear: gone}",
            True,
        ),
        (
            "  - {to: why, when: they want no more calls}\n" + STOP.replace("calls", "of it"),
            "",
            "  why: {say: I am sorry., edges: [{to: gone}]}",
            False,
        ),
        (
            "  - {to: why, when: they want no more calls}",
            "",
            "  why: {instructions: Talk., edges: [{to: gone, when: a}, {to: hello, when: b}]}",
            True,
        ),
    ],
)
def test_every_talk_node_offers_to_opt_out(
    judge, anywhere: str, hello: str, more: str, breaks: bool
) -> None:
    flow = outbound(anywhere, hello, more)
    on_hello = breaks and "to: gone" not in hello
    if "keys" in anywhere:
        flow = flow.replace(anywhere + "\n", "").replace("nodes:", f"{anywhere}\nnodes:")
    if breaks:
        old = (
            "  hello: # HELLO" if on_hello else "  more: {edges: [{to: hello, when: they go back}]}"
        )
        flow = flow.replace(old, old.replace(" # HELLO", "") + f" {BREAKS}")
    if anywhere == "" and not hello:
        flow = flow.replace("outcome: opt_out}", "outcome: opt_out} #! TL201")
    if "requires: [agreed]" in anywhere:
        flow = flow.replace("[agreed]}", "[agreed]} #! TL403")
    findings = judge(flow, obliged(OPT_OUT))
    found = [each for each in findings if each.code == "TL501"]
    assert [each.trace for each in found] == (
        [("hello",) if on_hello else ("hello", "more")] * breaks
    )


def test_the_message_counts_the_nodes(judge) -> None:
    flow = outbound("", "", "").replace("outcome: opt_out}", "outcome: opt_out} #! TL201")
    flow = flow.replace("hello: # HELLO", "hello: #! TL501")
    found = judge(flow, obliged(OPT_OUT))
    (finding,) = [each for each in found if each.code == "TL501"]
    assert finding.message == (
        "`hello` and 1 more node offer no way to ask not to be called again (`opt-out`)"
    )


def test_an_obligation_holds_where_it_applies_and_while_it_is_in_force(judge) -> None:
    inbound = outbound(STOP).replace("direction: outbound", "direction: inbound")
    off = "  - {to: gone, when: they want no more calls}"
    quiet = inbound.replace(off + "\n", "").replace(
        "outcome: opt_out}", "outcome: opt_out} #! TL201"
    )
    judge(quiet, obliged(OPT_OUT))
    asked = quiet.replace("direction: inbound", "direction: outbound")
    future = {
        path: text.replace('"2026-01-01"', '"2026-11-30"')
        for path, text in obliged(OPT_OUT).items()
    }
    judge(asked, future)
    judge(asked.replace("hello: # HELLO", "hello: #! TL501"), obliged(OPT_OUT))


ASKING = """
    start: hello
    slots: {name: {type: string}}
    answer: {machine: beep}
    nodes:
      hello:
        speak: [SPEAK]
        edges: [{to: ask, when: they agree}, {to: read, when: they want to know}]
      ask: ASK
        collect: [name]
        edges: [{to: done, if: slots.name != ""}, {to: done, when: they will not say}]
      read: READ
        instructions: Look up.
        tools: [look_up]
        edges: [{to: done, when: they know}, {to: ask, when: they want more}]
      beep: {kind: end, say: Hello., outcome: done}BEEP
      done: {kind: end, outcome: done}
    """


def asking(speak: str, ask: str = "", read: str = "", beep: str = "") -> str:
    flow = ASKING.replace("[SPEAK]", f"[{speak}]").replace("ask: ASK", f"ask: {ask}")
    return flow.replace("read: READ", f"read: {read}").replace("BEEP", f" {beep}")


def reading(effects: str = "reads_pii") -> dict[str, str]:
    return {
        "catalog/tools/crm/look_up.yaml": f"""
            schema_version: 1
            id: look_up
            description: A tool.
            parameters: {{type: object, additionalProperties: false, properties: {{}}}}
            result: {{type: object, properties: {{}}}}
            effects: [{effects}]
            run: {{http: {{method: GET, path: /x}}}}
            """
    }


def test_disclosures_come_before_anything_is_collected(judge) -> None:
    judge(asking("ai"), obliged(SPEAK) | reading())
    (finding,) = judge(asking("", ask=BREAKS), obliged(SPEAK) | reading())
    assert finding.trace == ("hello", "ask")
    assert "`ask` collects `name` before the caller has heard `ai`" in finding.message
    # What the gate would refuse is told when the flow is written.
    tool = asking("", read=BREAKS).replace(
        "{to: ask, when: they agree}", "{to: done, when: they refuse}"
    )
    (finding,) = judge(tool, obliged(SPEAK) | reading())
    assert finding.trace == ("hello", "read")
    own = asking("").replace("collect: [name]\n", "collect: [name]\n        speak: [ai]\n")
    judge(own, obliged(SPEAK) | reading("writes"))


def test_a_way_round_the_disclosure_is_found(judge) -> None:
    """A call that fails at once, or that a machine has answered, has heard nothing."""
    failing = asking("ai", ask=BREAKS).replace("start: hello\n", "start: hello\n    error: ask\n")
    (finding,) = judge(failing, obliged(SPEAK) | reading())
    assert finding.trace == ("hello", "ask")
    machine = asking("ai", ask=BREAKS).replace("machine: beep}", "machine: beep, human: ask}")
    (finding,) = judge(machine, obliged(SPEAK) | reading())
    assert finding.trace == ("ask",)


def test_before_anything_else_is_before_every_word(judge) -> None:
    first = (SPEAK[0], SPEAK[1], SPEAK[2] + "\n    before: anything_else")
    (finding,) = judge(asking("ai", beep=BREAKS), obliged(first) | reading())
    assert finding.trace == ("beep",)
    silent = asking("ai").replace(", say: Hello.", "")
    judge(silent, obliged(first) | reading())


def test_what_a_sub_flow_collects_is_told_in_its_host(judge) -> None:
    host = """
    start: hello
    slots: {name: {type: string}}
    nodes:
      hello: {speak: [], edges: [{to: sub, when: they agree}]}
      sub: {kind: subflow, flow: shared/ask, exits: {out: done}} #! TL501
      done: {kind: end, outcome: done}
    """
    shared = """
    exits: [out]
    start: ask
    nodes:
      ask: {collect: [name], edges: [{to: exit/out}]}
    """
    files = obliged(SPEAK) | {"flows/shared/ask.yaml": shared}
    (finding,) = judge(host, files)
    assert finding.trace == ("hello", "sub/ask")
    judge(host.replace("speak: []", "speak: [ai]").replace(" #! TL501", ""), files)


HELP = """
    start: hello
    nodes:
      hello: HELLO
        edges: [{to: person, when: they ask}, {to: other, when: they go on}]
      other: OTHER
        edges: [{to: done, when: they are done}EXIT]
      person: {kind: transfer, number: support, on_failure: done}
      done: {kind: end, outcome: done}
    """


def helping(exit: str = "", hello: str = "", other: str = "") -> str:
    flow = HELP.replace("EXIT", exit)
    return flow.replace("hello: HELLO", f"hello: {hello}").replace(
        "other: OTHER", f"other: {other}"
    )


def test_a_human_can_be_reached_from_every_talk_node(judge) -> None:
    judge(helping(", {to: hello, when: they go back}"), obliged(HUMAN))
    (finding,) = judge(helping(other=BREAKS), obliged(HUMAN))
    assert finding.trace == ("hello", "other")
    nobody = helping(hello=BREAKS).replace("to: person", "to: done")
    found = judge(nobody.replace("on_failure: done}", "on_failure: done} #! TL201"), obliged(HUMAN))
    assert "from `hello` and 1 more node no human can be reached" in found[0].message
    # Silence and errors are accidents; a key is not.
    late = helping(other=BREAKS).replace(
        "start:", "error: person\n    silence: {to: person}\n    start:"
    )
    judge(late, obliged(HUMAN))
    judge(helping().replace("start:", 'keys: {"0": person}\n    start:'), obliged(HUMAN))


def test_an_exception_waives_an_overridable_rule_for_its_target_alone(judge) -> None:
    flow = outbound("").replace("outcome: opt_out}", "outcome: opt_out} #! TL201")
    breaking = flow.replace("hello: # HELLO", "hello: #! TL501")
    rules = obliged(OPT_OUT, level="overridable")
    judge(breaking, rules)
    judge(flow, rules | excepted("{tenant: acme}"))
    judge(flow, rules | excepted("{tenant: acme, flow: flow}"))
    # On one node: the other still breaks it.
    found = judge(
        flow.replace("go back}]}", "go back}]} #! TL501"),
        rules | excepted("{tenant: acme, flow: flow, node: hello}"),
    )
    (finding,) = [each for each in found if each.code == "TL501"]
    assert finding.trace == ("hello", "more")
    # One that has ended, and one for another flow, waive nothing.
    judge(breaking, rules | excepted("{tenant: acme}", expires="2026-11-28"))
    other = {"flows/acme/other.yaml": "start: a\nnodes: {a: {kind: end, outcome: done}}\n"}
    judge(breaking, rules | excepted("{tenant: acme, flow: other}") | other)


def test_a_mandatory_rule_takes_no_exception(judge) -> None:
    flow = outbound("").replace("outcome: opt_out}", "outcome: opt_out} #! TL201")
    breaking = flow.replace("hello: # HELLO", "hello: #! TL501")
    excepting = {
        path: text.replace("rule: opt-out", "rule: opt-out #! TL503")
        for path, text in excepted("{tenant: acme}").items()
    }
    judge(breaking, obliged(OPT_OUT) | excepting)


def test_without_the_document_nothing_is_owed(judge) -> None:
    judge(asking(""), reading())
