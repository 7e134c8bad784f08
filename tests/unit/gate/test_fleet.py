"""What only a server can get wrong: several that write at the same time, and one that goes away."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from trunkline_runtime.gate.ledger import Ledger, LedgerDown

TENANT = "northwind-energy"


def kinds(decision) -> list[str]:
    return [reason.kind for reason in decision.reasons]


pytestmark = pytest.mark.parametrize("world", ["postgresql"], indirect=True)


async def test_a_hold_that_two_expire_at_once_counts_once(world) -> None:
    request = world.request("take_payment")
    assert (await world.gate.decide(request)).allowed
    later = request.now + timedelta(hours=1)
    both = threading.Barrier(2)

    def expire() -> int:
        with world.ledger.transaction() as transaction:
            both.wait(10)
            return transaction.expire(later, TENANT)

    with ThreadPoolExecutor(2) as pool:
        counts = [future.result(30) for future in [pool.submit(expire) for _ in range(2)]]
    assert sorted(counts) == [0, 1]
    assert world.counted()["spend-per-call"] == (300_000, 0)


async def test_one_attempt_that_two_claim_at_once_runs_once(world) -> None:
    tool = world.entry("take_payment")
    for number in range(10):
        request = world.request(tool, attempt=f"same-{number}", call_id=f"call-{number}")
        with ThreadPoolExecutor(4) as pool:
            decisions = list(pool.map(world.gate._decide, [request] * 4))
        assert sorted(map(kinds, decisions)) == [[], ["repeat"], ["repeat"], ["repeat"]]


async def test_those_who_settle_claim_and_expire_do_not_wait_for_each_other_forever(world) -> None:
    tool = world.entry("take_payment")

    def spend(name: int) -> list[list[str]]:
        answers = []
        for number in range(12):
            parts = {"call_id": f"call-{name}-{number}", "attempt": f"{name}-{number}"}
            # Every third is old: whoever comes next expires its hold.
            age = timedelta(hours=2 if number % 3 == 0 else 0)
            request = world.request(tool, **parts)
            request = world.request(tool, **parts, now=request.now - age)
            decision = world.gate._decide(request)
            answers.append(kinds(decision))
            world.gate._settle(decision, "done", 1_000)
        return answers

    with ThreadPoolExecutor(6) as pool:
        answered = [answers for each in pool.map(spend, range(6)) for answers in each]
    assert answered == [[]] * 72
    rows = world.sql("SELECT spent, reserved FROM buckets WHERE key LIKE 'spend-per-month%%'")
    assert [tuple(row) for row in rows] == [(72_000, 0)]


async def test_a_number_is_dialled_once_however_many_dial_it_at_once(world) -> None:
    """A cap of one contact counts what others who are deciding now are about to do."""
    world.documents["jurisdictions/us.yaml"]["frequency"] = [
        {
            "id": "one-a-day",
            "level": "mandatory",
            "max": 1,
            "days": 1,
            "per": ["number"],
            "source": "a test",
            "verified": "2026-11-01",
            "effective_from": "2020-01-01",
        }
    ]
    world.change_policy()
    dials = [world.dial(call_id=f"call-{number}") for number in range(6)]
    decisions = await asyncio.gather(*(world.gate.decide_dial(dial) for dial in dials))
    assert sorted(map(kinds, decisions)) == [[]] + [["frequency"]] * 5


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
async def test_the_url_may_be_written_as_everybody_writes_it(world, scheme) -> None:
    plain = world.url.replace("postgresql+psycopg", scheme)
    ledger = Ledger(plain)
    with ledger.transaction() as transaction:
        assert not transaction.opted_out("+12125550143", TENANT)
    ledger.close()


def test_a_server_that_is_not_there_stops_a_worker(world, tmp_path) -> None:
    with pytest.raises(LedgerDown) as told:
        Ledger(f"postgresql://postgres@/postgres?host={tmp_path}")
    assert str(tmp_path) not in str(told.value)


async def test_a_server_that_goes_away_denies_and_is_found_again(world) -> None:
    request = world.request("take_payment")
    decision = await world.gate.decide(request)
    world.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    # The pool looks before it hands out a connection: one that was cut is made anew.
    await world.gate.settle(decision, "done", 1_000)
    assert world.counted()["spend-per-call"] == (1_000, 0)
    world.sql("ALTER TABLE kill_switches RENAME TO away")
    assert kinds(await world.gate.decide(world.request("take_payment", attempt="2"))) == [
        "unreadable"
    ]
    world.sql("ALTER TABLE away RENAME TO kill_switches")
    assert (await world.gate.decide(world.request("take_payment", attempt="3"))).allowed
