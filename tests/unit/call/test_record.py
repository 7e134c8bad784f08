"""What is kept of a call: timings and costs in its record, its trace, one chained line for each."""

import json
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from trunkline_runtime.call.checkpoint import Checkpoints
from trunkline_runtime.call.keeping import Keeping, call_log
from trunkline_runtime.call.record import record_of
from trunkline_runtime.call.state import CallState
from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.replay.recorded import read_record
from trunkline_runtime.replay.walk import Walk

NODES = {
    "greeting": {
        "instructions": "Ask for the name.",
        "collect": ["name"],
        "tools": [{"id": "charge"}],
        "edges": [{"to": "bye", "when": "Jane is done"}, {"to": "desk", "when": "a human"}],
    },
    "desk": {"instructions": "Help.", "edges": [{"to": "bye", "when": "done"}]},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}
SLOTS = {"slots": {"name": {"type": "string", "pii": True}}}
TOOLS = {
    "charge": {
        "parameters": {"type": "object", "properties": {"amount": {"type": "integer"}}},
        "cost": {"expression": "args.amount * 10000", "max": 50000, "currency": "USD"},
    }
}


async def a_call(
    bench: Any, provider: TracerProvider | None = None, tmp: Path | None = None
) -> Any:
    b = bench(NODES, tools=TOOLS, script=[{"say": "Who is there?"}], **SLOTS)
    if tmp is not None:
        b.keeping = Keeping(b.call, call_log(tmp), Checkpoints(tmp), provider)
        b.live._changed = b.keeping.changed
    await b.live.start()
    name = {"tool": "collect", "args": {"name": "Jane Doe"}}
    charge = {"tool": "charge", "args": {"amount": 3}}
    await b.turn("Jane Doe.", {"calls": [name, charge]}, {"say": "Thanks."})
    await b.turn("A human.", {"move_to": "desk"}, {"say": "Yes?"})
    await b.turn("Done.", {"move_to": "bye"})
    await b.live.ended.wait()
    return b


async def test_timings_costs_and_usage(bench: Any) -> None:
    b = await a_call(bench)
    record = record_of(b.call)
    swaps = record["timings"]["swaps"]
    assert [(swap["node"], swap["to"]) for swap in swaps] == [
        ("greeting", "desk"),
        ("desk", "bye"),
    ]
    assert all(0 < swap["seconds"] < 1 for swap in swaps)
    answers = record["timings"]["answers"]
    assert [answer["node"] for answer in answers] == ["greeting", "greeting", "desk"]
    assert all(0 < answer["seconds"] < 5 for answer in answers)
    (tool,) = record["tools"]
    assert (tool["ending"], tool["cost"]) == ("done", {"micros": 30000, "currency": "USD"})
    assert record["costs"] == {"USD": 30000}
    assert [used["type"] for used in record["usage"]] == ["llm_usage"]
    assert record["contact"] == "yes"


async def test_a_tool_that_certainly_did_nothing_costs_nothing(bench: Any, failed: Any) -> None:
    b = bench(NODES, tools=TOOLS, script=[{"say": "Who is there?"}], **SLOTS)
    b.runner.answers["charge"] = [failed("No.")]
    await b.live.start()
    charge = {"tool": "charge", "args": {"amount": 3}}
    await b.turn("Pay.", {"calls": [charge]}, {"say": "That did not work."})
    record = record_of(b.call)
    assert record["costs"] == ({"USD": 30000} if record["tools"][0]["ending"] == "unknown" else {})
    b.gate.deny.add("charge")
    await b.turn("Pay.", {"calls": [charge]}, {"say": "That did not work."})
    denied = record_of(b.call)["tools"][1]
    assert (denied["outcome"], denied["ending"], denied["cost"]) == ("denied", None, None)


async def test_a_trace_says_what_the_record_says_and_nothing_private(
    bench: Any, tmp_path: Path
) -> None:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    b = await a_call(bench, provider, tmp_path)
    record = b.keeping.complete()
    spans = kept.get_finished_spans()
    (whole,) = [span for span in spans if span.name == "call"]
    assert whole.parent is None
    assert all(span.parent == whole.context for span in spans if span is not whole)
    assert f"{whole.context.trace_id:032x}" == record["trace"]
    assert whole.attributes["trunkline.outcome"] == "no_action"
    visits = [span.attributes for span in spans if span.name == "node visit"]
    assert [visit["trunkline.node"] for visit in visits] == ["greeting", "desk", "bye"]
    assert [visit["trunkline.cause"] for visit in visits] == ["start", "model", "model"]
    (tool,) = [span.attributes for span in spans if span.name == "tool call"]
    assert tool["trunkline.decision"] == record["tools"][0]["decision"]
    assert len([span for span in spans if span.name == "swap"]) == 2
    for span in spans:
        assert span.attributes["trunkline.release"] == "v1"
        assert span.attributes["trunkline.digest"] == b.call.pin.digest
    everything = json.dumps([dict(span.attributes) for span in spans])
    assert "Jane" not in everything
    assert "0143" not in everything


async def test_one_chained_line_for_each_call_and_then_no_checkpoint(
    bench: Any, tmp_path: Path
) -> None:
    checkpoints = Checkpoints(tmp_path)
    for _ in range(2):
        b = await a_call(bench, None, tmp_path)
        saved = checkpoints.load("acme", "call-1")
        assert saved is not None
        assert saved.to_json() == b.state.to_json()
        b.keeping.complete()
        assert checkpoints.load("acme", "call-1") is None
    kept = list(records(tmp_path / "calls"))
    assert [line["outcome"] for line in kept] == ["no_action", "no_action"]
    assert verify(tmp_path / "calls").fault is None
    assert verify(tmp_path / "calls").lines == 2
    assert "Jane" not in (tmp_path / "calls" / "calls-00000001.jsonl").read_text()


