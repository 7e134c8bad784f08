"""TL502 to TL505, and policy that fits its schema and cannot be read all the same (TL101)."""

from typing import Any

import pytest

TODAY = "2026-11-29"
HEAD = 'source: law\n    verified: "2026-11-29"\n    effective_from: "2026-01-01"'
PURPOSES = """
    schema_version: 1
    purposes:
      collections: {description: Reminders., direction: outbound}
      care: {description: Answers.}
      later: {description: Not yet., effective_from: "2027-01-01"}
      sales: {description: Offers., direction: outbound}
    grants:
      acme: [collections, care, later]
    """
WINDOWS = f"""
schema_version: 1
region: US
name: United States
windows:
  - id: us-hours
    level: mandatory
    hours: {{mon-sun: "08:00-21:00"}}
    {HEAD}
"""
SPEND = """
    schema_version: 1
    caps:
      - {id: per-call, level: mandatory, per: call, limit: {micros: 2000000, currency: USD}}
      - id: texts
        level: overridable
        per: day
        tool: post
        limit: {micros: 30000, currency: USD}
    """
TALK = """
    start: hello
    nodes:
      hello:
        instructions: Charge and post.
        tools: TOOLS
        edges: [{to: done, when: they are done}]
      done: {kind: end, outcome: done}
    """


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUNKLINE_TODAY", TODAY)


def purposed(purpose: str, direction: str = "outbound", mark: str = "") -> str:
    return f"""schema_version: 1
id: flow
direction: {direction}
{f"purpose: {purpose}{mark}" if purpose else "language: en-US"}
{"language: en-US" if purpose else ""}
start: done
nodes: {{done: {{kind: end, outcome: done}}}}
"""


def tenant(policy: str) -> dict[str, str]:
    return {
        "flows/acme/tenant.yaml": f"""schema_version: 1
id: acme
display_name: Acme
timezone: America/New_York
connections: {{crm: {{}}, billing: {{}}, mail: {{}}}}
{f"policy:{chr(10)}{policy}" if policy else ""}
"""
    }


@pytest.mark.parametrize(
    ("purpose", "direction", "said"),
    [
        ("collections", "outbound", None),
        ("care", "inbound", None),
        ("care", "outbound", None),
        ("sales", "outbound", "acme was not granted the purpose 'sales'"),
        ("nothing", "outbound", "there is no purpose 'nothing'"),
        ("collections", "inbound", "'collections' is for outbound calls, and this one is inbound"),
        ("later", "outbound", "'later' begins on 2027-01-01"),
        ("", "inbound", None),
    ],
)
def test_a_purpose_is_one_that_was_granted(judge, purpose, direction, said) -> None:
    flow = purposed(purpose, direction, "  #! TL502" if said else "")
    found = judge(flow, {"policy/purposes.yaml": PURPOSES})
    assert [each.message for each in found] == ([said] if said else [])


def test_a_use_of_a_shared_flow_needs_the_grant_of_its_own_tenant(judge) -> None:
    shared = purposed("sales").replace("id: flow", "id: offer")
    files = {"flows/shared/offer.yaml": shared, "policy/purposes.yaml": PURPOSES}
    judge("use: shared/offer  #! TL502\n", files)
    granted = PURPOSES.replace("care, later]", "care, later, sales]")
    judge("use: shared/offer\n", files | {"policy/purposes.yaml": granted})


LINKING = """
    start: go
    nodes:
      go: {kind: link, flow: otherMARK}
    """


