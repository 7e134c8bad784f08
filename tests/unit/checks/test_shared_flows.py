"""Shared flows: put in their place, with params, and a fault in one told once where it stands."""

from time import process_time

import pytest

VERIFY = """
    exits: [known, unknown]
    params: {who: {type: string}, most: {type: number}}
    start: ask
    nodes:
      ask:
        instructions: Verify {{ params.who }}.
        collect: [name, code]
        tools:
          - {id: listen, with: {name: slots.name, code: slots.code}}
        edges:
          - {to: exit/known, when: it is them, requires: [verified]}
          - {to: again, when: it is not, if: params.most > 1.0}
          - {to: exit/unknown, when: they refuse}
      again:
        edges: [{to: ask, when: they want to try again}, {to: exit/unknown, when: they refuse}]
    """
HOST = """
    start: hello
    slots: {name: {type: string}, code: {type: string}}
    nodes:
      hello: {edges: [{to: verify, when: they want to pay}, {to: done, when: they are done}]}
      verify:
        kind: subflow
        flow: shared/verify
        with: {who: "'the account holder'", most: 3}
        exits: {known: pay, unknown: done}
      pay:
        tools: [charge]
        edges: [{to: done, if: facts.paid}, {to: done, when: they will not}]
      done: {kind: end, outcome: done}
    """
OTHER_TENANT = """
    schema_version: 1
    id: other
    display_name: Other
    timezone: America/New_York
    connections: {crm: {}, billing: {}}
    """


def files(shared: str = VERIFY, **more: str) -> dict[str, str]:
    return {"flows/shared/verify.yaml": shared, **more}


def test_a_proof_in_a_sub_flow_holds_in_its_host(judge) -> None:
    judge(HOST, files())


def test_a_fault_in_a_shared_flow_is_one_finding_there(judge) -> None:
    shared = VERIFY.replace("{to: again, when", "{to: agian, when").replace(
        "params.most > 1.0}", "params.most > 1.0}  #! TL103"
    )
    findings = judge(
        HOST,
        files(shared)
        | {
            "flows/acme/second.yaml": HOST,
            "flows/other/tenant.yaml": OTHER_TENANT,
            "flows/other/flow.yaml": HOST,
        },
    )
    assert [finding.message for finding in findings] == [
        "`agian` is not a node of this flow (affects 3 flows)",
    ]


def test_a_fault_in_a_shared_flow_that_nobody_uses(judge) -> None:
    unused = VERIFY.replace("{to: again, when", "{to: agian, when").replace(
        "params.most > 1.0}", "params.most > 1.0}  #! TL103"
    )
    (finding,) = judge("start: a\nnodes: {a: {kind: end, outcome: done}}\n", files(unused))
    assert finding.message == "`agian` is not a node of this flow"


def test_a_way_that_a_host_opens_into_the_middle(judge) -> None:
    """The proof is gone where the host's own exits lead past the sub-flow, not in the sub-flow."""
    opened = HOST.replace(
        "start: hello\n", "start: hello\n    anywhere: [{to: pay, when: they insist}]\n"
    ).replace("tools: [charge]", "tools: [charge]  #! TL401")
    (finding,) = judge(opened, files())
    assert finding.trace == ("hello", "pay")
    inside = HOST.replace("{to: verify, when: they want to pay}, ", "{to: verify}, ").replace(
        "{to: done, when: they are done}", "{to: verify, when: they are done}"
    )
    judge(inside, files())


def test_the_trace_names_inner_nodes(judge) -> None:
    shared = VERIFY.replace("when: it is them, requires: [verified]", "when: it is them")
    (finding,) = judge(HOST.replace("[charge]", "[charge]  #! TL401"), files(shared))
    assert finding.trace == ("hello", "verify/ask", "pay")


def test_one_sub_flow_twice_in_a_flow(judge) -> None:
    second = """
      verify2:
        kind: subflow
        flow: shared/verify
        with: {who: slots.name, most: 1.5}  #! TL402
        exits: {known: pay, unknown: verify}
      pay:
    """.strip("\n").rstrip()
    host = HOST.replace("      pay:", second).replace("{to: verify, when", "{to: verify2, when")
    (finding,) = judge(host, files())
    assert finding.trace == ("hello", "verify2/ask")


