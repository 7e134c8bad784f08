"""What the ledger does not take: the record says so, it waits on disk, it is put there later."""

from pathlib import Path
from typing import Any

from trunkline_runtime.call.record import record_of
from trunkline_runtime.gate.ledger import LedgerDown
from trunkline_runtime.gate.pending import PendingGate

NODES = {
    "greeting": {
        "instructions": "Ask.",
        "edges": [{"to": "off", "when": "no more calls"}, {"to": "bye", "when": "done"}],
    },
    "off": {"kind": "end", "say": "You are off our list.", "outcome": "opt_out"},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}


class Down:
    """A gate whose ledger is down until it is `up`."""

    def __init__(self, gate: Any) -> None:
        self.gate = gate
        self.up = False

    async def record_opt_out(self, opt_out: Any) -> None:
        await self._put(self.gate.opt_outs, opt_out)

    async def record_contact(self, contact: Any) -> None:
        await self._put(self.gate.contacts, contact)

    async def _put(self, kept: list[Any], what: Any) -> None:
        if not self.up:
            raise LedgerDown("the ledger does not answer")
        kept.append(what)


def with_ledger_down(bench: Any, state: Path) -> tuple[Any, Down, PendingGate]:
    b = bench(NODES, script=[{"say": "Is now a good time?"}])
    down = Down(b.gate)
    pending = PendingGate(down, state)  # type: ignore[arg-type]
    b.gate.record_opt_out = pending.record_opt_out
    b.gate.record_contact = pending.record_contact
    return b, down, pending


async def test_a_contact_waits_and_is_delivered(bench: Any, tmp_path: Path) -> None:
    b, down, pending = with_ledger_down(bench, tmp_path)
    await b.live.start()
    await b.turn("No.", {"move_to": "bye"})
    assert record_of(b.call)["contact"] == "pending"
    (file,) = (tmp_path / "pending").glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    assert await pending.deliver() == 1  # it is still down
    down.up = True
    assert await pending.deliver() == 0
    (contact,) = b.gate.contacts
    assert (contact.call_id, contact.kind) == ("call-1", "conversation")
    assert contact.now.isoformat() == "2026-12-01T15:00:00+00:00"
    assert await pending.deliver() == 0
    assert len(b.gate.contacts) == 1


async def test_an_opt_out_waits_and_nobody_is_told_that_it_was_done(
    bench: Any, tmp_path: Path
) -> None:
    b, down, pending = with_ledger_down(bench, tmp_path)
    await b.live.start()
    await b.turn("Take me off.", {"move_to": "off"})
    record = record_of(b.call)
    assert "You are off our list." not in b.said()
    assert (record["opt_out"], record["outcome"]) == ("pending", "failed")
    down.up = True
    assert await pending.deliver() == 0
    assert [(one.scope, one.source) for one in b.gate.opt_outs] == [("tenant", "call")]


async def test_what_cannot_even_wait_is_on_record_as_lost(bench: Any, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    b, _, _ = with_ledger_down(bench, tmp_path / "state")
    await b.live.start()
    await b.turn("No.", {"move_to": "bye"})
    assert record_of(b.call)["contact"] == "no"
