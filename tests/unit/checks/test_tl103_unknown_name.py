"""TL103: names of what does not exist, each with the name that was meant."""

import pytest

FLOW = """
    start: hello
    slots:
      name: {type: string, ask: "Your name?"}
      kind: {type: choice, choices: [card, bank]}
      day: {type: choice, choices_from: fetch.days}
    inputs: {account: {type: string}}
    error: done
    anywhere: [{to: done, when: they are done}]
    keys: {"0": done}
    answer: {machine: done}
    silence: {to: done}
    limits: {to: done}
    nodes:
      hello:
        speak: [ai]
        say: "Hello {{ slots.name }}."
        collect: [name, day]
        tools:
          - {id: fetch, sets: {kind: '"card"'}}
          - {id: look_up, with: {name: slots.name}}
        keys: {"1": human}
        silence: {to: human}
        limits: {to: human}
        edges:
          - {to: human, when: they want a human, requires: [slots.name], clears: [day]}
          - {to: check, when: they want a check, say: "A moment, {{ inputs.account }}."}
      check:
        kind: confirm
        say: "For {{ tenant.display_name }}, {{ tenant.vars.product }}, {{ call.direction }}?"
        on_yes: route
        on_no: human
        on_unclear: human
      route:
        kind: route
        edges: [{to: human, else: true}]
      human:
        kind: transfer
        number: {by: slots.kind, card: support, default: nurses}
        summary: [name]
        on_failure: done
      done: {kind: end, outcome: done}
    """


def base() -> str:
    """The flow, without the one reader that says the name before it is known."""
    return FLOW.replace('say: "Hello {{ slots.name }}."', 'say: "Hello."')


def test_every_name_exists(judge) -> None:
    judge(base())


@pytest.mark.parametrize(
    ("old", "new", "meant"),
    [
        ("error: done", "error: dine", "done"),
        ("[{to: done, when: they are done}]", "[{to: dine, when: they are done}]", "done"),
        ('{"0": done}', '{"0": dine}', "done"),
        ("{machine: done}", "{machine: dine}", "done"),
        ("    silence: {to: done}", "    silence: {to: dine}", "done"),
        ("    limits: {to: done}", "    limits: {to: dine}", "done"),
        ('{"1": human}', '{"1": humen}', "human"),
        ("silence: {to: human}", "silence: {to: humen}", "human"),
        ("limits: {to: human}", "limits: {to: humen}", "human"),
        ("{to: human, when: they want a human", "{to: humen, when: they want a human", "human"),
        ("on_yes: route", "on_yes: rout", "route"),
        ("on_no: human", "on_no: humen", "human"),
        ("on_unclear: human", "on_unclear: humen", "human"),
        ("{to: human, else: true}", "{to: humen, else: true}", "human"),
        ("on_failure: done", "on_failure: dine", "done"),
    ],
)
def test_nodes(judge, old: str, new: str, meant: str) -> None:
    text = base()
    assert old in text
    line = next(each for each in text.splitlines() if old in each)
    changed = text.replace(line, f"{line.replace(old, new)}  #! TL103", 1)
    (finding, *_) = [each for each in judge(changed) if each.code == "TL103"]
    assert finding.help == f"Did you mean `{meant}`?"
    told = changed.splitlines()[finding.line - 4]  # less the header that the fixture adds
    wrong = {"done": "dine", "human": "humen", "route": "rout"}[meant]
    # Columns are those of the dedented file.
    assert told[4:][finding.column - 1 : finding.end_column - 1] == wrong


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        ("speak: [ai]", "speak: [aii]", "Did you mean `ai`?"),
        ("speak: [ai]", "speak: [german]", "compliance must add en-US"),
        ("collect: [name, day]", "collect: [name, day, dya]", "Did you mean `day`?"),
        ("requires: [slots.name]", "requires: [slots.nmae]", "Did you mean `name`?"),
        ("clears: [day]", "clears: [dya]", "Did you mean `day`?"),
        ("summary: [name]", "summary: [nmae]", "Did you mean `name`?"),
        ("sets: {kind:", "sets: {knd:", "Did you mean `kind`?"),
        ("by: slots.kind", "by: slots.knd", "Did you mean `kind`?"),
        ("{{ inputs.account }}", "{{ inputs.acount }}", "Did you mean `account`?"),
        ("{{ tenant.display_name }}", "{{ tenant.name }}", "There are {{ tenant.display_name }}"),
        ("{{ tenant.vars.product }}", "{{ tenant.vars.produkt }}", "Did you mean `product`?"),
        ("{{ call.direction }}", "{{ call.derection }}", "Did you mean `direction`?"),
        ("{{ call.direction }}", "{{ facts.paid }}", "there are no expressions in spoken words"),
        ("{{ call.direction }}", "{{ slots.name + 1 }}", "there are no expressions"),
        ("{{ call.direction }}", "{{ call.direction", "there are no expressions"),
        ("card: support", "card: suport", "Did you mean `support`?"),
        ("card: support", "crd: support", "Did you mean `card`?"),
        ("default: nurses", "default: nurse", "Did you mean `nurses`?"),
        ("outcome: done", "outcome: dine", "Did you mean `done`?"),
        ("with: {name: slots.name}", "with: {nmae: slots.name}", "Did you mean `name`?"),
        ("choices_from: fetch.days", "choices_from: fetch.dais", "Did you mean `days`?"),
        ("choices_from: fetch.days", "choices_from: fetch.amount", "Name a list"),
        ("choices_from: fetch.days", "choices_from: charge.status", "Add charge to the tools"),
    ],
)
def test_everything_else(judge, old: str, new: str, help: str) -> None:
    text = base()
    assert text.count(old) == 1
    line = next(each for each in text.splitlines() if old in each)
    findings = judge(text.replace(line, f"{line.replace(old, new)}  #! TL103"))
    assert any(help in finding.help for finding in findings)
    assert {finding.code for finding in findings} == {"TL103"}


