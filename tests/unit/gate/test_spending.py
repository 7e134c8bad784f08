"""Spend: the worst case is held before a tool runs, the real cost counts after it."""

from datetime import timedelta

import pytest


def kinds(decision) -> list[str]:
    return [reason.kind for reason in decision.reasons]


async def test_the_worst_case_is_held_and_the_real_cost_settled(world) -> None:
    decision = await world.gate.decide(world.request("take_payment"))
    assert world.counted()["spend-per-call"] == (0, 300_000)
    await world.gate.settle(decision, "done", 120_000)
    assert world.counted() == {
        "spend-per-call": (120_000, 0),
        "spend-per-day": (120_000, 0),
        "spend-per-month": (120_000, 0),
    }


@pytest.mark.parametrize(
    ("ending", "spent", "reserved"),
    [
        ("done", 300_000, 0),
        ("failed", 0, 0),
        ("withdrawn", 0, 0),
        ("unknown", 0, 300_000),
    ],
)
async def test_how_a_tool_ended_decides_what_counts(world, ending, spent, reserved) -> None:
    decision = await world.gate.decide(world.request("take_payment"))
    await world.gate.settle(decision, ending)
    assert world.counted()["spend-per-call"] == (spent, reserved)


async def test_settling_twice_counts_once(world) -> None:
    decision = await world.gate.decide(world.request("take_payment"))
    await world.gate.settle(decision, "done", 100_000)
    await world.gate.settle(decision, "done", 100_000)
    await world.gate.settle(decision, "failed")
    assert world.counted()["spend-per-call"] == (100_000, 0)


async def test_a_cap_that_has_no_room_denies_and_holds_nothing(world) -> None:
    for count in range(6):  # of 30 cents each; a call may cost 2 dollars
        assert (await world.gate.decide(world.request("take_payment", attempt=f"{count}"))).allowed
    decision = await world.gate.decide(world.request("take_payment", attempt="7"))
    assert [(reason.kind, reason.rule) for reason in decision.reasons] == [
        ("spend", "spend-per-call")
    ]
    assert world.counted()["spend-per-day"] == (0, 1_800_000)
    other_call = world.request("take_payment", attempt="8", call_id="call-2")
    assert (await world.gate.decide(other_call)).allowed


async def test_the_same_attempt_holds_once(world) -> None:
    free_to_repeat = world.entry("take_payment", idempotent=True)
    first = await world.gate.decide(world.request(free_to_repeat))
    second = await world.gate.decide(world.request(free_to_repeat))
    assert first.allowed
    assert second.allowed
    assert world.counted()["spend-per-call"] == (0, 300_000)
    await world.gate.settle(first, "done")  # another decision took its place
    assert world.counted()["spend-per-call"] == (0, 300_000)
    await world.gate.settle(second, "done")
    assert world.counted()["spend-per-call"] == (300_000, 0)


async def test_a_hold_that_nobody_settles_expires_as_spent(world) -> None:
    request = world.request("take_payment")
    decision = await world.gate.decide(request)
    with world.ledger.transaction() as transaction:
        assert transaction.expire(request.now + timedelta(minutes=10), "northwind-energy") == 0
        assert transaction.expire(request.now + timedelta(hours=1), "northwind-energy") == 1
        assert transaction.expire(request.now + timedelta(hours=2), "northwind-energy") == 0
    assert world.counted()["spend-per-call"] == (300_000, 0)
    # The tool answers after all: what the expiry counted is put right.
    await world.gate.settle(decision, "done", 50_000)
    assert world.counted()["spend-per-call"] == (50_000, 0)


async def test_an_attempt_that_certainly_did_nothing_may_be_repeated(world) -> None:
    for _ in range(3):
        decision = await world.gate.decide(world.request("take_payment"))
        assert decision.allowed
        await world.gate.settle(decision, "failed")
    assert world.counted()["spend-per-call"] == (0, 0)


async def test_a_cost_is_computed_from_the_arguments(world) -> None:
    cost = {"expression": "int(args.amount * 1000.0)", "max": 60_000, "currency": "USD"}
    tool = world.entry("take_payment", cost=cost)
    assert (await world.gate.decide(world.request(tool))).allowed
    assert world.counted()["spend-per-call"] == (0, 48_500)
    over = {**world.request(tool).args, "amount": 61.0}
    assert kinds(await world.gate.decide(world.request(tool, over, attempt="2"))) == ["spend"]


@pytest.mark.parametrize("expression", ["args.amount > 1.0", "-5", "1 / 0", "args.unknown", "1.5"])
async def test_a_cost_that_cannot_be_told_denies(world, expression) -> None:
    cost = {"expression": expression, "max": 60_000, "currency": "USD"}
    tool = world.entry("take_payment", cost=cost)
    assert kinds(await world.gate.decide(world.request(tool))) == ["spend"]


async def test_a_cost_in_a_currency_without_a_cap_denies(world) -> None:
    tool = world.entry("take_payment", cost={"micros": 1, "currency": "EUR"})
    assert kinds(await world.gate.decide(world.request(tool))) == ["spend"]


async def test_a_free_tool_that_may_be_repeated_takes_nothing(world) -> None:
    tool = world.entry("get_invoice", cost={"micros": 0, "currency": "USD"})
    for _ in range(3):
        assert (await world.gate.decide(world.request(tool))).allowed
    assert world.counted()["spend-per-call"] == (0, 0)
