"""A recorded call, put to other releases: each difference is named at its step, and no other."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.call.keeping import call_log
from trunkline_runtime.call.record import record_of
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.transfers import Taken
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.commands.replay import _as_text as as_text
from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.chain import segment_paths
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.replay.against import Against
from trunkline_runtime.replay.recorded import Recorded, read_record
from trunkline_runtime.replay.walk import Walk
from trunkline_runtime.table.node_table import NodeTable

NODES: dict[str, Any] = {
    "hello": {
        "say": "Good morning.",
        "instructions": "Ask who is there.",
        "collect": ["name", "amount"],
        "tools": [{"id": "look_up", "with": {"amount": "slots.amount"}}],
        "edges": [
            {"to": "pay", "when": "they want to pay", "requires": ["known"]},
            {"to": "sure", "when": "they hesitate"},
            {"to": "bye", "when": "they are done"},
        ],
    },
    "sure": {
        "kind": "confirm",
        "say": "Are you sure?",
        "establishes": ["certain"],
        "on_yes": "choose",
        "on_no": "bye",
        "on_unclear": "bye",
    },
    "choose": {
        "kind": "route",
        "edges": [{"to": "pay", "if": "slots.amount > 10.0"}, {"to": "bye", "else": True}],
    },
    "pay": {
        "instructions": "Take the payment.",
        "tools": [{"id": "charge"}],
        "edges": [{"to": "paid", "if": "facts.payed"}, {"to": "bye", "when": "they stop"}],
    },
    "paid": {"kind": "end", "say": "Thank you.", "outcome": "paid"},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
    "human": {"kind": "transfer", "number": "support", "mode": "cold", "on_failure": "bye"},
}
MORE: dict[str, Any] = {
    "slots": {"name": {"type": "string", "pii": True}, "amount": {"type": "number"}},
    "keys": {"9": "human"},
}
TOOLS: dict[str, Any] = {
    "look_up": {
        "parameters": {
            "type": "object",
            "properties": {"amount": {"type": "number"}},
            "additionalProperties": False,
        },
        "establishes": {"known": "result.found"},
        "result": {"type": "object", "properties": {"found": {"type": "boolean"}}},
        "effects": ["reads_pii"],
    },
    "charge": {"establishes": {"payed": "true"}, "effects": ["payment"]},
}
SCRIPT = [{"say": "Who is there?"}]


async def recorded(bench: Any, folder: Path) -> tuple[Recorded, Release]:
    """A call that is refused a move, hesitates, agrees and pays; and the release it ran on."""
    b = bench(NODES, tools=TOOLS, script=SCRIPT, **MORE)
    b.runner.answers["look_up"] = [{"found": True}]
    await b.live.start()
    await b.turn(
        "Jane.",
        {"calls": [{"tool": "collect", "args": {"name": "Jane", "amount": 49.9}}]},
        {"move_to": "pay"},
        {"say": "Not yet."},
    )
    await b.turn("Look.", {"calls": [{"tool": "look_up"}]}, {"say": "Found."})
    await b.turn("Hm.", {"move_to": "sure"})
    await b.turn("Yes.", {"calls": [{"tool": "charge"}]})
    assert b.nodes == ["hello", "sure", "choose", "pay", "paid"]
    assert b.live.state.over
    path = folder / "record.json"
    path.write_text(json.dumps(record_of(b.call)))
    assert "Jane" not in path.read_text()
    return read_record(path, None), b.release


def other(
    release: Release,
    *,
    nodes: Mapping[str, Any] | None = None,
    tools: Mapping[str, Any] | None = None,
    **more: Any,
) -> Release:
    """The release with other nodes, tools or keys; a node that is None is gone."""
    document = release.tables["main"].document
    changed = {**NODES, **(nodes or {})}
    left = {id: node for id, node in changed.items() if node is not None}
    entries = {
        id: ToolEntry.from_document("billing", {**entry.document, **(tools or {}).get(id, {})})
        for id, entry in release.entries.items()
    }
    table = {
        **document,
        "nodes": left,
        **more,
        "tools": {id: entry.digest for id, entry in entries.items()},
    }
    return replace(
        release,
        tag="v2",
        digest="sha256:9",
        tables={"main": NodeTable.from_json(table)},
        entries=entries,
    )


FREE = PolicySnapshot(
    "sha256:3",
    2,
    {
        "requirements.yaml": {"schema_version": 1, "requirements": []},
        "obligations.yaml": {"schema_version": 1, "obligations": []},
    },
)


def needs(effect: str, fact: str) -> PolicySnapshot:
    rule = {
        "id": "proof",
        "effect": effect,
        "facts": [fact],
        "level": "mandatory",
        "source": "test",
        "verified": "2026-01-01",
        "effective_from": "2026-01-01",
        "applies_to": {},
    }
    document = {"schema_version": 1, "requirements": [rule]}
    return PolicySnapshot("sha256:3", 2, {**FREE.documents, "requirements.yaml": document})


def found(walked: Walk) -> list[tuple[int, str, str, str]]:
    return [(one.step, one.node, one.kind, one.message) for one in walked.differences()]


def edge(node: str, number: int, **changes: Any) -> dict[str, Any]:
    """A node of which one edge is another; a change to None leaves the key out."""
    edges = [dict(each) for each in NODES[node]["edges"]]
    edges[number] = {k: v for k, v in {**edges[number], **changes}.items() if v is not None}
    return {node: {**NODES[node], "edges": edges}}


async def test_the_same_release_is_the_same_call(bench: Any, tmp_path: Path) -> None:
    call, release = await recorded(bench, tmp_path)
    assert found(Walk(call, release, FREE, release)) == []


CASES: list[tuple[dict[str, Any], tuple[int, str, str, str]]] = [
    (
        {"nodes": edge("hello", 1, requires=["certain"])},
        (2, "hello", "guard", "the exit to sure is closed: certain is not established"),
    ),
    (
        {"nodes": edge("hello", 0, requires=None)},
        (1, "hello", "guard", "the exit to pay is open; it was refused (known is not established)"),
    ),
    (
        {"nodes": edge("choose", 0, **{"if": "slots.amount > 50.0"})},
        (4, "choose", "exit", "the exit to bye holds first and not to pay"),
    ),
    (
        {
            "nodes": {
                "hello": {
                    **NODES["hello"],
                    "edges": [*NODES["hello"]["edges"], {"to": "bye", "if": "facts.known"}],
                }
            }
        },
        (2, "hello", "guard", "the exit to bye is open (facts.known) and taken before"),
    ),
    (
        {"nodes": edge("hello", 1, when="they are not certain")},
        (
            2,
            "hello",
            "words",
            "the exit to sure is offered as 'they are not certain', not 'they hesitate'",
        ),
    ),
    (
        {"nodes": edge("hello", 1, to="bye")},
        (2, "hello", "exit", "the exit 'they hesitate' leads to bye and not to sure"),
    ),
    (
        {"nodes": {"sure": {**NODES["sure"], "on_yes": "pay"}}},
        (3, "sure", "exit", "yes leads to pay and not to choose"),
    ),
    (
        {"nodes": {"sure": {**NODES["sure"], "establishes": ["known"]}}},
        (2, "sure", "fact", "sure does not establish certain"),
    ),
    (
        {"nodes": {"sure": {**NODES["sure"], "say": "Really?"}}},
        (2, "sure", "words", "say was 'Are you sure?' and is 'Really?'"),
    ),
    (
        {"nodes": {"paid": {**NODES["paid"], "outcome": "no_action"}}},
        (5, "pay", "outcome", "the outcome is no_action and not paid"),
    ),
    (
        {"nodes": {"pay": {**NODES["pay"], "tools": []}}},
        (4, "pay", "tool", "charge is not granted at pay"),
    ),
    (
        {"nodes": {"pay": {**NODES["pay"], "tools": [{"id": "charge", "if": "facts.absent"}]}}},
        (4, "pay", "tool", "charge is not offered: this must be true and is not: facts.absent"),
    ),
    (
        {
            "tools": {
                "charge": {
                    "parameters": {
                        "type": "object",
                        "properties": {"token": {"type": "string"}},
                        "required": ["token"],
                    }
                }
            }
        },
        (4, "pay", "arguments", "charge does not take this: 'token' is a required property"),
    ),
    (
        {"tools": {"look_up": {"establishes": {"known": "!result.found"}}}},
        (1, "hello", "fact", "look_up establishes known if !result.found, and not if result.found"),
    ),
    ({"start": "pay"}, (1, "hello", "exit", "the call begins at pay and not at hello")),
]


@pytest.mark.parametrize(("changes", "difference"), CASES)
async def test_each_difference_is_named_at_its_step(
    bench: Any, tmp_path: Path, changes: dict[str, Any], difference: tuple[int, str, str, str]
) -> None:
    call, release = await recorded(bench, tmp_path)
    if "facts.absent" in json.dumps(changes):
        release = replace(release, facts={"absent": {}})
    assert found(Walk(call, other(release, **changes), FREE, release)) == [difference]


async def test_a_node_that_is_gone_and_a_flow(bench: Any, tmp_path: Path) -> None:
    call, release = await recorded(bench, tmp_path)
    gone = {**edge("hello", 1, to="bye"), "sure": None}
    assert found(Walk(call, other(release, nodes=gone), FREE, release)) == [
        (2, "hello", "node", "main has no node sure any more"),
        (2, "sure", "fact", "sure does not establish certain"),
    ]
    empty = replace(release, tables={})
    assert {one[2] for one in found(Walk(call, empty, FREE, None))} == {"flow", "fact"}


async def test_a_guard_that_reads_what_the_record_hides_is_not_guessed(
    bench: Any, tmp_path: Path
) -> None:
    call, release = await recorded(bench, tmp_path)
    changed = other(release, nodes=edge("hello", 1, **{"if": 'slots.name == "Jane"'}))
    assert found(Walk(call, changed, FREE, release)) == [
        (
            2,
            "hello",
            "unclear",
            "the exit to sure has a guard that reads what the record does not show",
        ),
    ]


async def test_what_the_policy_needs_is_asked_of_what_was_known(bench: Any, tmp_path: Path) -> None:
    call, release = await recorded(bench, tmp_path)
    kept = Walk(call, release, needs("payment", "certain"), release)
    assert [one for one in found(kept) if one[2] == "fact"] == []
    tighter = Walk(call, release, needs("reads_pii", "certain"), release)
    assert (
        1,
        "hello",
        "fact",
        "the gate denies look_up: certain is not proven, and reads_pii needs it",
    ) in found(tighter)


async def test_several_calls_in_a_file(bench: Any, tmp_path: Path) -> None:
    await recorded(bench, tmp_path)
    path = tmp_path / "record.json"
    one = json.loads(path.read_text())
    lines = "\n".join(json.dumps({**one, "call_id": id}) for id in ("a", "b"))
    path.write_text(lines + "\n")
    assert read_record(path, "b").call_id == "b"
    with pytest.raises(FatalError, match="holds 2 calls: name one with --call: a, b"):
        read_record(path, None)
    with pytest.raises(FatalError, match="holds no call 'c'"):
        read_record(path, "c")


async def test_a_record_that_a_worker_kept(bench: Any, tmp_path: Path) -> None:
    call, release = await recorded(bench, tmp_path)
    log = call_log(tmp_path)
    log.append(json.loads((tmp_path / "record.json").read_text()))
    (segment,) = segment_paths(tmp_path / "calls")
    kept = read_record(segment, None)
    assert kept == call
    assert found(Walk(kept, release, FREE, release)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("{}", "is no record of a call"),
        ("[1]", "is no record of a call"),
        ("hello", "line 1: this is no JSON"),
        ('{"path": [], "pin": {}, "version": 7}', "a record of version 7"),
        ('{"path": [], "pin": {}, "version": 1}', "damaged: 'call_id' is a required property"),
    ],
)
def test_what_is_no_record(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    with pytest.raises(FatalError, match=said):
        read_record(path, None)


def test_a_record_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FatalError, match="cannot be read: No such file"):
        read_record(tmp_path / "none.json", None)


async def test_a_record_that_is_damaged_anywhere_is_one_sentence(
    bench: Any, tmp_path: Path
) -> None:
    """Whatever stands in a place of it: a difference, or a refusal; never a crash."""
    _, release = await recorded(bench, tmp_path)
    path = tmp_path / "record.json"
    whole = json.loads(path.read_text())
    refused = 0
    for place in places(whole):
        for value in (None, 7, "x", [], {"a": 1}, "•••"):
            path.write_text(json.dumps(put(whole, place, value)))
            try:
                call = read_record(path, None)
            except FatalError as problem:
                refused += 1
                assert str(problem).startswith(str(path))
                continue
            walked = Walk(call, other(release, nodes=edge("hello", 1, to="bye")), FREE, release)
            against = Against("v2", release, FREE, release)
            assert as_text(call, against, walked.differences()).startswith("call ")
    assert refused > 300


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document, but its top and what stands in a list a second time."""
    inner = value.items() if isinstance(value, dict) else ()
    inner = list(enumerate(value[:1])) if isinstance(value, list) else inner
    for key, each in inner:
        yield (*here, key)
        yield from places(each, (*here, key))


