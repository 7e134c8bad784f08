"""New ways to a payment or a transfer are risky, however they are built."""

from typing import Any

import pytest

from trunkline.diff.compare import compare
from trunkline.diff.snapshot import Snapshot
from trunkline_runtime.catalogue.entry import ToolEntry

ANY = {"type": "object"}
PAY = ToolEntry.from_document(
    "billing",
    {
        **{"id": "pay", "description": "Pay.", "parameters": ANY, "result": ANY},
        **{"effects": ["payment"], "run": {"python": "a:b"}},
    },
)
BYE = {"kind": "end", "outcome": "no_action"}


def talk(*targets: str, **more: Any) -> dict[str, Any]:
    return {"edges": [{"to": to, "when": f"they want {to}"} for to in targets], **more}


NODES: dict[str, dict[str, Any]] = {
    "hello": talk("check", "bye"),
    "check": talk("charge", "bye"),
    "charge": talk("bye", tools=[{"id": "pay"}]),
    "human": {"kind": "transfer", "number": "desk", "mode": "warm", "on_failure": "bye"},
    "bye": BYE,
}


def snapshot(nodes: dict[str, dict[str, Any]], **flow: Any) -> Snapshot:
    table = {"start": "hello", "language": "en-US", "nodes": nodes, **flow}
    other = {"start": "charge", "language": "en-US", "nodes": {"charge": NODES["charge"]}}
    return Snapshot(
        tables={("acme", "call"): table, ("acme", "other"): other}, entries={"pay": PAY}
    )


@pytest.mark.parametrize(
    ("nodes", "flow", "kind", "node"),
    [
        ({"hello": talk("check", "bye", "charge")}, {}, "edge-added", "hello"),
        ({"hello": talk("check", "bye", "human")}, {}, "edge-added", "hello"),
        ({"hello": talk("check", "charge")}, {}, "edge-added", "hello"),
        ({"hello": talk("check", "bye", keys={"1": "charge"})}, {}, "edge-added", "hello"),
        ({"hello": talk("check", "bye", silence={"to": "human"})}, {}, "edge-added", "hello"),
        ({}, {"anywhere": [{"to": "charge", "when": "they insist"}]}, "edge-added", None),
        ({}, {"error": "human"}, "edge-added", None),
        ({}, {"answer": {"machine": "charge"}}, "edge-added", None),
        # Over a new node, of any kind.
        (
            {"hello": talk("check", "bye", "short"), "short": talk("charge")},
            {},
            "node-added",
            "short",
        ),
        (
            {
                "hello": talk("check", "bye", "sort"),
                "sort": {"kind": "route", "edges": [{"to": "human", "else": True}]},
            },
            {},
            "node-added",
            "sort",
        ),
        (
            {"hello": talk("check", "bye", "desk"), "desk": {**NODES["human"], "number": "x"}},
            {},
            "node-added",
            "desk",
        ),
        # Over another flow.
        (
            {"hello": talk("check", "bye", "over"), "over": {"kind": "link", "flow": "other"}},
            {},
            "edge-added",
            "hello",
        ),
        # Round a node that was always passed, over one that was there before.
        ({"bye": talk("charge")}, {}, "edge-added", "bye"),
    ],
)
def test_is_risky(nodes: dict[str, Any], flow: dict[str, Any], kind: str, node: str | None) -> None:
    changes = compare(snapshot(NODES), snapshot({**NODES, **nodes}, **flow))
    risky = {(change.kind, change.node) for change in changes if change.level.word != "info"}
    assert (kind, node) in risky


def test_what_leads_to_neither_is_not() -> None:
    head = snapshot({**NODES, "hello": talk("check", "bye", "again"), "again": talk("check")})
    changes = compare(snapshot(NODES), head)
    assert {change.level.word for change in changes} == {"info"}
