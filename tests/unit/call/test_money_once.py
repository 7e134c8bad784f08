"""Money moves once: the real gate and its ledger, the real client, and a back end that fails.

The back end counts what it was asked for. However it fails, and whoever asks again (the model, on
this node or another, the next process of a call that was killed), it is asked once.
"""

import asyncio
import http.server
import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.call.checkpoint import Checkpoints
from trunkline_runtime.call.keeping import Keeping, call_log
from trunkline_runtime.call.record import record_of
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.checked import Place
from trunkline_runtime.tools.http import HttpRunner

RULE = {
    "level": "mandatory",
    "source": "a test",
    "verified": "2026-11-29",
    "effective_from": "2026-01-01",
}
POLICY: dict[str, Any] = {
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
                "limit": {"micros": 5_000_000, "currency": "USD"},
            }
        ],
    },
}
AMOUNT = {
    "type": "object",
    "required": ["amount"],
    "additionalProperties": False,
    "properties": {"amount": {"type": "number"}},
}
TOOLS: dict[str, Any] = {
    "charge": {
        "parameters": AMOUNT,
        "cost": {"micros": 1000, "currency": "USD"},
        "timeout_seconds": 0.4,
        "idempotent": False,
        "retries": 3,
        "run": {"http": {"method": "POST", "path": "/charges", "json": {"amount": "args.amount"}}},
    },
    "ponder": {
        "cost": {"micros": 7, "currency": "USD"},
        "run": {"subagent": {"instructions": "Think."}},
    },
}
NODES: dict[str, Any] = {
    "pay": {
        "instructions": "Pay.",
        "tools": [{"id": "charge", "max_calls": 9}],
        "edges": [{"to": "again", "when": "they go on"}, {"to": "bye", "when": "done"}],
    },
    "again": {
        "instructions": "Pay, once more.",
        "tools": [{"id": "charge", "max_calls": 9}],
        "edges": [{"to": "bye", "when": "done"}],
    },
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}
PAY = {"calls": [{"tool": "charge", "args": {"amount": 5}}]}
SORRY = {"say": "Sorry."}
NOT_AGAIN = "do not try it again"


