"""What changes while calls run: a kill switch, a slow writer, a ledger that is gone."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.ledger import Ledger
from trunkline_runtime.gate.ledger.switches import KillSwitch

PARTY = "+12125550143"


def kinds(decision) -> list[str]:
    return [reason.kind for reason in decision.reasons]


async def ran(*words: str) -> str:
    """What a command of the runtime says, as a process of its own."""
    command = Path(sys.executable).with_name("trunkline-runtime")
    done = await asyncio.to_thread(
        subprocess.run, [command, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


async def test_a_switch_that_another_process_throws_counts_within_a_second(
    world, monkeypatch
) -> None:
    """Thrown as an operator throws it, while decisions are being made all the time."""
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(world.state))
    monkeypatch.setenv(
        "TRUNKLINE_LEDGER_URL", world.url or f"sqlite:///{world.state}/ledger.sqlite3"
    )
    tool = world.entry("get_invoice", cost=None)
    words = ("kill", "on", "--tenant", "northwind-energy", "--tool", "get_invoice")
    thrown = asyncio.create_task(ran(*words, "--reason", "a fault"))
    allowed_last = denied_first = 0.0
    until = time.monotonic() + 60
    while not denied_first and time.monotonic() < until:
        decision = await world.gate.decide(world.request(tool))
        if decision.allowed:
            allowed_last = time.monotonic()
        else:
            denied_first = time.monotonic()
            assert kinds(decision) == ["kill_switch"]
    id = await thrown
    assert allowed_last
    assert denied_first - allowed_last < 1.0
    # Once the command has returned, not one more decision is let through.
    assert not (await world.gate.decide(world.request(tool))).allowed
    assert [record["switch"] for record in world.records if record["kind"] == "kill_switch"] == [id]
    assert await ran("kill", "off", id) == f"{id} is off"
    assert (await world.gate.decide(world.request(tool))).allowed
    assert world.verifies()


@pytest.mark.parametrize("order", ["thrown before", "thrown between"])
async def test_the_switch_is_looked_at_last_of_all_before_the_claim(world, order) -> None:
    """One that is thrown while the policy is being asked still stops the tool."""
    request = world.request("take_payment")
    switch = KillSwitch("one", None, None, None, "a fault", "somebody", request.now)

    def throw() -> None:
        with world.ledger.transaction() as transaction:
            transaction.turn_on(switch)

    if order == "thrown before":
        throw()
    else:
        of = world.gate._standing.of

        def thrown_meanwhile(tenant):
            throw()
            return of(tenant)

        world.gate._standing.of = thrown_meanwhile
    assert kinds(await world.gate.decide(request)) == ["kill_switch"]
    assert world.counted() == {}


async def test_a_tool_that_takes_nothing_waits_for_no_writer(world) -> None:
    tool = world.entry("get_invoice", cost=None)
    assert tool.idempotent
    with world.ledger.transaction() as transaction:
        transaction.add_opt_out(world.opt_out(PARTY))
        decision = await asyncio.wait_for(world.gate.decide(world.request(tool)), 4)
    assert decision.allowed


async def test_a_ledger_that_is_gone_denies_new_spend_and_lets_a_tool_that_runs_end(world) -> None:
    running = await world.gate.decide(world.request("take_payment"))
    assert running.allowed
    world.sql("ALTER TABLE attempts RENAME TO away")
    denied = await world.gate.decide(world.request("take_payment", attempt="2"))
    assert kinds(denied) == ["unreadable"]
    # Nothing is raised into the call; the hold stays, and counts the worst case.
    await world.gate.settle(running, "done", 100_000)
    world.sql("ALTER TABLE away RENAME TO attempts")
    assert world.counted()["spend-per-call"] == (0, 300_000)
    with world.ledger.transaction() as transaction:
        later = transaction.expire(world.request("take_payment").now, "northwind-energy")
    assert later == 0
    assert world.verifies()


@pytest.mark.parametrize("url", ["mysql://x/y", "banana", "sqlite:ledger"])
def test_a_ledger_that_is_no_database_of_ours_is_one_message(url, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("TRUNKLINE_LEDGER_URL", url)
    with pytest.raises(FatalError, match="must begin with postgresql:// or sqlite:///") as said:
        Ledger.of_environment(tmp_path)
    assert url not in str(said.value)
