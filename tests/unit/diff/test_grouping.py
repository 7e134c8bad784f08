"""One cause is one entry: a shared flow, and the same edit in many copies of a flow."""

from dataclasses import replace
from typing import Any

from trunkline.diff.change import Change
from trunkline.diff.compare import compare
from trunkline.diff.snapshot import Origin, Snapshot

FLOWS = [("acme", f"f{number}") for number in range(3)] + [("bolt", "g")]


def table(words: str, prefix: str = "") -> dict[str, Any]:
    return {
        "start": f"{prefix}ask",
        "language": "en-US",
        "nodes": {
            f"{prefix}ask": {"instructions": words, "edges": [{"to": "bye", "when": "done"}]},
            "bye": {"kind": "end", "outcome": "answered"},
        },
    }


def only(changes: tuple[Change, ...]) -> Change:
    assert len(changes) == 1
    return changes[0]


def copies(*words: str) -> Snapshot:
    return Snapshot(tables={id: table(text) for id, text in zip(FLOWS, words, strict=True)})


def test_the_same_edit_in_many_flows_is_one_entry() -> None:
    change = only(compare(copies(*["Ask now."] * 4), copies(*["Ask then."] * 4)))
    assert (change.tenant, change.flow, change.node) == (None, None, "ask")
    assert change.affects == tuple(FLOWS)
    assert change.message.endswith("affects 4 flows of 2 tenants")
    assert (change.before, change.after) == ("Ask now.", "Ask then.")


def test_those_that_differ_are_its_variants() -> None:
    head = copies("Ask then.", "Ask then.", "Ask soon.", "Ask then.")
    change = only(compare(copies(*["Ask now."] * 4), head))
    assert change.message.endswith("affects 4 flows of 2 tenants; 3 the same, 1 differs")
    assert change.after == "Ask then."
    assert [(one.affects, one.after) for one in change.variants] == [
        ((("acme", "f2"),), "Ask soon.")
    ]


def test_edits_that_only_stand_on_nodes_of_one_name_stay_apart() -> None:
    head = copies("Ask then.", "Ask soon.", "Ask now.", "Ask now.")
    changes = compare(copies(*["Ask now."] * 4), head)
    assert [(change.flow, change.after) for change in changes] == [
        ("f0", "Ask then."),
        ("f1", "Ask soon."),
    ]


def shared(words: str, text: str) -> Snapshot:
    path = "flows/shared/verify.yaml"
    return Snapshot(
        tables={
            ("acme", "f0"): table(words.format("Acme"), "check/"),
            ("bolt", "g"): table(words.format("Bolt"), "verify/"),
        },
        origins={
            ("acme", "f0"): (Origin("check/", path),),
            ("bolt", "g"): (Origin("verify/", path),),
        },
        documents={path: {"text": text}, "flows/acme/f0.yaml": {}, "flows/bolt/g.yaml": {}},
    )


def test_a_shared_flow_is_one_risky_entry_whatever_its_users_put_into_it() -> None:
    change = only(compare(shared("{} asks.", "a"), shared("{} asks nicely.", "b")))
    assert (change.level.word, change.kind) == ("risky", "instructions-reworded")
    assert (change.tenant, change.node, change.cause) == (None, "ask", "flows/shared/verify.yaml")
    assert change.message.endswith("affects 2 flows of 2 tenants")
    assert len(change.variants) == 1


def test_words_that_a_user_puts_in_are_its_own_change() -> None:
    base = shared("{} asks.", "a")
    head = replace(base, tables={**base.tables, ("acme", "f0"): table("Now Acme asks.", "check/")})
    change = only(compare(base, head))
    assert (change.tenant, change.flow, change.node) == ("acme", "f0", "check/ask")
    assert (change.level.word, change.cause) == ("info", "")


def test_a_fingerprint_is_of_the_content() -> None:
    one = only(compare(copies(*["Ask now."] * 4), copies(*["Ask then."] * 4)))
    # Another change elsewhere, as after a push, leaves it as it is.
    base = replace(copies(*["Ask now."] * 4), documents={"flows/acme/tenant.yaml": {"vars": {}}})
    head = replace(
        copies(*["Ask then."] * 4), documents={"flows/acme/tenant.yaml": {"vars": {"a": "b"}}}
    )
    again = [change for change in compare(base, head) if change.area == "speech"]
    assert [change.fingerprint for change in again] == [one.fingerprint]
    # Other words, or one more flow, are another change.
    other = only(compare(copies(*["Ask now."] * 4), copies(*["Ask when?"] * 4)))
    fewer = only(
        compare(copies(*["Ask now."] * 4), copies("Ask then.", "Ask then.", "Ask now.", "Ask now."))
    )
    assert len({one.fingerprint, other.fingerprint, fewer.fingerprint}) == 3


def test_two_exceptions_of_one_target_are_two() -> None:
    target = {"tenant": "acme"}
    one = {"rule": "window", "target": target, "expires": "2026-12-31"}
    other = {**one, "expires": "2027-01-31"}
    path = "policy/exceptions.yaml"
    base = Snapshot(documents={path: {"exceptions": [one, other]}})
    head = Snapshot(documents={path: {"exceptions": [{**one, "expires": "2027-03-31"}, other]}})
    assert only(compare(base, head)).kind == "exception-extended"