@pytest.mark.parametrize(
    ("there", "codes"), [("", ""), ("purpose: care", "TL502"), ("direction: outbound", "TL502")]
)
def test_a_link_keeps_purpose_and_direction(judge, there: str, codes: str) -> None:
    other = "schema_version: 1\nid: other\nlanguage: en-US\nstart: a\n"
    other += "nodes: {a: {kind: end, outcome: done}}\n"
    other += there + "\n" + ("" if "direction" in there else "direction: inbound\n")
    mark = f"}}  #! {codes}" if codes else "}"
    judge(LINKING.replace("MARK}", mark), {"flows/acme/other.yaml": other})


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("  windows:\n    - {id: ours, hours: {mon-fri: '09:00-17:00'}}", None),
        (
            "  windows:\n    - {id: ours, hours: {mon-fri: '07:00-17:00'}}  #! TL502",
            "the window opens when the platform's rules are closed: mon-fri 07:00-08:00",
        ),
        ("  spend:\n    - {id: ours, per: call, limit: {micros: 1000000, currency: USD}}", None),
        (
            "  spend:\n    - {id: ours, per: call, limit: {micros: 2000001, currency: USD}}"
            "  #! TL502",
            "2000001 micros are more than the platform's 2000000 (per-call)",
        ),
    ],
)
def test_a_tenant_may_only_tighten(judge, policy: str, message: str | None) -> None:
    files: dict[str, Any] = {
        "policy/jurisdictions/us.yaml": WINDOWS,
        "policy/spend.yaml": SPEND,
        "policy/purposes.yaml": PURPOSES,
    }
    found = judge(purposed("collections"), files | tenant(policy))
    assert [each.message for each in found] == ([message] if message else [])


def test_policy_that_no_schema_refuses_and_nobody_can_read(judge) -> None:
    twice = "  windows:\n    - {id: ours, hours: {mon-fri: '09:00-17:00', fri: '09:00-10:00'}}"
    found = judge(purposed("care", "inbound"), tenant(f"{twice}  #! TL101"))
    assert "fri is given twice" in found[0].message
    bad = WINDOWS.replace('mon-sun: "08:00-21:00"', 'mon-sun: "21:00-08:00"')
    marked = bad.replace("  - id: us-hours", "  - id: us-hours  #! TL101")
    found = judge(
        purposed("care", "inbound"), tenant("") | {"policy/jurisdictions/us.yaml": marked}
    )
    assert "closes before it opens" in found[0].message
    unknown = PURPOSES.replace("[collections,", "[colections,").replace(
        "    schema_version: 1", "    schema_version: 1  #! TL101"
    )
    ok = {"policy/jurisdictions/us.yaml": WINDOWS}
    judge(purposed("care", "inbound"), tenant("") | ok | {"policy/purposes.yaml": unknown})


EXCEPTION = {
    "rule": "texts",
    "target": "{tenant: acme, flow: flow, node: hello, tool: post}",
    "reason": "A pilot.",
    "owner": "o@acme.example",
    "approver": "c@acme.example",
    "created": '"2026-11-01"',
    "expires": '"2027-03-01"',
}


def exception(without: str = "", marked: str = "", **parts: str) -> dict[str, str]:
    """A document with one exception; `marked` is the line that must have the finding."""
    said = {key: value for key, value in (EXCEPTION | parts).items() if key != without}
    lines = [
        f"{key}: {value}{'  #! TL503' if key == marked else ''}" for key, value in said.items()
    ]
    text = "schema_version: 1\nexceptions:\n  - " + "\n    ".join(lines) + "\n"
    return {"policy/exceptions.yaml": text, "policy/spend.yaml": SPEND}


POSTING = TALK.replace("TOOLS", "[post]")
POST = {
    "catalog/tools/crm/post.yaml": """
        schema_version: 1
        id: post
        description: A tool.
        parameters: {type: object, additionalProperties: false, properties: {}}
        result: {type: object, properties: {}}
        effects: []
        cost: {micros: 20000, currency: USD}
        run: {http: {method: GET, path: /x}}
        """,
    "catalog/tools/mail/post.yaml": None,
}


