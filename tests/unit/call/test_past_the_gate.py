"""Ways past the gate that a flow or a model could try in a running call, before the real gate.

What the checks say of such flows is in tests/acceptance/policy/test_attempts.py, and what the gate
says of crafted requests in tests/unit/gate/test_determined_author.py. Here nobody asked a check:
the release was made by hand, and the call runs as it is written.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.tools.runner import ToolFailed

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
CHARGE = {
    "parameters": {
        "type": "object",
        "required": ["amount"],
        "additionalProperties": False,
        "properties": {"amount": {"type": "number"}},
    },
    "effects": ["writes"],
    "cost": {"micros": 300_000, "currency": "USD"},
    "timeout_seconds": 5,
    "idempotent": False,
}
CHECK = {
    "result": {"type": "object", "properties": {"ok": {"type": "boolean"}}},
    "establishes": {"verified": "result.ok"},
}
TOOLS: dict[str, Any] = {"charge": CHARGE, "check": CHECK}
RULE = {
    "level": "mandatory",
    "source": "a test",
    "verified": "2026-11-29",
    "effective_from": "2026-01-01",
}
POLICY: dict[str, Any] = {
    "requirements.yaml": {
        "schema_version": 1,
        "requirements": [
            {**RULE, "id": "verify-before-writes", "effect": "writes", "facts": ["verified"]}
        ],
    },
    "purposes.yaml": {
        "schema_version": 1,
        "purposes": {"collections": {**RULE, "description": "Reminders.", "direction": "outbound"}},
        "grants": {"acme": ["collections"]},
    },
    "spend.yaml": {
        "schema_version": 1,
        "caps": [
            {
                **RULE,
                "id": "spend-per-call",
                "per": "call",
                "limit": {"micros": 500_000, "currency": "USD"},
            }
        ],
    },
}
PAY = {"tool": "charge", "args": {"amount": 5}}


@pytest.fixture
def started(bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Begins a call on these nodes behind a gate that reads POLICY and keeps its record below."""
    for name in ("TRUNKLINE_LEDGER_URL", "TRUNKLINE_NUMBER_KEY", "TRUNKLINE_RECORD_COPY"):
        monkeypatch.delenv(name, raising=False)

    async def begin(nodes: dict[str, Any], tools: dict[str, Any] | None = None, **more: Any) -> Any:
        b = bench(nodes, tools=tools or TOOLS, script=[{"say": "Hello."}], **more)
        settings = b.release.settings
        gate = PolicyGate.open(
            lambda: PolicySnapshot("sha256:p", 1, POLICY), lambda _: settings, tmp_path
        )
        # A policy that begins before the clock of the call says it is.
        assert b.clock.now() > datetime(2026, 1, 1, tzinfo=UTC)
        monkeypatch.setattr(b.gate, "decide", gate.decide)
        monkeypatch.setattr(b.gate, "settle", gate.settle)
        b.runner.answers["check"] = [{"ok": True}]
        await b.live.start()
        return b

    return begin


@pytest.fixture
def decided(tmp_path: Path) -> Any:
    """What the record says of the charges: allowed, or the kinds of the reasons against it."""

    def found() -> list[Any]:
        assert verify(tmp_path / "decisions").fault is None
        return [
            [reason["kind"] for reason in record["reasons"]] or "allowed"
            for record in records(tmp_path / "decisions")
            if record["kind"] == "tool" and record["tool"] == "charge"
        ]

    return found


def nodes(*, pay: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "greeting": {
            "instructions": "Greet.",
            "tools": [{"id": "check"}],
            "edges": [
                {"to": "pay", "when": "they pay", "requires": ["verified"]},
                {"to": "bye", "when": "done"},
            ],
        },
        "pay": {
            "instructions": "Pay.",
            "tools": [{"id": "charge"}],
            "edges": [{"to": "bye", "when": "done"}],
            **(pay or {}),
        },
        "bye": BYE,
        **more,
    }


def charged(b: Any) -> int:
    return sum(tool == "charge" for tool, _ in b.runner.ran)


async def test_as_it_is_meant_it_runs_once_the_fact_is_proven(started: Any, decided: Any) -> None:
    b = await started(nodes())
    await b.turn("Me.", {"calls": [{"tool": "check"}]}, {"move_to": "pay"}, {"say": "How much?"})
    await b.turn("Five.", {"calls": [PAY]}, {"say": "Thanks."})
    assert (charged(b), decided()) == (1, ["allowed"])


