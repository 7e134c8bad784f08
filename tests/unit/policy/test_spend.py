"""Which caps count a cost, and in which period."""

from dataclasses import replace

from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.spend import judge_spend, spend_plan


def keys(plan) -> dict[str, str]:
    return {bucket.rule: bucket.key.rpartition("|")[2] for bucket in plan.buckets}


def test_days_and_months_are_those_of_the_tenants_clock(shipped, ask) -> None:
    question = ask(at="2026-12-01T04:30:00Z")  # still 30 November in New York
    plan = spend_plan(shipped, question, "USD", "call-1", "America/New_York")
    assert keys(plan) == {
        "spend-per-call": "call-1",
        "spend-per-day": "2026-11-30",
        "spend-per-month": "2026-11",
    }


def test_a_day_without_a_midnight_is_a_day(shipped, ask) -> None:
    # On 8 March 2026 clocks in Havana go from 0:00 to 1:00.
    before = ask(at="2026-03-08T04:59:00Z")
    after = ask(at="2026-03-08T05:00:00Z")
    for question, day in ((before, "2026-03-07"), (after, "2026-03-08")):
        plan = spend_plan(shipped, question, "USD", "call-1", "America/Havana")
        assert keys(plan)["spend-per-day"] == day


def test_a_cap_on_a_tool_counts_that_tool_only(shipped, ask) -> None:
    text = replace(ask(), tool="send_sms")
    plan = spend_plan(shipped, text, "USD", "call-1", "America/New_York")
    assert "spend-on-text-messages" in keys(plan)
    other = spend_plan(shipped, ask(), "USD", "call-1", "America/New_York")
    assert "spend-on-text-messages" not in keys(other)


def test_a_currency_without_a_cap_is_denied(shipped, ask) -> None:
    plan = spend_plan(shipped, ask(), "EUR", "call-1", "America/New_York")
    assert [(reason.kind, reason.rule) for reason in plan.part.reasons] == [("spend", "spend")]
    assert not plan.buckets


def test_a_tenant_without_a_known_clock_is_denied(shipped, ask) -> None:
    plan = spend_plan(shipped, ask(), "USD", "call-1", "Mars/Olympus")
    assert [reason.kind for reason in plan.part.reasons] == ["unreadable"]


def test_the_lower_cap_of_the_two_layers_counts(shipped, ask) -> None:
    limit = {"micros": 1_000_000, "currency": "USD"}
    rules = with_tenant(
        shipped,
        "northwind-energy",
        {"spend": [{"id": "ours", "per": "call", "limit": limit}]},
    )
    plan = spend_plan(rules, ask(), "USD", "call-1", "America/New_York")
    part = judge_spend(plan, 300_000, {"northwind-energy/ours": 700_001, "spend-per-call": 0})
    assert [reason.rule for reason in part.reasons] == ["northwind-energy/ours"]
    assert not judge_spend(plan, 300_000, {"northwind-energy/ours": 700_000}).reasons


def test_tenants_never_share_a_bucket(shipped, ask) -> None:
    ours = spend_plan(shipped, ask(), "USD", "call-1", "UTC")
    theirs = spend_plan(
        shipped,
        ask(tenant="harbor-medical", now=instant("2026-12-01T17:00:00Z")),
        "USD",
        "call-1",
        "UTC",
    )
    assert not {bucket.key for bucket in ours.buckets} & {b.key for b in theirs.buckets}