@pytest.mark.parametrize(
    ("parts", "marked"),
    [
        ({}, ""),
        ({"target": "{tenant: acme}"}, ""),
        ({"without": "owner"}, "rule"),
        ({"without": "approver"}, "rule"),
        ({"without": "reason"}, "rule"),
        ({"without": "created"}, "rule"),
        ({"without": "expires"}, "rule"),
        ({"owner": '"  "'}, "rule"),
        ({"rule": "per-call"}, "rule"),
        ({"rule": "textes"}, "rule"),
        ({"expires": '"2027-05-01"'}, "expires"),
        ({"created": '"2027-03-02"'}, "expires"),
        ({"target": "{tenant: acne}"}, "target"),
        ({"target": "{tenant: acme, flow: flaw}"}, "target"),
        ({"target": "{tenant: acme, flow: flow, node: hallo}"}, "target"),
        ({"target": "{tenant: acme, tool: charge}"}, "target"),
    ],
)
def test_an_exception_says_everything_and_matches_something(judge, parts, marked: str) -> None:
    """What has a fault waives nothing: three posts at 0.02 pass the cap of 0.03."""
    flow = POSTING.replace("[post]", "[post]  #! TL504") if marked else POSTING
    judge(flow, exception(marked=marked, **parts) | POST)


@pytest.mark.parametrize(
    ("expires", "today", "applies", "severity"),
    [
        ("2026-12-14", "2026-11-29", True, None),
        ("2026-12-13", "2026-11-29", True, "warning"),
        ("2026-11-29", "2026-11-29", True, "warning"),
        ("2026-11-28", "2026-11-29", False, "warning"),
        ("2026-11-28", "2026-11-28", True, "warning"),
    ],
)
def test_an_exception_runs_out_and_blocks_nothing(
    judge, monkeypatch, expires: str, today: str, applies: bool, severity: str | None
) -> None:
    monkeypatch.setenv("TRUNKLINE_TODAY", today)
    flow = POSTING if applies else POSTING.replace("[post]", "[post]  #! TL504")
    marked = "expires" if severity else ""
    found = judge(flow, exception(marked=marked, expires=f'"{expires}"') | POST, warnings=True)
    assert [each.severity for each in found if each.code == "TL503"] == [severity] * bool(severity)


def test_an_exception_that_has_ended_has_no_other_fault(judge) -> None:
    ended = exception(
        without="owner", marked="expires", expires='"2026-01-01"', target="{tenant: gone}"
    )
    judge(POSTING.replace("[post]", "[post]  #! TL504"), ended | POST, warnings=True)


CHARGE = {
    "catalog/tools/billing/charge.yaml": """
        schema_version: 1
        id: charge
        description: A tool.
        parameters: {type: object, additionalProperties: false, properties: {}}
        result: {type: object, properties: {}}
        effects: []
        cost: {expression: "1000", max: 300000, currency: USD}
        run: {http: {method: GET, path: /x}}
        """
}


@pytest.mark.parametrize(
    ("tools", "breaks"),
    [
        ("[charge]", False),
        ("[{id: charge, max_calls: 6}]", False),
        ("[{id: charge, max_calls: 7}]", True),
        ("[{id: charge, max_calls: 4}, {id: charge, max_calls: 3, once: true}]", True),
    ],
)
def test_the_worst_case_is_held_against_the_caps(judge, tools: str, breaks: bool) -> None:
    flow = TALK.replace("TOOLS", f"{tools}{'  #! TL504' if breaks else ''}")
    found = judge(flow, CHARGE | {"policy/spend.yaml": SPEND})
    if breaks:
        assert found[0].message == (
            "at worst one call costs 2.10 USD in tools, and the cap `per-call` allows 2.00 USD a "
            "call"
        )


def test_a_currency_without_a_cap_is_denied(judge) -> None:
    euros = {path: text.replace("USD", "EUR") for path, text in CHARGE.items()}
    flow = TALK.replace("TOOLS", "[charge]  #! TL504")
    (finding,) = judge(flow, euros | {"policy/spend.yaml": SPEND})
    assert finding.message == "`charge` costs EUR, and no cap bounds that: it is denied"


def test_without_caps_nothing_is_looked_up(judge) -> None:
    judge(TALK.replace("TOOLS", "[{id: charge, max_calls: 100}]"), CHARGE)