class Bank:
    """A back end that takes every charge, and then answers as `ways` say; the last way stays."""

    def __init__(self) -> None:
        self.ways = ["ok"]
        self.charges: list[tuple[float, str]] = []
        self.released = threading.Event()
        bank = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                way = bank.ways.pop(0) if len(bank.ways) > 1 else bank.ways[0]
                if way not in ("429", "403"):
                    amount = json.loads(body)["amount"]
                    bank.charges.append((amount, self.headers["Idempotency-Key"]))
                bank.answer(self, way)

            def log_message(self, *_: Any) -> None: ...

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=[0.01], daemon=True).start()

    def answer(self, to: http.server.BaseHTTPRequestHandler, way: str) -> None:
        if way == "hangs":
            self.released.wait(5)
            return
        if way == "closes":
            to.close_connection = True
            to.connection.close()
            return
        body, kind = b'{"status": "succeeded"}', "application/json"
        if way == "html":
            kind = "text/html"
        elif way == "misfit":
            body = b'["succeeded"]'
        elif way == "halves":
            to.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
            to.wfile.write(b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"sta\r\n')
            to.close_connection = True
            return
        to.send_response(int(way) if way.isdigit() else 200)
        if way == "303":
            to.send_header("Location", "/charges/1")
        if way == "429":
            to.send_header("Retry-After", "0")
        to.send_header("Content-Type", kind)
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        to.wfile.write(body)

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def bank() -> Iterator[Bank]:
    bank = Bank()
    yield bank
    bank.close()


@pytest.fixture
def made(bench: Any, bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a call behind the real gate; every call of a test has the same ledger."""
    for name in ("TRUNKLINE_LEDGER_URL", "TRUNKLINE_NUMBER_KEY", "TRUNKLINE_RECORD_COPY"):
        monkeypatch.delenv(name, raising=False)

    def make(script: list[Any] | None = None, **more: Any) -> Any:
        connections = {"billing": {"base_url_env": "ACME_BILLING_URL"}}
        b = bench(NODES, tools=TOOLS, script=script, connections=connections, **more)
        settings = b.release.settings
        gate = PolicyGate.open(
            lambda: PolicySnapshot("sha256:p", 1, POLICY), lambda _: settings, tmp_path
        )
        b.gate.decide, b.gate.settle = gate.decide, gate.settle
        b.runners["http"] = HttpRunner({"ACME_BILLING_URL": bank.url})
        b.keeping = Keeping(b.call, call_log(tmp_path), Checkpoints(tmp_path))
        b.live._changed = b.keeping.changed
        return b

    return make


async def begun(made: Any) -> Any:
    b = made([{"say": "Hello."}])
    await b.live.start()
    return b


@pytest.mark.parametrize(
    "way", ["hangs", "closes", "halves", "html", "misfit", "500", "503", "303"]
)
async def test_what_may_have_happened_is_asked_for_once_wherever_it_is_asked_again(
    made: Any, bank: Bank, way: str
) -> None:
    bank.ways = [way]
    b = await begun(made)
    await b.turn("Pay.", PAY, SORRY)
    assert NOT_AGAIN in b.outputs("charge")[0].output, "the model is told not to"
    assert b.state.tools[0].ending == "unknown"
    await b.turn("Again!", PAY, PAY, SORRY)
    await b.turn("Go on.", {"move_to": "again"}, {"say": "Well?"})
    await b.turn("Pay, I said.", PAY, SORRY)
    assert [tool.outcome for tool in b.state.tools[1:]] == ["denied"] * 3
    assert len(bank.charges) == 1, "and it does not help to ask"
    assert record_of(b.call)["costs"] == {"USD": 1000}, "it counts as if it had been done"


async def test_another_wish_is_another_charge_and_the_same_one_after_it_was_done_too(
    made: Any, bank: Bank
) -> None:
    b = await begun(made)
    await b.turn("Pay.", PAY, {"say": "Paid."})
    await b.turn("And six.", {"calls": [{"tool": "charge", "args": {"amount": 6}}]}, SORRY)
    await b.turn("And five once more.", PAY, {"say": "Paid."})
    assert [amount for amount, _ in bank.charges] == [5, 6, 5]
    assert len({key for _, key in bank.charges}) == 3


@pytest.mark.parametrize("way", ["429", "403"])
async def test_what_was_refused_outright_may_be_asked_for_again_under_the_same_key(
    made: Any, bank: Bank, way: str
) -> None:
    bank.ways = [way, "ok"]
    b = await begun(made)
    await b.turn("Pay.", PAY, SORRY)
    assert NOT_AGAIN not in b.outputs("charge")[0].output
    assert bank.charges == [], "a tool that is not idempotent is not tried again by itself"
    assert record_of(b.call)["costs"] == {}
    await b.turn("Again!", PAY, {"say": "Paid."})
    assert [tool.outcome for tool in b.state.tools] == ["error", "done"]
    assert len({tool.attempt for tool in b.state.tools}) == 1
    assert len(bank.charges) == 1


async def test_a_bank_that_is_down_was_asked_for_nothing(made: Any, bank: Bank) -> None:
    b = await begun(made)
    there, b.runners["http"]._environment = (
        b.runners["http"]._environment,
        {"ACME_BILLING_URL": "http://127.0.0.1:1"},
    )
    await b.turn("Pay.", PAY, SORRY)
    assert b.outputs("charge")[0].output == "The billing system cannot be reached."
    b.runners["http"]._environment = there
    await b.turn("Again!", PAY, {"say": "Paid."})
    assert len(bank.charges) == 1


async def test_two_at_once_are_one(made: Any, bank: Bank) -> None:
    b = await begun(made)
    await b.turn("Pay.", {"calls": [*PAY["calls"], *PAY["calls"]]}, SORRY)
    assert sorted(tool.outcome for tool in b.state.tools) == ["denied", "done"]
    assert len(bank.charges) == 1


async def test_a_thought_that_came_to_nothing_may_be_begun_again_and_has_its_price(
    made: Any, failed: Any
) -> None:
    b = await begun(made)
    b.runners["subagent"] = b.runner
    place = Place("pay", None, frozenset({"ponder"}))

    async def thinks() -> str:
        use = ToolUse("ponder", {}, {}, max_calls=9)
        report = await b.live.dispatcher.run(use, {}, place, background=True)
        return str(report.outcome)

    b.runner.answers["ponder"] = [failed("No answer was found.")]
    assert await thinks() == "error"
    b.hold("ponder", {})
    stopped = asyncio.ensure_future(thinks())
    await b.until(lambda: len(b.runner.ran) == 2)
    assert b.live.dispatcher.stop("ponder")
    assert await stopped == "error"
    b.runner.answers["ponder"] = [{}]
    assert await thinks() == "done"
    assert record_of(b.call)["costs"] == {"USD": 21}
    assert len({tool.attempt for tool in b.state.tools}) == 3


def killed(made: Any, bank: Bank, way: str) -> int:
    """Holds a call in a process of its own, which is killed once the bank has the charge."""
    bank.ways = [way]
    pid = os.fork()
    if pid == 0:

        async def hold() -> None:
            b = await begun(made)
            if way == "ok":
                # killed before it can remember that the tool has ended
                b.live._changed = lambda: None
                b.live.dispatcher.changed = b.keeping.changed
            await b.turn("Pay.", PAY, SORRY)
            await asyncio.sleep(30)

        try:
            asyncio.run(hold())
        finally:
            os._exit(1)
    for _ in range(400):
        if bank.charges:
            break
        threading.Event().wait(0.01)
    threading.Event().wait(0.15)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


@pytest.mark.parametrize("way", ["hangs", "ok"])
def test_the_next_process_of_a_call_that_was_killed_does_not_ask_again(
    made: Any, bank: Bank, tmp_path: Path, way: str
) -> None:
    assert killed(made, bank, way) == signal.SIGKILL
    assert len(bank.charges) == 1
    bank.ways = ["ok"]
    load: Any = Checkpoints(tmp_path).load
    saved = load("acme", "call-1")
    assert [(tool.tool, tool.outcome) for tool in saved.tools] == [("charge", "running")]

    async def goes_on() -> None:
        b = made([{"say": "We were cut off."}], state=saved)
        await b.live.start()
        await b.turn("Pay.", PAY, SORRY)
        await b.turn("Go on.", {"move_to": "again"}, {"say": "Well?"})
        await b.turn("Pay!", PAY, SORRY)
        assert [tool.outcome for tool in b.state.tools] == ["error", "denied", "denied"]
        await b.caller.hangs_up()
        record = b.keeping.complete()
        assert [tool["tool"] for tool in record["tools"]] == ["charge"] * 3

    asyncio.run(goes_on())
    assert len(bank.charges) == 1