async def test_a_retargeted_edge(started: Any, decided: Any) -> None:
    flow = nodes()
    flow["greeting"]["edges"][0] = {"to": "pay", "when": "they pay"}
    b = await started(flow)
    await b.turn("Pay.", {"move_to": "pay"}, {"calls": [PAY]}, {"say": "Sorry."})
    assert b.nodes[-1] == "pay"
    assert (charged(b), decided()) == (0, [["fact"]])


async def test_an_exit_from_anywhere(started: Any, decided: Any) -> None:
    b = await started(nodes(), anywhere=[{"to": "pay", "when": "they are in a hurry"}])
    await b.turn("Pay.", {"move_to": "pay"}, {"calls": [PAY]}, {"say": "Sorry."})
    assert b.nodes[-1] == "pay"
    assert (charged(b), decided()) == (0, [["fact"]])


async def test_a_sub_flow_inlined_under_any_name(started: Any, decided: Any) -> None:
    flow = nodes(**{"settle/charge": {**nodes()["pay"]}})
    flow["greeting"]["edges"][0] = {"to": "settle/charge", "when": "they pay"}
    b = await started(flow)
    await b.turn("Pay.", {"move_to": "settle/charge"}, {"calls": [PAY]}, {"say": "Sorry."})
    assert (charged(b), decided()) == (0, [["fact"]])


async def test_a_python_tool(started: Any, decided: Any) -> None:
    tools = {**TOOLS, "charge": {**CHARGE, "run": {"python": "quick:charge"}}}
    flow = nodes()
    flow["greeting"]["edges"][0] = {"to": "pay", "when": "they pay"}
    b = await started(flow, tools)
    b.runners["python"] = b.runner
    await b.turn("Pay.", {"move_to": "pay"}, {"calls": [PAY]}, {"say": "Sorry."})
    assert (charged(b), decided()) == (0, [["fact"]])


async def test_a_tool_that_only_another_node_was_granted(started: Any, decided: Any) -> None:
    b = await started(nodes())
    await b.turn("Pay.", {"calls": [{"tool": "check"}, PAY]}, {"say": "Sorry."})
    assert charged(b) == 0
    assert "allowed" not in decided()


async def test_the_proof_and_what_needs_it_in_one_batch(started: Any, decided: Any) -> None:
    """The fact is established when the batch has settled, and not while it runs."""
    flow = nodes(pay={"tools": [{"id": "check"}, {"id": "charge"}]})
    flow["greeting"]["edges"][0] = {"to": "pay", "when": "they pay"}
    b = await started(flow)
    await b.turn("Pay.", {"move_to": "pay"}, {"say": "How much?"})
    await b.turn("Five.", {"calls": [{"tool": "check"}, PAY]}, {"say": "Sorry."})
    assert (charged(b), decided()) == (0, [["fact"]])


async def test_two_calls_in_one_batch(started: Any, decided: Any) -> None:
    b = await started(nodes())
    await b.turn("Me.", {"calls": [{"tool": "check"}]}, {"move_to": "pay"}, {"say": "How much?"})
    await b.turn("Five.", {"calls": [PAY, PAY]}, {"say": "Thanks."})
    assert charged(b) == 1
    assert sorted(map(str, decided())) == ["['repeat']", "allowed"]


async def test_two_wishes_in_one_batch_against_one_cap(started: Any, decided: Any) -> None:
    b = await started(nodes())
    await b.turn("Me.", {"calls": [{"tool": "check"}]}, {"move_to": "pay"}, {"say": "How much?"})
    other = {"tool": "charge", "args": {"amount": 6}}
    await b.turn("Both.", {"calls": [PAY, other]}, {"say": "Thanks."})
    assert charged(b) == 1
    assert sorted(map(str, decided())) == ["['spend']", "allowed"]


async def test_a_tool_retried_after_a_timeout(started: Any, decided: Any) -> None:
    b = await started(nodes())
    await b.turn("Me.", {"calls": [{"tool": "check"}]}, {"move_to": "pay"}, {"say": "How much?"})
    b.runner.answers["charge"] = [ToolFailed("It took too long.", "timeout"), {}]
    await b.turn("Five.", {"calls": [PAY]}, {"calls": [PAY]}, {"say": "Sorry."})
    assert charged(b) == 1
    assert decided() == ["allowed", ["repeat"]]
