"""A node or flow that only has another name is renamed; another thing of the same shape is not."""

from typing import Any

import pytest

from trunkline.diff.compare import compare
from trunkline.diff.renames import renamed_flows, renamed_nodes, with_nodes_renamed
from trunkline.diff.snapshot import Snapshot


def table(**nodes: dict[str, Any]) -> dict[str, Any]:
    return {"start": next(iter(nodes)), "language": "en-US", "nodes": nodes}


def talk(words: str, *targets: str) -> dict[str, Any]:
    return {
        "instructions": words,
        "edges": [{"to": target, "when": f"they want {target}"} for target in targets],
    }


BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
ASK = "Ask for the name and the postcode of the account holder."


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (
            table(ask=talk(ASK, "bye"), bye=BYE),
            table(question=talk(ASK, "bye"), bye=BYE),
            {"ask": "question"},
        ),
        # Two at once, each naming the other.
        (
            table(a=talk("Say hello to the caller.", "b"), b=talk(ASK, "a", "bye"), bye=BYE),
            table(x=talk("Say hello to the caller.", "y"), y=talk(ASK, "x", "bye"), bye=BYE),
            {"a": "x", "b": "y"},
        ),
        # Renamed and reworded a little.
        (
            table(ask=talk(ASK, "bye"), bye=BYE),
            table(question=talk(ASK.replace("the name", "a name"), "bye"), bye=BYE),
            {"ask": "question"},
        ),
        (
            table(ask=talk(ASK, "bye"), bye=BYE),
            table(offer=talk("Offer the new plan, with its price.", "bye"), bye=BYE),
            {},
        ),
        # An end with another outcome is another end, however alike the words are.
        (
            table(ask=talk(ASK, "bye"), bye=BYE),
            table(ask=talk(ASK, "bye"), end={**BYE, "outcome": "paid"}),
            {},
        ),
        # Of two that are alike, the one that is more alike.
        (
            table(ask=talk(ASK, "bye"), bye=BYE),
            table(one=talk(ASK + " Be brief.", "bye"), two=talk(ASK, "bye"), bye=BYE),
            {"ask": "two"},
        ),
    ],
)
def test_nodes(before: dict[str, Any], after: dict[str, Any], names: dict[str, str]) -> None:
    assert renamed_nodes(before, after) == names
    assert renamed_nodes(after, before) == {new: old for old, new in names.items()}


def test_a_rename_is_followed_everywhere() -> None:
    flow = {
        **table(ask=talk(ASK, "bye"), bye=BYE),
        **{"error": "bye", "keys": {"9": "bye"}, "answer": {"machine": "bye"}},
        **{"silence": {"to": "bye"}, "limits": {"to": "bye"}, "anywhere": [{"to": "bye"}]},
    }
    renamed = with_nodes_renamed(flow, {"bye": "end", "ask": "question"})
    assert "bye" not in str(renamed).replace("Goodbye", "").replace("want bye", "")
    assert list(renamed["nodes"]) == ["question", "end"]


def test_a_renamed_node_with_another_guard_is_told_as_both() -> None:
    before = table(ask=talk(ASK, "bye"), bye=BYE)
    after = table(question=talk(ASK, "bye"), bye=BYE)
    after["nodes"]["question"]["edges"][0]["if"] = "slots.name != ''"
    changes = compare(
        Snapshot(tables={("acme", "call"): before}), Snapshot(tables={("acme", "call"): after})
    )
    assert {(change.kind, change.node) for change in changes} == {
        ("node-renamed", "question"),
        ("guard-added", "question"),
    }


def test_flows_of_one_tenant_only() -> None:
    flow = table(ask=talk(ASK, "bye"), bye=BYE)
    gone = {("acme", "old"): {**flow, "flow": "old"}}
    come = {("acme", "new"): {**flow, "flow": "new"}, ("bolt", "new"): {**flow, "flow": "new"}}
    assert renamed_flows(gone, come) == {("acme", "old"): ("acme", "new")}
    assert renamed_flows(gone, {("bolt", "new"): flow}) == {}