def test_what_a_sub_flow_collects_ends_a_proof_that_rests_on_it(judge) -> None:
    """The second verification takes the first one's proof away."""
    host = HOST.replace("known: pay, unknown: done", "known: again, unknown: done").replace(
        "      pay:",
        """
      again:
        kind: subflow
        flow: shared/verify
        with: {who: "'you'", most: 1}
        exits: {known: done, unknown: pay}
      pay:
    """.strip("\n").rstrip(),
    )
    (finding,) = judge(host.replace("[charge]", "[charge]  #! TL401"), files())
    assert finding.trace == ("hello", "verify/ask", "again/ask", "pay")


@pytest.mark.parametrize(
    ("given", "mark", "help"),
    [
        ("{who: \"'you'\", most: 1}", "", ""),
        ("{who: call.language, most: 2.5}", "", ""),
        ("{who: call.language}", "FLOW TL103", "Add `most: <value>` under `with`."),
        ("{who: call.language, most: 1, mst: 1}", "TL103", "Did you mean `most`?"),
        ("{who: 1, most: 1}", "TL404", "Give a value of that type."),
        ("{who: call.language, most: call.visits}", "TL404", "write `double(…)`"),
        ("{who: call.lnguage, most: 1}", "TL404", "did you mean `call.language`?"),
        ("{who: '\"a\" + call.language', most: 1}", "TL404", "Give one name"),
        ("{who: slots.name, most: 1}", "TL402", "Collect `name` on every way"),
    ],
)
def test_params(judge, given: str, mark: str, help: str) -> None:
    host = HOST.replace(
        "        with: {who: \"'the account holder'\", most: 3}\n", "        with: W\n"
    )
    if mark.startswith("FLOW "):
        host = host.replace("flow: shared/verify\n", f"flow: shared/verify  #! {mark[5:]}\n")
        mark = ""
    findings = judge(host.replace("W\n", f"{given}{f'  #! {mark}' if mark else ''}\n"), files())
    assert not help or help in findings[0].help


@pytest.mark.parametrize(
    ("exits", "flow", "help"),
    [
        ("{known: pay}", "", "Add `unknown: <node>` under `exits`."),
        ("{known: pay, unknown: done, gone: done}", "", "Its exits are `known` and `unknown`."),
        ("{known: pay, unknown: dine}", "", "Did you mean `done`?"),
        ("", "shared/verfy", "Did you mean `shared/verify`?"),
        ("", "shared/whole", "Give flows/shared/whole.yaml `exits`"),
    ],
)
def test_names_of_shared_flows(judge, exits: str, flow: str, help: str) -> None:
    host = HOST
    if exits:
        code = "TL103"
        host = host.replace("exits: {known: pay, unknown: done}", f"exits: {exits}  #! {code}")
    if flow:
        host = host.replace("flow: shared/verify", f"flow: {flow}  #! TL103")
    whole = "start: a\nnodes: {a: {kind: end, outcome: done}}\n"
    findings = judge(host, files(**{"flows/shared/whole.yaml": whole}))
    assert [finding.help for finding in findings if help in finding.help]


def test_exits_that_a_shared_flow_does_not_have(judge) -> None:
    shared = VERIFY.replace(
        "{to: exit/unknown, when: they refuse}\n",
        "{to: exit/unknwon, when: they refuse}  #! TL103\n",
    )
    (finding,) = judge(HOST, files(shared))
    assert finding.message == "this flow has no exit `unknwon` (affects 1 flow)"
    assert finding.help == "Did you mean `unknown`?"


def test_shared_flows_that_hold_each_other(judge) -> None:
    outer = """
    exits: [out]
    start: in
    nodes:
      in: {kind: subflow, flow: shared/inner, exits: {out: exit/out}}
    """
    inner = outer.replace("shared/inner", "shared/outer  #! TL103").replace(
        "      in: {kind: subflow, flow: shared/outer  #! TL103, exits: {out: exit/out}}",
        "      in:\n        kind: subflow\n        flow: shared/outer  #! TL103\n"
        "        exits: {out: exit/out}",
    )
    host = """
    start: a
    nodes:
      a: {kind: subflow, flow: shared/outer, exits: {out: done}}
      done: {kind: end, outcome: done}
    """
    shared = {"flows/shared/outer.yaml": outer, "flows/shared/inner.yaml": inner}
    (finding,) = judge(host, shared)
    assert (
        finding.message == "shared/outer holds itself, so it could never be left (affects 1 flow)"
    )


