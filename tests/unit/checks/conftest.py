"""A small repository in which a test's own flow is checked, and the findings that it must give.

What a flow must give is written into it: `#! TL401` at the end of a line expects that finding
there, and nothing else may be found anywhere. Warnings are left out unless the test asks for them.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from trunkline.compile import compile_repository
from trunkline.finding import Finding

HEADER = "schema_version: 1\nid: {id}\ndirection: inbound\nlanguage: en-US\n"
_EXPECTED = re.compile(r"#! (TL\d{3}(?: TL\d{3})*)$")
_TOOL = """
schema_version: 1
id: {id}
description: A tool.
parameters: {{type: object, additionalProperties: false, properties: {{{parameters}}}}}
result: {{type: object, properties: {{{result}}}}}
effects: [{effects}]
{more}
run: {{http: {{method: GET, path: /run}}}}
"""
_PERSON = "name: {type: string}, code: {type: string}"


def tool(
    id: str, *more: str, parameters: str = "", result: str = "", effects: str = ""
) -> dict[str, str]:
    connection, _, name = id.partition("/")
    text = _TOOL.format(
        id=name, parameters=parameters, result=result, effects=effects, more="\n".join(more)
    )
    return {f"catalog/tools/{connection}/{name}.yaml": text}


REPOSITORY: Mapping[str, str] = {
    "flows/acme/tenant.yaml": """
        schema_version: 1
        id: acme
        display_name: Acme
        timezone: America/New_York
        connections: {crm: {}, billing: {}}
        numbers: {support: "+12025550101", nurses: "+12025550102"}
        vars: {product: power}
        """,
    "catalog/facts.yaml": """
        schema_version: 1
        facts:
          verified: {description: The account holder is on the line.}
          paid: {description: A payment went through.}
          agreed: {description: They said yes., confirm: true}
        """,
    "catalog/outcomes.yaml": """
        schema_version: 1
        outcomes: {done: {description: Done.}}
        """,
    "policy/requirements.yaml": """
        schema_version: 1
        requirements:
          - id: verify-before-payment
            level: mandatory
            effect: payment
            facts: [verified]
            source: company policy
            verified: "2026-11-29"
            effective_from: "2026-01-01"
        """,
    "policy/disclosures.yaml": """
        schema_version: 1
        disclosures:
          ai: {texts: {en-US: I am a machine.}}
          german: {texts: {de-DE: Ich bin eine Maschine.}}
        """,
    **tool(
        "crm/look_up",
        'establishes: {verified: result.match == "exact"}',
        "revokes: [verified]",
        parameters=_PERSON,
        result="match: {type: string}",
    ),
    **tool(
        "crm/listen",
        'establishes: {verified: result.match == "exact"}',
        "revokes: [verified]",
        "spoken: [name, code]",
        parameters=_PERSON,
        result="match: {type: string}",
    ),
    **tool("crm/forget", "revokes: [verified]"),
    **tool(
        "crm/fetch",
        result="amount: {type: number}, count: {type: integer}, days: {type: array, items: "
        "{type: string}}",
    ),
    **tool(
        "billing/charge",
        'establishes: {paid: result.status == "ok"}',
        parameters="amount: {type: number, minimum: 0.01}, "
        "kind: {type: string, enum: [card, bank]}",
        result="status: {type: string}",
        effects="payment",
    ),
    **tool("mail/post", parameters="text: {type: string}", effects="contact"),
}

Judge = Callable[..., list[Finding]]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Checks a flow of the tenant acme, and asserts that it gives what is written in it.

    Further files are given by path; one of None takes a file of the repository away. A path that
    is a flow's gets the header of a flow, unless it has one. Returns the findings.
    """

    def judged(
        flow: str, files: Mapping[str, str | None] | None = None, warnings: bool = False
    ) -> list[Finding]:
        given = {**REPOSITORY, "flows/acme/flow.yaml": flow, **(files or {})}
        texts = {path: _whole(path, text) for path, text in given.items() if text is not None}
        for path, text in texts.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
        findings = [
            finding
            for finding in compile_repository(tmp_path).findings
            if warnings or finding.severity == "error"
        ]
        found = {(each.path, each.line, each.code) for each in findings}
        assert found == {place for path, text in texts.items() for place in _expected(path, text)}
        return findings

    return judged


def _whole(path: str, text: str) -> str:
    text = dedent(text).lstrip("\n")
    is_flow = path.startswith("flows/") and not path.endswith("tenant.yaml")
    if not is_flow or text.startswith("schema_version"):
        return text
    id = Path(path).stem
    if re.search(r"^(exits|use):", text, re.MULTILINE):
        return f"schema_version: 1\nid: {id}\n{text}"
    return HEADER.format(id=id) + text


def _expected(path: str, text: str) -> set[tuple[str, int, str]]:
    return {
        (path, number, code)
        for number, line in enumerate(text.splitlines(), start=1)
        for match in [_EXPECTED.search(line)]
        if match
        for code in match[1].split()
    }