def put(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The document with another value in a place."""
    if not place:
        return value
    changed = document.copy()
    changed[place[0]] = put(document[place[0]], place[1:], value)
    return changed


async def test_a_last_line_that_is_cut_off_costs_no_other_call(bench: Any, tmp_path: Path) -> None:
    await recorded(bench, tmp_path)
    path = tmp_path / "record.json"
    one = path.read_text()
    path.write_text(f"{one}\n{one[:100]}")
    assert read_record(path, None).call_id == "call-1"
    path.write_text(f"{one[:100]}\n{one}\n")
    with pytest.raises(FatalError, match="line 1: this is no JSON"):
        read_record(path, None)
    path.write_text(one[:100])
    with pytest.raises(FatalError, match="line 1: this is no JSON"):
        read_record(path, None)


async def test_a_record_with_more_and_one_with_less_than_today_s(
    bench: Any, tmp_path: Path
) -> None:
    """Members that came later are no reason to refuse an older record."""
    call, release = await recorded(bench, tmp_path)
    path = tmp_path / "record.json"
    whole = json.loads(path.read_text())
    later = ("flow", "channel", "trace", "dial", "timings", "costs", "usage", "opt_out", "contact")
    old = {name: value for name, value in whole.items() if name not in (*later, "policy")}
    old["tools"] = [{k: v for k, v in each.items() if k != "ending"} for each in old["tools"]]
    path.write_text(json.dumps(old))
    assert found(Walk(read_record(path, None), release, FREE, release)) == []
    path.write_text(json.dumps({**whole, "new": 1, "tools": [{**whole["tools"][0], "new": 1}]}))
    assert read_record(path, None).path == call.path


async def test_a_call_that_entered_no_node(bench: Any, tmp_path: Path) -> None:
    """Nobody picked up; what ran after the call is looked at all the same."""
    after = [{"id": "look_up", "with": {"amount": "5.0"}}]
    b = bench(NODES, tools=TOOLS, script=SCRIPT, answered_by="busy", after_call=after, **MORE)
    await b.live.start()
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record_of(b.call)))
    call = read_record(path, None)
    assert (call.path, call.outcome, call.first_flow) == ((), "busy", "main")
    assert [tool.node for tool in call.tools] == ["after_call"]
    assert found(Walk(call, b.release, FREE, b.release)) == []
    none = other(b.release, after_call=[])
    differing = Walk(call, none, FREE, b.release).differences()
    assert [(one.node, one.kind) for one in differing] == [("after_call", "tool")]
    told = as_text(call, Against("v2", none, FREE, None), differing)
    assert "no node was entered (the call ended as busy)" in told
    gone = replace(b.release, tables={})
    assert [(one[2], one[3]) for one in found(Walk(call, gone, FREE, None))] == [
        ("flow", "acme v1 has no flow main")
    ]


async def test_a_transfer_that_failed_and_a_call_that_was_resumed(
    bench: Any, tmp_path: Path
) -> None:
    b = bench(NODES, tools=TOOLS, script=SCRIPT, **MORE)
    b.desk.answer = RuntimeError("the network")
    await b.live.start()
    again = bench(
        NODES, tools=TOOLS, state=CallState.from_json(b.state.to_json()), script=SCRIPT, **MORE
    )
    again.desk.answer = Taken(False)
    await again.live.start()
    await again.caller.presses("9")
    await again.live.ended.wait()
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record_of(again.call)))
    call = read_record(path, None)
    causes = [step.reason.cause for step in call.path]
    assert causes == ["start", "resume", "key", "on_failure"]
    assert found(Walk(call, again.release, FREE, again.release)) == []
    elsewhere = other(again.release, nodes={"human": {**NODES["human"], "on_failure": "pay"}})
    (difference,) = found(Walk(call, elsewhere, FREE, again.release))
    assert difference[:3] == (4, "human", "exit")


async def test_what_became_private_later_is_not_taken_for_its_mask(
    bench: Any, tmp_path: Path
) -> None:
    """A guard on a value that the record blacks out is unclear, and not closed."""
    _, release = await recorded(bench, tmp_path)
    path = tmp_path / "record.json"
    whole = json.loads(path.read_text())
    for step in whole["path"]:
        step["known"]["values"] = {
            name: "•••" if name == "slots.amount" else value
            for name, value in step["known"]["values"].items()
        }
    path.write_text(json.dumps(whole))
    kinds = {one[2] for one in found(Walk(read_record(path, None), release, FREE, release))}
    assert kinds <= {"unclear"}