def test_sub_flows_in_sub_flows(judge) -> None:
    """An exit of the inner one leads to an exit of the outer one; traces name all three levels."""
    outer = """
    exits: [known, unknown]
    params: {who: {type: string}}
    start: verify
    nodes:
      verify:
        kind: subflow
        flow: shared/verify
        with: {who: params.who, most: 2}
        exits: {known: exit/known, unknown: sure}
      sure:
        kind: confirm
        say: Sure?
        on_yes: exit/unknown
        on_no: verify
        on_unclear: exit/unknown
    """
    host = HOST.replace("shared/verify", "shared/outer").replace(", most: 3", "")
    judge(host, files() | {"flows/shared/outer.yaml": outer})
    opened = outer.replace("on_no: verify", "on_no: exit/known")
    (finding,) = judge(
        host.replace("[charge]", "[charge]  #! TL401"),
        files() | {"flows/shared/outer.yaml": opened},
    )
    assert finding.trace == ("hello", "verify/verify/ask", "verify/sure", "pay")


def test_a_sub_flow_that_is_stuck_and_a_host_that_is(judge) -> None:
    stuck = (
        VERIFY.replace(
            "{to: ask, when: they want to try again}, {to: exit/unknown, when: they refuse}",
            "{to: again2, when: they want to try again}",
        )
        .replace("      again:\n", "      again:  #! TL202\n")
        .rstrip()
        + """
      again2: {edges: [{to: again, when: they want to try again}]}  #! TL202
    """
    )
    judge(HOST, files(stuck))
    circling = """
    start: hello
    slots: {name: {type: string}, code: {type: string}}
    nodes:
      hello: {edges: [{to: verify, when: they want to pay}]}  #! TL202
      verify:  #! TL202
        kind: subflow
        flow: shared/verify
        with: {who: "'you'", most: 3}
        exits: {known: hello, unknown: hello}
    """
    judge(circling, files())


def test_an_unreachable_sub_flow_is_told_at_its_node(judge) -> None:
    host = HOST.replace("{to: verify, when: they want to pay}", "{to: pay, when: they want to pay}")
    judge(
        host.replace("      verify:\n", "      verify:  #! TL201\n").replace(
            "[charge]", "[charge]  #! TL401"
        ),
        files(),
    )


def test_global_exits_of_the_host_hold_inside(judge) -> None:
    """A key that the host hears anywhere leads out of the sub-flow, past the proof."""
    host = HOST.replace("start: hello\n", 'start: hello\n    keys: {"1": pay}\n')
    hello = next(line for line in host.splitlines() if line.startswith("      hello:"))
    host = host.replace("start: hello", "start: verify").replace(f"{hello}\n", "")
    (finding,) = judge(host.replace("[charge]", "[charge]  #! TL401"), files())
    assert finding.trace == ("verify/ask", "pay")


def test_an_aside_inside_a_sub_flow(judge) -> None:
    shared = (
        VERIFY.replace(
            "{to: exit/unknown, when: they refuse}\n      again",
            "{to: exit/unknown, when: they refuse}\n"
            "          - {to: why, when: they ask why}\n      again",
        ).rstrip()
        + """
      why: {return: true, instructions: Explain.}
    """
    )
    judge(HOST, files(shared))


INVOICE = """
    params: {most: {type: number}, greeting: {type: string}, kind: {type: choice, choices: [a, b]}}
    start: hello
    slots: {amount: {type: number}}
    nodes:
      hello:
        say: "{{ params.greeting }}"
        collect: [amount]
        edges: [{to: done, if: slots.amount < params.most}, {to: done, when: they refuse}]
      done: {kind: end, outcome: done}
    """


def test_a_use_of_a_whole_shared_flow(judge) -> None:
    shared = {"flows/shared/invoice.yaml": INVOICE}
    fine = 'use: shared/invoice\nwith: {most: 5, greeting: "Hello, you!", kind: a}\n'
    judge(fine, shared)
    for given, mark, help in (
        ("{most: 5, greeting: Hi, kind: c}", "TL404", "It takes one of a, b."),
        ('{most: "5", greeting: Hi, kind: a}', "TL404", "Give a number with a point"),
        ("{most: 5, greeting: '{{ slots.x }}', kind: a}", "TL404", "Write the words themselves."),
        ("{most: 5, greeting: Hi, knd: a, kind: a}", "TL103", "Did you mean `kind`?"),
    ):
        (finding,) = judge(f"use: shared/invoice\nwith: {given}  #! {mark}\n", shared)
        assert help in finding.help
    (finding,) = judge("use: shared/invoice  #! TL103\nwith: {most: 5, greeting: Hi}\n", shared)
    assert finding.help == "Add `kind: <value>` under `with`."
    judge("use: shared/invoise  #! TL103\n", shared)
    judge("use: shared/verify  #! TL103\n", files())


