"""TL404: expressions that do not fit their place, each at its column."""

import pytest

FLOW = """
    start: hello
    inputs: {account: {type: string}}
    slots:
      name: {type: string}
      amount: {type: number}
      count: {type: integer}
      day: {type: date}
      kind: {type: choice, choices: [card, bank]}
      sure: {type: boolean}
    nodes:
      hello:
        collect: [name, amount, count, day, kind, sure]
        instructions: charge, look up and fetch
        tools:
          - TOOL
        edges:
          - {to: done, IF}
          - {to: done}
      done: {kind: end, outcome: done}
    """


def flow(condition: str = "if: slots.sure", tool: str = "fetch", mark: str = "") -> str:
    text = FLOW.replace("IF}", f"{condition}}}{mark if condition != 'if: slots.sure' else ''}")
    return text.replace("TOOL", tool + (mark if tool != "fetch" else ""))


@pytest.mark.parametrize(
    "condition",
    [
        "slots.sure",
        '"!slots.sure"',
        "slots.amount > 1.0",
        "slots.count > 1",
        "slots.day > '2026-01-01'",
        'slots.kind == "card"',
        "\"slots.kind in ['card']\"",
        "inputs.account != slots.name",
        "call.minutes > 2 && call.tenant_open",
        "failed.fetch",
    ],
)
def test_conditions_that_fit(judge, condition: str) -> None:
    judge(flow(f"if: {condition}"))


@pytest.mark.parametrize(
    ("condition", "column", "message", "help"),
    [
        ("slots.amount > 0", 13, "does not work on double and int", "write `0.0` instead of `0`"),
        ("slots.name", 0, "a condition is a yes/no value, and this is text", "Compare it"),
        ("slots.amont > 1.0", 0, "`slots.amont` does not exist here", "`slots.amount`"),
        ("slots.sure && facts.payd", 14, "`facts.payd` does not exist here", "`facts.paid`"),
        ("failed.charge", 0, "`failed.charge` does not exist here", "`failed.fetch`"),
        ("args.x == 1", 0, "`args.x` does not exist here", ""),
        ("params.x == 1", 0, "`params.x` does not exist here", ""),
        ("has(slots.name)", 0, "has() cannot tell", "requires"),
        ("slots.sure &&", 13, "not a complete", ""),
    ],
)
@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_a_fault_at_its_column(
    judge, condition: str, column: int, message: str, help: str, quote: str
) -> None:
    (finding,) = judge(flow(f"if: {quote}{condition}{quote}", mark="  #! TL404"))
    begin = len("      - {to: done, if: ") + len(quote) + 1
    assert finding.column == begin + column
    assert message in finding.message
    assert help in finding.help


def test_a_fault_in_a_text_with_escapes_and_over_several_lines(judge) -> None:
    """It is pointed at where it stands (tests/unit/source/test_within.py has every style)."""
    edge, begin = (
        "          - {to: done, if: slots.sure}\n",
        "          - to: done\n            if: ",
    )
    one = judge(flow().replace(edge, f"{begin}'slots.name == \"it''s\" && 1'  #! TL404\n"))[0]
    assert one.column == len("""        if: 'slots.name == "it''s\"""") + 2
    several = f"{begin}slots.sure &&\n              slots.amount > 0  #! TL404\n"
    assert judge(flow().replace(edge, several))[0].column == len("          slots.amount ") + 1


@pytest.mark.parametrize(
    ("bound", "fits"),
    [
        ("amount: slots.amount", True),
        ("amount: slots.count", True),
        ("amount: 5", True),
        ("amount: 0.001", False),
        ("amount: slots.name", False),
        ("amount: true", False),
        ("kind: slots.kind", True),
        ("kind: '\"card\"'", True),
        ("kind: '\"cash\"'", False),
        ("kind: slots.amount", False),
        ("kind: slots.nmae", False),
    ],
)
def test_arguments(judge, bound: str, fits: bool) -> None:
    tool = f"{{id: charge, with: {{{bound}}}}}"
    mark = "  #! TL401" if fits else "  #! TL401 TL404"
    judge(flow(tool=tool, mark=mark).replace("failed.fetch", "true"))


