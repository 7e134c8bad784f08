"""A ledger that is busy for long: a window that closes meanwhile is closed."""

import asyncio
import itertools
from datetime import UTC, datetime, timedelta

import pytest

from trunkline_runtime.gate.waited import Waited

NOON = datetime(2026, 12, 1, 17, tzinfo=UTC)
PARTY = "+12125550143"

CLOSES = NOON.replace(hour=21) + timedelta(hours=5)  # nine in the evening in New York


@pytest.mark.parametrize(("before", "allowed"), [(0.5, False), (1.5, True)])
async def test_the_instant_of_a_dial_is_that_of_its_turn(world, before, allowed) -> None:
    passed = 0.0
    world.seconds = lambda: passed
    asked = CLOSES - timedelta(seconds=before)
    at_once = world.dial(now=asked, party="+12125550144", subject="A-1002")
    assert (await world.gate.decide_dial(at_once)).allowed, "nobody was waited for"
    with world.ledger.transaction() as busy:
        busy.lock_number(PARTY)
        asking = asyncio.ensure_future(world.gate.decide_dial(world.dial(now=asked)))
        done, _ = await asyncio.wait({asking}, timeout=0.3)
        assert not done
        passed = 1.0
    decision = await asking
    assert decision.allowed is allowed
    assert [reason.kind for reason in decision.reasons] == ([] if allowed else ["window"])
    counted = world.sql(f"SELECT at FROM contacts WHERE number = '{PARTY}'")
    assert len(counted) == int(allowed)
    judged = world.records[-1]["at"]
    assert judged == (asked + timedelta(seconds=1)).isoformat().replace("+00:00", "Z")


def test_what_is_answered_at_once_is_answered_at_the_instant_asked_about() -> None:
    ticks = itertools.chain([5.0, 5.05], itertools.repeat(7.5))
    waited = Waited(lambda: next(ticks))
    assert waited.since(NOON) == NOON
    assert waited.since(NOON) == NOON + timedelta(seconds=2.5)
