"""When any part of the gate does not work, the answer is no; and it is given, not raised."""

import os

import pytest

from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.decision_log import DecisionLog
from trunkline_runtime.gate.ledger import Ledger, LedgerDown
from trunkline_runtime.gate.number_key import NumberKey
from trunkline_runtime.gate.request import OptOut

PARTY = "+12125550143"


def kinds(decision) -> list[str]:
    return [reason.kind for reason in decision.reasons]


async def both(world) -> list[list[str]]:
    return [
        kinds(await world.gate.decide(world.request("take_payment", attempt=os.urandom(4).hex()))),
        kinds(await world.gate.decide_dial(world.dial())),
    ]


@pytest.mark.parametrize("name", ["requirements", "obligations", "purposes", "spend"])
async def test_a_document_that_a_payment_needs_is_missing(world, name) -> None:
    world.change_policy(**{name: None})
    assert kinds(await world.gate.decide(world.request("take_payment"))) == ["unreadable"]
    world.change_policy(**{name: {"schema_version": 1}})
    assert kinds(await world.gate.decide(world.request("take_payment"))) == ["unreadable"]


@pytest.mark.parametrize("name", ["purposes", "dnc", "jurisdictions/us"])
async def test_a_document_that_a_dial_needs_is_missing(world, name) -> None:
    world.change_policy(**{name: None})
    assert "unreadable" in kinds(await world.gate.decide_dial(world.dial()))


async def test_there_is_no_policy_that_can_be_trusted(world) -> None:
    def broken(*_):
        raise FatalError("the policy does not verify")

    world.gate._standing._policy = broken
    assert await both(world) == [["unreadable"], ["unreadable"]]


async def test_there_are_no_settings_of_the_tenant(world) -> None:
    harbor = world.settings("harbor-medical")
    world.gate._standing._tenant = lambda tenant: harbor
    assert await both(world) == [["unreadable"], ["unreadable"]]


async def test_the_ledger_is_gone(world) -> None:
    world.sql("DROP TABLE kill_switches")
    assert await both(world) == [["unreadable"], ["unreadable"]]
    assert len(world.records) == 2


@pytest.mark.parametrize("world", ["sqlite"], indirect=True)
async def test_the_ledger_is_no_database(world) -> None:
    world.ledger.close()
    for path in world.state.glob("ledger.sqlite3*"):
        path.write_bytes(b"not a database, but long enough to be looked at as one" * 100)
    assert await both(world) == [["unreadable"], ["unreadable"]]
    with pytest.raises(LedgerDown):
        await world.gate.record_opt_out(OptOut("c", "northwind-energy", PARTY, world.dial().now))


def test_a_ledger_that_cannot_be_opened_stops_a_worker(tmp_path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LedgerDown):
        Ledger.at(tmp_path / "file" / "ledger.sqlite3")
    with pytest.raises(LedgerDown):
        Ledger(f"sqlite:///{tmp_path}/no/such/folder/ledger.sqlite3")


async def test_a_decision_that_cannot_be_recorded_is_a_denial_and_holds_nothing(world) -> None:
    def full(record):
        raise OSError(28, "No space left on device")

    world.log.append = full
    decision = await world.gate.decide(world.request("take_payment"))
    assert kinds(decision) == ["unreadable"]
    assert world.counted()["spend-per-call"] == (0, 0)
    assert not (await world.gate.decide_dial(world.dial())).allowed


async def test_a_file_that_was_altered_takes_no_further_line_and_stops_no_call(world) -> None:
    """Whoever can alter one line of the record must not be able to stop all calls with it."""
    assert (await world.gate.decide(world.request("take_payment"))).allowed
    (path,) = (world.state / "decisions").glob("*.jsonl")
    altered = path.read_bytes().replace(b'"allow"', b'"deny"')
    path.write_bytes(altered)
    world.gate._log = DecisionLog(world.state / "decisions")
    assert (await world.gate.decide(world.request("take_payment", attempt="2"))).allowed
    assert path.read_bytes() == altered
    assert [record["kind"] for record in world.records] == ["tool", "damage", "tool"]
    assert not world.verifies()


async def test_a_state_folder_that_is_not_writable_stops_a_worker(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("TRUNKLINE_NUMBER_KEY", raising=False)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(FatalError):
        NumberKey.of_environment(tmp_path / "file")


def test_a_key_that_protects_nothing_is_refused(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("TRUNKLINE_NUMBER_KEY", "short")
    with pytest.raises(FatalError, match="too short"):
        NumberKey.of_environment(tmp_path)
