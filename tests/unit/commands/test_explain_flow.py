"""`trunkline explain TENANT/FLOW [NODE]`: all that is known of a flow, and of one node."""

from collections.abc import Callable
from pathlib import Path

import pytest

Ran = tuple[int, str, str]
Command = Callable[..., Ran]

PAY = """pay  talk  flows/acme/good.yaml:25
  path        hello ──▶ verify ──▶ pay
  proven      identity_verified
  set         nothing
  tool        take_payment, at most 3 calls; effects: payment; needs: identity_verified; \
can establish: payment_taken
  comes from  verify
  goes to     verify, done
"""


@pytest.fixture
def good(put: Callable[[str], Path]) -> Path:
    return put("graph/good")


@pytest.mark.usefixtures("good")
def test_a_node(trunkline: Command) -> None:
    assert trunkline("explain", "acme/good", "pay") == (0, PAY, "")


@pytest.mark.usefixtures("good")
def test_a_tenant_lists_its_flows(trunkline: Command, repository: Path) -> None:
    assert trunkline("explain", "acme") == (
        0,
        "acme has 1 flow; `trunkline explain acme/good` tells of one:\n  acme/good\n",
        "",
    )
    (repository / "flows/acme/good.yaml").unlink()
    code, _, told = trunkline("explain", "acme")
    assert (code, "acme has no flow that can be read" in told) == (2, True)
    code, _, told = trunkline("explain", "acmee")
    assert (code, "this is neither a code" in told) == (2, True)


@pytest.mark.usefixtures("good")
def test_a_flow(trunkline: Command) -> None:
    code, told, _ = trunkline("explain", "acme/good")
    head, *nodes = told.split("\n\n")
    assert code == 0
    assert head.splitlines() == [
        "acme/good",
        "  made of     flows/acme/good.yaml",
        "  at worst    30 minutes",
        "  at worst    0.90 USD",
        "  at worst    3 calls with the effect payment",
        "  at worst    3 calls with the effect reads_pii",
    ]
    assert [node.split()[0] for node in nodes] == ["hello", "verify", "pay", "done"]
    assert PAY.strip() in nodes


def test_slots_and_nodes_that_no_path_reaches(trunkline: Command, repository: Path) -> None:
    (repository / "flows/acme/flow.yaml").write_text("""
schema_version: 1
id: flow
direction: inbound
language: en-US
start: ask
slots: {name: {type: string}, day: {type: date}}
nodes:
  ask: {collect: [day, name], edges: [{to: told}]}
  told: {edges: [{to: done, when: fine}]}
  island: {edges: [{to: done, when: fine}]}
  done: {kind: end, outcome: done}
""")
    told = trunkline("explain", "acme/flow", "told")[1]
    assert "  set         name, day\n" in told
    island = trunkline("explain", "acme/flow", "island")[1]
    assert island.splitlines()[1:] == ["  no path leads here", "  goes to     done"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("acme/god",), "the tenant acme has no flow god. Did you mean `good`?"),
        (("acme/good", "pya"), "acme/good has no node pya. Did you mean `pay`?"),
        (("acme/good", "zzz"), "acme/good has no node zzz. It has hello, verify, pay, done."),
        (("TL401", "pay"), "TL401: name a flow as TENANT/FLOW to ask about its node pay"),
    ],
)
@pytest.mark.usefixtures("good")
def test_what_does_not_exist(trunkline: Command, arguments: tuple[str, ...], message: str) -> None:
    assert trunkline("explain", *arguments) == (2, "", f"trunkline: {message}\n")


def test_a_flow_without_a_start(trunkline: Command, repository: Path) -> None:
    (repository / "flows/acme/flow.yaml").write_text("""
schema_version: 1
id: flow
direction: inbound
language: en-US
start: nowhere
nodes: {done: {kind: end, outcome: done}}
""")
    code, told, noted = trunkline("explain", "acme/flow")
    assert (code, told) == (2, "")
    path = "flows/acme/flow.yaml"
    assert noted == f"trunkline: {path} has errors; `trunkline check {path}` tells them\n"
