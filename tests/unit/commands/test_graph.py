"""`trunkline graph`: the drawing of a flow, which Mermaid reads and nothing in a flow can break."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import merman
import pytest

from trunkline.report.mermaid import escaped

Ran = tuple[int, str, str]
Command = Callable[..., Ran]

FLOW = """
schema_version: 1
id: flow
direction: inbound
language: en-US
start: hello
slots: {name: {type: string}}
anywhere: [{to: why, when: 'they ask "why" <now> | `x` & more; #35; end'}]
keys: {"9": done}
answer: {machine: done}
silence: {to: done}
nodes:
  hello:
    tools: [lookup_crm]
    keys: {"1": done}
    edges:
      - {to: ask, when: go on}
      - {to: human, if: 'call.minutes > 1 && "a" != "b"'}
  ask: {kind: subflow, flow: shared/inner, exits: {out: route}}
  route:
    kind: route
    edges:
      - {to: done, if: call.visits > 1, requires: [slots.name]}
      - {to: sure, else: true}
  sure: {kind: confirm, say: Sure?, on_yes: done, on_no: end, on_unclear: other}
  human: {kind: transfer, number: support, on_failure: done}
  other: {kind: link, flow: flow}
  why: {return: true}
  end: {kind: end, outcome: opt_out}
  done: {kind: end, outcome: done}
"""
INNER = """
schema_version: 1
id: inner
exits: [out]
start: subgraph
nodes:
  subgraph: {collect: [name], edges: [{to: exit/out}]}
"""
DRAWN = """flowchart TD
  begin(("call begins"))
  n0["hello: lookup_crm"]
  subgraph s1["ask: shared/inner"]
    n8["subgraph"]
  end
  n1{"route"}
  n2{{"sure"}}
  n3[/"human"/]
  n4[["other: flow"]]
  n5("why")
  n6(["end: opt_out"])
  n7(["done: done"])
  anywhere(("at any time"))
  begin --> n0
  begin -.->|"machine"| n7
  n0 -->|"go on"| n8
  n0 ==>|"if call.minutes #gt; 1 #amp;#amp; #quot;a#quot; != #quot;b#quot;"| n3
  n0 -.->|"key 1"| n7
  n1 ==>|"if call.visits #gt; 1; needs slots.name"| n7
  n1 ==>|"else"| n2
  n2 -->|"yes"| n7
  n2 -->|"no"| n6
  n2 -->|"unclear"| n4
  n3 -.->|"nobody answers"| n7
  n8 ==> n1
  anywhere -.->|"they ask #quot;why#quot; #lt;now#gt; #124; #96;x#96; #amp; more; #35;35; end"| n5
  anywhere -.->|"silence"| n7
  anywhere -.->|"key 9"| n7
"""


@pytest.fixture
def drawn(repository: Path) -> None:
    (repository / "flows/shared").mkdir()
    (repository / "flows/shared/inner.yaml").write_text(INNER)
    (repository / "flows/acme/flow.yaml").write_text(FLOW)


@pytest.mark.usefixtures("drawn")
def test_every_kind_of_node_and_way(trunkline: Command) -> None:
    assert trunkline("graph", "acme/flow") == (0, DRAWN, "")
    assert merman.Merman().validate(DRAWN, None).valid


@pytest.mark.usefixtures("drawn")
def test_a_picture_with_text_that_is_text(trunkline: Command) -> None:
    code, svg, _ = trunkline("graph", "acme/flow", "--format", "svg")
    assert code == 0
    assert "foreignObject" not in svg
    texts = " ".join(" ".join(ElementTree.fromstring(svg).itertext()).split())
    assert "hello: lookup_crm" in texts
    assert 'they ask "why" <now> | `x` & more; #35; end' in texts
    assert (0, svg, "") == trunkline("graph", "acme/flow", "--format", "svg")
    outlines = "".join(re.findall(r' d="([^"]*)"', svg))
    assert outlines
    assert not re.search(r"\.\d{3}|e-", outlines), "nobody sees more than a hundredth"


def test_labels_are_cut_masked_and_on_one_line() -> None:
    assert escaped("a\n  b") == "a b"
    assert "555" not in escaped("call +1 202 555 0143")
    assert len(escaped("x" * 100)) == 60
    assert escaped('"#<>&`|\\') == "#quot;#35;#lt;#gt;#amp;#96;#124;#92;"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("acme/flwo", "the tenant acme has no flow flwo. Did you mean `flow`?"),
        ("acme/xyz", "the tenant acme has no flow xyz."),
        ("acme", "acme: name a flow as TENANT/FLOW"),
        ("acme/", "acme/: name a flow as TENANT/FLOW"),
        ("acmee/flow", "there is no tenant acmee in flows/. Did you mean `acme`?"),
    ],
)
@pytest.mark.usefixtures("drawn")
def test_flows_that_do_not_exist(trunkline: Command, name: str, message: str) -> None:
    assert trunkline("graph", name) == (2, "", f"trunkline: {message}\n")


def test_a_flow_that_cannot_be_relied_on(trunkline: Command, repository: Path) -> None:
    (repository / "flows/acme/flow.yaml").write_text("id: [")
    code, told, noted = trunkline("graph", "acme/flow")
    assert (code, told) == (2, "")
    path = "flows/acme/flow.yaml"
    assert noted == f"trunkline: {path} has errors; `trunkline check {path}` tells them\n"


def test_a_flow_with_findings_is_drawn_all_the_same(
    trunkline: Command, put: Callable[[str], Path]
) -> None:
    put("graph/unknown-target")
    code, told, _ = trunkline("graph", "acme/unknown-target")
    assert code == 0
    assert told.startswith("flowchart TD\n")