def test_a_fault_in_a_whole_shared_flow_is_one_finding(judge) -> None:
    shared = INVOICE.replace("slots.amount < params.most}", "slots.amont < params.most}").replace(
        "when: they refuse}]", "when: they refuse}]  #! TL404"
    )
    given = "use: shared/invoice\nwith: {most: 5, greeting: Hi, kind: a}\n"
    (finding,) = judge(
        given, {"flows/shared/invoice.yaml": shared, "flows/acme/second.yaml": given}
    )
    assert finding.message == "`slots.amont` does not exist here (affects 2 flows)"


def test_sub_flows_that_double_with_each_level(judge) -> None:
    """2^16 nodes from seventeen small files: refused, and at once."""
    levels = {
        f"flows/shared/level{number}.yaml": f"""
    exits: [out]
    start: a
    nodes:
      a: {{kind: subflow, flow: shared/level{number + 1}, exits: {{out: b}}}}
      b: {{kind: subflow, flow: shared/level{number + 1}, exits: {{out: exit/out}}}}
    """
        for number in range(16)
    }
    last = "exits: [out]\nstart: a\nnodes: {a: {edges: [{to: exit/out, when: fine}]}}\n"
    levels["flows/shared/level16.yaml"] = last
    host = """
    start: a
    nodes:  #! TL101
      a: {kind: subflow, flow: shared/level0, exits: {out: done}}
      done: {kind: end, outcome: done}
    """
    (finding,) = judge(host, levels)
    assert finding.help == (
        "Split it into flows that link to each other, or use fewer sub-flows and asides."
    )


def test_more_asides_than_can_be_told_apart(judge) -> None:
    anywhere = "".join(f"      - {{to: a{n}, when: reason {n}}}\n" for n in range(30))
    asides = "".join(f"      a{n}: {{return: true}}\n" for n in range(30))
    nodes = "".join(f"      n{n}: {{edges: [{{to: n{n + 1}, when: fine}}]}}\n" for n in range(60))
    judge(f"""
    start: n0
    anywhere:
{anywhere}
    nodes:  #! TL101
{nodes}
{asides}
      n60: {{kind: end, outcome: done}}
    """)


LEVEL = """
    params: {most: {type: string}}
    exits: [out]
    start: ask
    nodes:
      ask:
        kind: subflow
        flow: shared/NEXT
        with: {most: params.most + params.most}
        exits: {out: exit/out}
    """
LAST = """
    params: {most: {type: string}}
    exits: [out]
    start: ask
    nodes:
      ask: {edges: [{to: exit/out, when: they agree, if: IF}, {to: exit/out, when: they do not}]}
    """
BELOW = """
    start: hello
    slots: {name: {type: string}}
    nodes:
      hello: {collect: [name], edges: [{to: a}]}
      a: {kind: subflow, flow: shared/l0, with: {most: slots.name}, exits: {out: done}}
      done: {kind: end, outcome: done}
    """


def test_params_that_double_with_each_level_are_refused(judge) -> None:
    """Thirty levels would be a gigabyte of text."""
    levels = {
        f"flows/shared/l{number}.yaml": LEVEL.replace("NEXT", f"l{number + 1}")
        for number in range(30)
    }
    eighth = levels["flows/shared/l8.yaml"]
    levels["flows/shared/l8.yaml"] = eighth.replace("shared/l9", "shared/l9  #! TL101")
    last = LAST.replace("IF", "params.most != ''")
    began = process_time()
    (finding,) = judge(BELOW, {**levels, "flows/shared/l30.yaml": last})
    assert process_time() - began < 2
    assert "too large to be proven" in finding.message


@pytest.mark.parametrize(
    ("condition", "given", "found"),
    [
        (" + ".join(["params.most"] * 9) + " != ''", "slots.name", False),
        (" + ".join(["params.most"] * 9) + " != ''", " + ".join(["slots.name"] * 15), False),
        ("params.most + " * 9 + "'a' != ''", f"'{'x' * 500}'", True),
        ("(" * 20 + "params.most" + ")" * 20 + " != ''", "(" * 20 + "slots.name" + ")" * 20, True),
    ],
)
def test_a_condition_that_is_too_much_with_its_params(
    judge, condition: str, given: str, found: bool
) -> None:
    shared = LAST.replace("IF", f'"{condition}"').replace(
        "when: they do not}]}", "when: they do not}]}  #! MARK"
    )
    judge(
        BELOW.replace("most: slots.name", f'most: "{given}"'),
        {"flows/shared/l0.yaml": shared.replace("MARK", "TL404" if found else "")},
    )