def test_what_a_subagent_and_a_linked_flow_spend_counts(judge) -> None:
    think = """
        schema_version: 1
        id: think
        description: A tool.
        parameters: {type: object, additionalProperties: false, properties: {}}
        result: {type: object, additionalProperties: false, properties: {}}
        effects: []
        run: {subagent: {instructions: Think and charge., tools: [charge], max_steps: 2}}
        """
    files = CHARGE | {"policy/spend.yaml": SPEND, "catalog/tools/crm/think.yaml": think}
    talk = TALK.replace("Charge and post", "Think").replace("TOOLS", "[think]  #! TL504")
    (finding,) = judge(talk, files)
    assert "Lower `max_calls`: charge 8 times 0.3." in finding.help
    first = """
    start: hello
    nodes:
      hello:
        instructions: Charge.
        tools: [{id: charge, max_calls: 5}]
        edges: [{to: more, when: they are done}]
      more: {kind: link, flow: second}
    """
    second = TALK.replace("TOOLS", "[{id: charge, max_calls: 2}]")
    cheap = first.replace("max_calls: 5", "max_calls: 4")
    judge(cheap, CHARGE | {"flows/acme/second.yaml": second, "policy/spend.yaml": SPEND})
    dear = second.replace("max_calls: 2", "max_calls: 3")
    dearest = first.replace("max_calls: 5}]", "max_calls: 4}]  #! TL504")
    judge(dearest, CHARGE | {"flows/acme/second.yaml": dear, "policy/spend.yaml": SPEND})


NIGHT = "  windows:\n    - {id: ours, hours: {mon-sun: '00:00-05:00'}}  #! TL502"


def test_a_flow_that_no_hour_allows(judge) -> None:
    us = {"policy/jurisdictions/us.yaml": WINDOWS}
    never = purposed("collections").replace("id: flow", "id: flow  #! TL504")
    judge(never, us | tenant(NIGHT))
    judge(purposed("collections", "inbound"), us | tenant(NIGHT))
    dawn = NIGHT.replace("05:00'", "08:01'")
    judge(purposed("collections"), us | tenant(dawn))


def test_a_country_in_which_it_is_allowed_is_enough(judge) -> None:
    two = {
        "policy/jurisdictions/us.yaml": WINDOWS,
        "policy/jurisdictions/ca.yaml": WINDOWS.replace("US", "CA")
        .replace("United States", "Canada")
        .replace("us-hours", "ca-hours")
        .replace("08:00-21:00", "04:00-21:00"),
    }
    found = judge(purposed("collections"), two | tenant(NIGHT))
    assert [each.code for each in found] == ["TL502"]


def test_an_outbound_flow_names_its_purpose(judge) -> None:
    flow = purposed("").replace("id: flow", "id: flow  #! TL504")
    judge(flow.replace("  #! TL504", ""), {})
    judge(flow, {"policy/purposes.yaml": PURPOSES})


LIST = """
schema_version: 1
lists:
  - id: registry
    level: mandatory
    uri: registry.txt
    sha256: "4f6c9a5e2b71d80c3a94e7f15b26d0c88e1f35a7b90264dce7713f0a8529bd46"
    source: the registry
    obtained_at: "2026-11-29T00:00:00Z"
    max_age: 31d
"""


@pytest.mark.parametrize("part", ["sha256", "source", "obtained_at", "max_age"])
def test_a_list_says_what_makes_it_usable(judge, part: str) -> None:
    flow = "start: a\nnodes: {a: {kind: end, outcome: done}}\n"
    judge(flow, {"policy/dnc.yaml": LIST})
    lines = [line for line in LIST.splitlines() if f"{part}:" not in line]
    marked = "\n".join(lines).replace("- id: registry", "- id: registry  #! TL505")
    (finding,) = judge(flow, {"policy/dnc.yaml": marked + "\n"})
    assert f"has no `{part}`" in finding.message
