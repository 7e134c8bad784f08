"""Which spend caps count a cost, and in which bucket each of them counts it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trunkline_runtime.policy.clock import UnknownZone, zone
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.verdict import Part, Reason
from trunkline_runtime.policy.waivers import standing, waived_rules


@dataclass(frozen=True)
class Bucket:
    """What one cap has counted goes by `key`; at most `limit` micros fit."""

    rule: str
    key: str
    limit: int


@dataclass(frozen=True)
class SpendPlan:
    """The buckets of one cost. With a reason in `part` nothing may be reserved."""

    part: Part
    buckets: tuple[Bucket, ...] = ()


def spend_plan(
    rules: Rules, question: Question, currency: str, call_id: str, timezone: str
) -> SpendPlan:
    """The buckets in which a cost in `currency` counts. Days and months are the tenant's own.

    A cost that no cap bounds is denied: a currency without a cap is a hole, not a freedom.
    """
    if rules.caps is None:
        why = rules.unreadable.get("spend")
        message = "cannot be read: " + why if why else "is missing"
        return _denied("unreadable", "spend", f"policy/spend.yaml {message}")
    try:
        today = question.now.astimezone(zone(timezone)).date()
    except UnknownZone:
        return _denied("unreadable", "spend", f"there is no time zone {timezone!r}")
    waived = waived_rules(rules, question, question.now.date())
    caps = [
        cap
        for cap in standing((*rules.caps, *rules.tenant_caps), waived)
        if cap.currency == currency
        and cap.in_force(today)
        and cap.tenant in (None, question.tenant)
        and cap.flow in (None, question.flow)
        and cap.tool in (None, question.tool)
    ]
    if not caps:
        return _denied("spend", "spend", f"no cap bounds a cost in {currency}")
    # Keyed by the local date itself: some days have no midnight.
    periods = {"call": call_id, "day": today.isoformat(), "month": f"{today:%Y-%m}"}
    return SpendPlan(
        Part(tuple(cap.id for cap in caps)),
        tuple(
            Bucket(cap.id, f"{cap.id}|{question.tenant}|{cap.per}|{periods[cap.per]}", cap.micros)
            for cap in caps
        ),
    )


def judge_spend(plan: SpendPlan, micros: int, counted: Mapping[str, int]) -> Part:
    """Whether `micros` more fit beside what each cap (by rule id) has counted already."""
    reasons = tuple(
        over_cap(bucket.rule, bucket.limit)
        for bucket in plan.buckets
        if counted.get(bucket.rule, 0) + micros > bucket.limit
    )
    return Part(plan.part.rules, (*plan.part.reasons, *reasons))


def over_cap(rule: str, limit: int) -> Reason:
    """The reason of a cap that a cost would pass."""
    return Reason("spend", rule, f"the cost would pass the cap of {limit} micros")


def _denied(kind: Literal["spend", "unreadable"], rule: str, message: str) -> SpendPlan:
    return SpendPlan(Part((), (Reason(kind, rule, message),), lasting=True))