def test_what_cannot_be_looked_up_is_not(judge) -> None:
    missing = {
        "catalog/outcomes.yaml": None,
        "policy/disclosures.yaml": None,
        "policy/requirements.yaml": None,
    }
    text = base().replace("outcome: done", "outcome: whatever")
    judge(text.replace("speak: [ai]", "speak: [something]"), missing)


def test_reserved_outcomes_need_no_entry(judge) -> None:
    judge(base().replace("outcome: done", "outcome: opt_out"))


def test_back_is_no_node(judge) -> None:
    text = base().replace("on_no: human", "on_no: back  #! TL103")
    (finding,) = judge(text)
    assert "an aside (`return: true`) goes back by itself" in finding.message


def test_an_exit_belongs_to_a_shared_sub_flow(judge) -> None:
    (finding,) = judge(base().replace("on_no: human", "on_no: exit/done  #! TL103"))
    assert finding.message == "`exit/done` leaves a shared sub-flow, and this flow is none"


def test_a_start_that_does_not_exist_says_nothing_of_paths(judge) -> None:
    judge("""
        start: helo  #! TL103
        nodes:
          hello:
            tools: [charge]
            edges: [{to: done, when: fine}]
          stuck:
            edges: [{to: stuck, when: again}]
          done: {kind: end, outcome: done}
        """)


LINKED = """
    start: bye
    inputs: {account: {type: string}, note: {type: string, optional: true}}
    slots: {name: {type: string}}
    nodes: {bye: {kind: end, outcome: done}}
    """


def test_links(judge) -> None:
    text = """
        start: go
        nodes:
          go: LINK
        """
    files = {"flows/acme/second.yaml": LINKED}
    fine = "{kind: link, flow: second, with: {account: '\"a\"', name: '\"b\"'}}"
    judge(text.replace("LINK", fine), files)
    for link, help in (
        ("{kind: link, flow: secnd}", "Did you mean `second`?"),
        ("{kind: link, flow: second}", "Add `account: <value>` under `with`."),
        ("{kind: link, flow: second, with: {account: '\"a\"', nmae: '\"b\"'}}", "`name`?"),
    ):
        (finding,) = judge(text.replace("LINK", f"{link}  #! TL103"), files)
        assert help in finding.help


def test_a_link_to_a_flow_that_cannot_be_read(judge) -> None:
    broken = "schema_version: 1\nid: second\nstart: [  #! TL001\n"
    text = """
        start: go
        nodes:
          go: {kind: link, flow: second}
        """
    judge(text, {"flows/acme/second.yaml": broken.replace("  #! TL001\n", "\n#! TL001")})


def test_numbers_that_lead_to_no_flow(judge) -> None:
    tenant = """
        schema_version: 1
        id: acme
        display_name: Acme
        timezone: America/New_York
        connections: {crm: {}, billing: {}}
        numbers: {support: "+12025550101", nurses: "+12025550102"}
        vars: {product: power}
        inbound:
          "+12025550110": flow
          "+12025550111": flo  #! TL103
        """
    (finding,) = judge(base(), {"flows/acme/tenant.yaml": tenant})
    assert finding.help == "Did you mean `flow`?"
    assert "2025550111" not in finding.message


def test_facts_and_arguments_of_the_catalogue(judge) -> None:
    entry = """schema_version: 1
id: own
description: A tool.
parameters: {type: object, properties: {name: {type: string}}}
result: {type: object, properties: {}}
effects: []
spoken: [nmae]  #! TL103
establishes:
  verifed: args.name == ""  #! TL103
  paid: args.name == ""
revokes: [payd]  #! TL103
run: {http: {method: GET, path: /run}}
"""
    findings = judge(base(), {"catalog/tools/crm/own.yaml": entry})
    assert [finding.help for finding in findings] == [
        "Did you mean `name`?",
        "Did you mean `verified`?",
        "Did you mean `paid`?",
    ]