async def test_a_checkpoint_is_its_owners_alone_and_old_ones_are_read(
    bench: Any, tmp_path: Path
) -> None:
    b = await a_call(bench, None, tmp_path)
    (path,) = (tmp_path / "running").glob("*.json")
    assert path.stat().st_mode & 0o777 == 0o600
    old = json.loads(path.read_text())
    for newer in ("channel", "dial", "trace", "contact", "opt_out", "answers", "swaps", "usage"):
        del old[newer]
    for tool in old["tools"]:
        del tool["ending"]
    assert CallState.from_json(old).path == b.state.path


async def test_a_disk_that_is_full_ends_no_call(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Checkpoints, "save", full)
    b = await a_call(bench, None, tmp_path)
    assert b.state.outcome == "no_action"


PRIVATE = "Jane Quimby"
TEXT = {"type": "string"}


async def test_what_is_private_is_on_record_nowhere(
    bench: Any, tmp_path: Path, failed: Any
) -> None:
    """In each place at once: slots, arguments and their names, results, faults, words, traces."""
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tools: dict[str, Any] = {
        "note": {"parameters": {"type": "object", "properties": {"text": TEXT, "more": {}}}},
        "fails": {"parameters": {"type": "object", "properties": {"text": TEXT}}},
        "bound": {"parameters": {"type": "object", "properties": {"who": TEXT, "to": TEXT}}},
        "strict": {},
    }
    bound = {"id": "bound", "with": {"who": "slots.name", "to": "slots.phone"}}
    nodes = {
        **NODES,
        "greeting": {
            "instructions": "Ask for the name of {{ slots.name }}.",
            "collect": ["name", "phone"],
            "tools": [{"id": "note"}, {"id": "fails"}, bound, {"id": "strict"}],
            "edges": [{"to": "desk", "when": f"{PRIVATE} agrees", "if": "slots.free != ''"}],
        },
    }
    slots = {"name": {"type": "string", "pii": True}, "phone": {"type": "phone"}, "free": TEXT}
    b = bench(nodes, tools=tools, script=[{"say": "Who is there?"}], slots=slots)
    b.keeping = Keeping(b.call, call_log(tmp_path), Checkpoints(tmp_path), provider)
    b.live._changed = b.keeping.changed
    b.runner.answers = {
        "note": [{"said": f"{PRIVATE}, +12025550143"}],
        "fails": [failed(f"{PRIVATE} at 12025550143 is not known", "error")],
    }
    await b.live.start()
    said = f"I am {PRIVATE}, +1 202 555 0143."
    more = {PRIVATE.upper(): 12025550143, "list": [PRIVATE, 2025550143.0]}
    await b.turn(
        said,
        {"calls": [{"tool": "note", "args": {"text": said, "more": more}}]},
        {"calls": [{"tool": "collect", "args": {"name": PRIVATE, "phone": "+12025550143"}}]},
        {
            "calls": [
                {"tool": "fails", "args": {"text": f"find {PRIVATE.lower()}"}},
                {"tool": "bound"},
                {"tool": "strict", "args": {PRIVATE: "+12025550143"}},
            ]
        },
        {"move_to": "desk"},
        {"say": f"Thank you, {PRIVATE}."},
    )
    await b.caller.hangs_up()
    outcomes = [(tool.tool, tool.outcome) for tool in b.state.tools]
    assert outcomes == [
        ("note", "done"),
        ("fails", "error"),
        ("bound", "done"),
        ("strict", "refused"),
    ]
    assert b.state.refusals, "a refusal is on record as well"
    record = json.dumps(b.keeping.complete(), ensure_ascii=False)
    spans = json.dumps([dict(span.attributes) for span in kept.get_finished_spans()])
    for hidden in ("quimby", "0143"):
        assert hidden not in record.lower()
        assert hidden not in spans.lower()
    assert hidden in json.dumps(b.state.to_json()), "it was there to be hidden"
    assert json.loads(record)["slots"]["name"]["value"] == "•••"


async def test_a_caller_who_is_called_as_a_node_is_hides_no_node(
    bench: Any, tmp_path: Path
) -> None:
    """Names of nodes, tools and causes are the flow's; a replay reads them."""
    b = bench(NODES, tools=TOOLS, script=[{"say": "Who is there?"}], **SLOTS)
    await b.live.start()
    for name in ("desk", "model", "2026", "greeting", "charge", "amount"):
        collect = {"tool": "collect", "args": {"name": name}}
        charge = {"tool": "charge", "args": {"amount": 3}}
        await b.turn(name, {"calls": [collect, charge]}, {"say": "Thanks."})
        b.state.private.add(name)
    await b.turn("A human.", {"move_to": "desk"}, {"say": "Yes?"})
    await b.turn("Done.", {"move_to": "bye"})
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record_of(b.call)))
    call = read_record(path, None)
    assert [step.node for step in call.path] == ["greeting", "desk", "bye"]
    assert [step.reason.cause for step in call.path] == ["start", "model", "model"]
    assert call.path[0].at.startswith("2026-12-01T")
    assert {(tool.tool, tool.node) for tool in call.tools} == {("charge", "greeting")}
    assert call.tools[0].args == {"amount": 3}
    assert Walk(call, b.release, POLICY, b.release).differences() == []


POLICY = PolicySnapshot(
    "sha256:3",
    2,
    {
        "requirements.yaml": {"schema_version": 1, "requirements": []},
        "obligations.yaml": {"schema_version": 1, "obligations": []},
    },
)