@pytest.mark.parametrize(
    ("sets", "fits"),
    [
        ("amount: result.amount", True),
        ("amount: result.count", True),
        ("count: result.count", True),
        ("count: result.amount", False),
        ("name: 'result.days[0]'", True),
        ("name: result.days", False),
        ("name: result.nothing", False),
        ("amount: call.language", False),
        ("count: result.count + call.minutes", True),
        ("amount: result.amount + slots.nothing", False),
        ("sure: true", True),
        ("sure: 1", False),
        ("count: 2.5", False),
    ],
)
def test_what_a_result_sets(judge, sets: str, fits: bool) -> None:
    mark = "" if fits else "  #! TL404"
    slot = sets.split(":")[0]
    text = flow(tool=f"{{id: fetch, sets: {{{sets}}}}}", mark=mark)
    if slot == "sure":
        text = text.replace("if: slots.sure}", "requires: [slots.sure], if: slots.sure}")
    judge(text)


@pytest.mark.parametrize(
    ("entry", "mark"),
    [
        ('establishes: {verified: result.match == "exact"}', ""),
        ("establishes: {verified: result.match}", "  #! TL404"),
        ('establishes: {verified: slots.name == "x"}', "  #! TL404"),
        ("establishes: {verified: result.macth == 'x'}", "  #! TL404"),
        ("subject: args.name", ""),
        ("subject: result.found", "  #! TL404"),
        ("cost: {expression: size(args.name), max: 5, currency: USD}", ""),
        ("cost: {expression: args.name, max: 5, currency: USD}", "  #! TL404"),
        ("run: {http: {method: GET, path: /a, query: {a: args.name}}}", ""),
        ("run: {http: {method: GET, path: /a, query: {a: args.nmae}}}", "  #! TL404"),
        ("run: {http: {method: GET, path: /a, json: {a: {b: [args.nmae]}}}}", "  #! TL404"),
    ],
)
def test_expressions_of_the_catalogue(judge, entry: str, mark: str) -> None:
    run = "" if entry.startswith("run") else "\nrun: {http: {method: GET, path: /run}}"
    text = f"""schema_version: 1
id: own
description: A tool.
parameters: {{type: object, properties: {{name: {{type: string}}}}}}
result: {{type: object, properties: {{match: {{type: string}}, found: {{type: boolean}}}}}}
effects: []
{entry}{mark}{run}
"""
    judge(flow(), {"catalog/tools/crm/own.yaml": text})


def test_a_link_gives_what_the_flow_takes(judge) -> None:
    second = """
        start: bye
        inputs: {account: {type: string}}
        slots: {amount: {type: number}}
        nodes: {bye: {kind: end, outcome: done}}
        """
    text = flow().replace(
        "      done:", "      done2: {kind: link, flow: second, with: WITH\n      done:"
    )
    text = text.replace("- {to: done}\n", "- {to: done2}\n")
    files = {"flows/acme/second.yaml": second}
    judge(text.replace("WITH", "{account: slots.name, amount: slots.count}}"), files)
    judge(text.replace("WITH", "{account: slots.amount, amount: 3}}  #! TL404"), files)
    judge(text.replace("WITH", "{account: slots.name, amount: true}}  #! TL404"), files)
    judge(text.replace("WITH", "{account: slots.nmae}}  #! TL404"), files)


def test_a_condition_that_does_not_fit_still_needs_the_facts_in_it(judge) -> None:
    """No payment is told to be unproven because of a `0` that should be `0.0`."""
    judge("""
        start: hello
        slots: {amount: {type: number}}
        nodes:
          hello:
            collect: [amount]
            tools: [look_up]
            edges:
              - {to: pay, when: ok, if: facts.verified && slots.amount > 0}  #! TL404
              - {to: done, when: not ok}
          pay:
            tools: [charge]
            edges: [{to: done, if: facts.paid}, {to: done, when: they leave}]
          done: {kind: end, outcome: done}
    """)
