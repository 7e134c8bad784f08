"""Opt-outs and disclosures: owed on the nodes that had them, and everywhere if all had them."""

from typing import Any

import pytest

from trunkline.diff.compare import compare
from trunkline.diff.snapshot import Snapshot

BYE = {"kind": "end", "outcome": "no_action"}
OUT = {"kind": "end", "outcome": "opt_out"}
SPOKEN = "they ask not to be called"


def talk(*targets: str, **more: Any) -> dict[str, Any]:
    return {"edges": [{"to": to, "when": f"they want {to}"} for to in targets], **more}


NODES: dict[str, Any] = {
    "hello": talk("offer", "bye", speak=["ai"]),
    "offer": talk("bye"),
    "bye": BYE,
    "out": OUT,
}
FLOW: dict[str, Any] = {
    "start": "hello",
    "language": "en-US",
    "anywhere": [{"to": "out", "when": SPOKEN}],
    "keys": {"9": "out"},
    "nodes": NODES,
}


def breaking(head: dict[str, Any], base: dict[str, Any] = FLOW) -> set[tuple[str, str]]:
    before, after = (Snapshot(tables={("acme", "call"): table}) for table in (base, head))
    return {
        (change.kind, change.message)
        for change in compare(before, after)
        if change.level.word == "breaking" and change.kind != "outcome-lost"
    }


def nodes(**changed: Any) -> dict[str, Any]:
    return {**FLOW, "nodes": {**NODES, **changed}}


BY_SAYING = "the person can no longer opt out by saying so"
BY_KEY = "the person can no longer opt out by key"


@pytest.mark.parametrize(
    ("head", "lost"),
    [
        ({**FLOW, "anywhere": []}, {("opt-out-removed", f"{BY_SAYING} anywhere")}),
        ({**FLOW, "keys": {}}, {("opt-out-removed", f"{BY_KEY} anywhere")}),
        # Another name, or another key, is still a way out.
        ({**FLOW, "keys": {"0": "out"}}, set()),
        # To somewhere else, or to an end that is no opt-out any more.
        ({**FLOW, "keys": {"9": "bye"}}, {("opt-out-removed", f"{BY_KEY} anywhere")}),
        (
            nodes(out=BYE),
            {
                ("opt-out-removed", f"{BY_SAYING} anywhere"),
                ("opt-out-removed", f"{BY_KEY} anywhere"),
            },
        ),
        # Behind a strict question it is still offered.
        (
            {
                **nodes(
                    sure={
                        "kind": "confirm",
                        "say": "Sure?",
                        **{"on_yes": "out", "on_no": "bye", "on_unclear": "out"},
                    }
                ),
                "anywhere": [{"to": "sure", "when": SPOKEN}],
            },
            set(),
        ),
    ],
)
def test_opt_outs(head: dict[str, Any], lost: set[tuple[str, str]]) -> None:
    assert breaking(head) == lost


def test_a_new_node_owes_what_every_node_gave() -> None:
    each = {id: talk("offer", "out", speak=["ai"]) for id in ("hello", "offer")}
    base = {**FLOW, "anywhere": [], "keys": {}, "nodes": {**NODES, **each}}
    head = {**base, "nodes": {**base["nodes"], "offer": talk("out", "new"), "new": talk("bye")}}
    assert ("opt-out-removed", f"{BY_SAYING} on `new`") in breaking(head, base)


@pytest.mark.parametrize(
    ("head", "lost"),
    [
        (nodes(hello=talk("offer", "bye")), {("disclosure-removed", "`ai`")}),
        # Spoken later than before, or by a node that is gone, or passed by on another way.
        (
            nodes(hello=talk("offer", "bye"), offer=talk("bye", speak=["ai"])),
            {("disclosure-removed", "`ai`")},
        ),
        ({**FLOW, "start": "offer"}, {("disclosure-skipped", "`offer` without hearing `ai`")}),
        (
            {**FLOW, "answer": {"machine": "offer"}},
            {("disclosure-skipped", "`offer` without hearing `ai`: offer")},
        ),
        (
            {**nodes(first=talk("hello", "offer")), "start": "first"},
            {("disclosure-skipped", "`offer` and `first` without hearing `ai`")},
        ),
    ],
)
def test_disclosures(head: dict[str, Any], lost: set[tuple[str, str]]) -> None:
    found = {one for one in breaking(head) if one[0].startswith("disclosure")}
    assert {kind for kind, _ in found} == {kind for kind, _ in lost}
    for kind, words in lost:
        assert any(kind == one and words in message for one, message in found)
