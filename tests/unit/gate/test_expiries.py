"""Holds that ran out: the record says so, and record and ledger tell the same sums."""

import random
from datetime import timedelta
from unittest.mock import patch

from trunkline_runtime.gate.ledger import LedgerDown
from trunkline_runtime.gate.search import Wanted, found, with_settlements

HOUR = timedelta(hours=1)
TENANT = "northwind-energy"


def of_kind(world, kind: str) -> list[dict]:
    return [dict(record) for record in world.records if record["kind"] == kind]


def owed(world) -> int:
    with world.ledger.asking() as transaction:
        return len(transaction.owed())


async def test_a_hold_that_ran_out_is_a_line_of_the_record(world) -> None:
    request = world.request("take_payment")
    decision = await world.gate.decide(request)
    later = world.request("take_payment", attempt="2", call_id="call-2", now=request.now + HOUR)
    assert (await world.gate.decide(later)).allowed
    (line,) = of_kind(world, "expired")
    assert line["decision"] == decision.id
    assert line["cost"] == {"micros": 300_000, "currency": "USD"}
    assert (line["call"], line["tenant"], line["tool"]) == ("call-1", TENANT, "take_payment")
    assert line["at"] == "2026-12-01T18:00:00Z"
    assert owed(world) == 0
    assert world.verifies()
    folder = world.state / "decisions"
    # Whoever asks for the decision, the call or the export of it is told.
    for wanted in (Wanted(decision=decision.id), Wanted(call="call-1")):
        assert [record["kind"] for record in found(folder, wanted)] == ["tool", "expired"]
    chosen = list(found(folder, Wanted(call="call-1", answer="allow")))
    assert [record["kind"] for record in with_settlements(folder, chosen)] == ["tool", "expired"]


async def test_those_that_ran_out_while_nobody_was_here_are_told_at_the_opening(world) -> None:
    old = world.request("take_payment").now - timedelta(days=30)
    for number in range(3):
        request = world.request("take_payment", attempt=f"{number}", call_id=f"{number}", now=old)
        assert (await world.gate.decide(request)).allowed
    assert world.gate.expire_holds() == 3
    assert world.gate.expire_holds() == 0
    assert len(of_kind(world, "expired")) == 3
    assert owed(world) == 0


async def test_a_line_that_could_not_be_written_stays_owed(world) -> None:
    """The process dies, or the disk is full, between the ledger and the record."""
    request = world.request("take_payment")
    await world.gate.decide(request)
    with world.ledger.transaction() as transaction:
        assert transaction.expire(request.now + HOUR, TENANT) == 1
    assert of_kind(world, "expired") == []
    with patch.object(world.log, "append", side_effect=OSError(28, "No space left")):
        world.gate.expire_holds()
    assert owed(world) == 1
    world.gate.expire_holds()
    assert len(of_kind(world, "expired")) == 1
    assert owed(world) == 0


async def test_a_line_whose_debt_could_not_be_struck_comes_twice_and_never_not(world) -> None:
    request = world.request("take_payment")
    await world.gate.decide(request)
    with world.ledger.transaction() as transaction:
        transaction.expire(request.now + HOUR, TENANT)
    with patch("trunkline_runtime.gate.ledger.ledger.paid", side_effect=LedgerDown("gone")):
        world.gate.expire_holds()
    world.gate.expire_holds()
    first, second = of_kind(world, "expired")
    assert first["decision"] == second["decision"]
    assert owed(world) == 0


async def test_a_denied_claim_expires_nothing_and_says_nothing(world) -> None:
    """What a cap refuses is rolled back as a whole, the expiry of others included."""
    request = world.request("take_payment")
    for count in range(6):
        assert (await world.gate.decide(world.request("take_payment", attempt=f"{count}"))).allowed
    denied = world.request("take_payment", attempt="7", now=request.now + HOUR)
    assert not (await world.gate.decide(denied)).allowed
    assert world.counted()["spend-per-call"] == (0, 1_800_000)
    assert of_kind(world, "expired") == []
    assert owed(world) == 0


async def test_the_record_alone_gives_the_sums_of_the_ledger(world) -> None:
    """Any mixture of endings, late ones and none: what the lines say adds up to what counts."""
    dice = random.Random(9)
    tool = world.entry("take_payment")
    start = world.request(tool).now
    open_ones = []
    for number in range(40):
        now = start + number * timedelta(minutes=dice.choice((1, 1, 30)))
        request = world.request(tool, attempt=f"{number}", call_id=f"call-{number}", now=now)
        decision = await world.gate.decide(request)
        assert decision.allowed
        open_ones.append(decision)
        if dice.random() < 0.6:
            chosen = open_ones.pop(dice.randrange(len(open_ones)))
            ending = dice.choice(("done", "failed", "unknown", "done"))
            await world.gate.settle(chosen, ending, dice.randrange(1, 300_000))
    held, spent = {}, {}
    for record in world.records:
        if record["kind"] == "tool":
            held[record["id"]] = record["cost"]["micros"]
        elif record["kind"] == "expired":
            held.pop(record["decision"], None)
            spent[record["decision"]] = record["cost"]["micros"]
        elif record["kind"] == "settled" and record["counted"] and record["ending"] != "unknown":
            held.pop(record["decision"], None)
            done = record["ending"] == "done"
            spent[record["decision"]] = record["micros"] if done else 0
    assert of_kind(world, "expired")
    assert world.counted()["spend-per-month"] == (sum(spent.values()), sum(held.values()))
