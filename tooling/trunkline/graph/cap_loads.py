"""How full one call at its worst makes each spend cap, as the policy engine counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from trunkline.graph.analysis import Analysis
from trunkline.graph.spenders import Spender, spenders, total_micros
from trunkline.model.tenant import Tenant
from trunkline_runtime.policy.clock import UnknownZone, zone
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rule import SpendCap
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.spend import spend_plan

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class CapLoad:
    """One cap: `limit` and `micros`, the worst case of what it counts, in millionths.

    `per` is `call`, `day` or `month`; `spenders` are the tools that it counts, dearest first.
    """

    rule: str
    per: str
    currency: str
    limit: int
    spenders: tuple[Spender, ...]

    @property
    def micros(self) -> int:
        return sum(spender.micros for spender in self.spenders)


@dataclass(frozen=True)
class CapLoads:
    """Every cap that counts something of a flow, and the tools that cost something uncounted.

    A cost that no cap bounds is denied whenever the tool is called.
    """

    caps: tuple[CapLoad, ...] = ()
    uncapped: tuple[Spender, ...] = ()


def cap_loads(analysis: Analysis, today: date) -> CapLoads:
    """The caps in force `today`. Nothing without caps, and nothing where they cannot be read.

    Nothing either for a tenant in no time zone, in which no day begins: that is one fault, and
    told where it stands.
    """
    tenant = analysis.tenant
    if tenant is None or analysis.repository.policy.rules.caps is None or not _has_zone(tenant):
        return CapLoads()
    rules = analysis.repository.policy.rules_for(tenant)
    costly = [spender for spender in spenders(analysis) if spender.micros > 0]
    counted: dict[str, list[Spender]] = {}
    limits: dict[str, int] = {}
    uncapped: list[Spender] = []
    for spender in costly:
        buckets = dict(_buckets(rules, analysis, spender, today))
        limits |= buckets
        for rule in buckets:
            counted.setdefault(rule, []).append(spender)
        if not buckets:
            uncapped.append(spender)
    caps = {cap.id: cap for cap in (*(rules.caps or ()), *rules.tenant_caps)}
    loads = (
        CapLoad(rule, caps[rule].per, caps[rule].currency, limits[rule], _dearest_first(spent))
        for rule, spent in counted.items()
    )
    return CapLoads(tuple(sorted(loads, key=lambda load: load.rule)), tuple(uncapped))


def is_far_below(analysis: Analysis, today: date) -> bool:
    """True if no cap can be passed, whatever it counts: all tools together stay below the least.

    A quick look that spares most flows the counting; where it says no, the engine counts.
    """
    caps = analysis.repository.policy.rules.caps
    tenant = analysis.tenant
    if caps is None or tenant is None:
        return caps is None
    if analysis.repository.policy.rules.waivers:
        return False
    own = analysis.repository.policy.rules_for(tenant).tenant_caps
    for currency, micros in total_micros(spenders(analysis)).items():
        bounding = [cap for cap in (*caps, *own) if cap.currency == currency]
        for_all = [cap for cap in bounding if _counts_everything(cap, today)]
        if not for_all or micros > min(cap.micros for cap in bounding):
            return False
    return True


def _counts_everything(cap: SpendCap, today: date) -> bool:
    """True for a cap that counts every tool of every flow, whatever day the tenant has."""
    around = (today - _DAY, today, today + _DAY)
    return {cap.tenant, cap.flow, cap.tool} == {None} and all(map(cap.in_force, around))


def _buckets(
    rules: Rules, analysis: Analysis, spender: Spender, today: date
) -> Iterator[tuple[str, int]]:
    """(rule, limit) of each cap that counts the tool there."""
    tenant, cost = analysis.tenant, spender.entry.cost
    if tenant is None or cost is None:
        return
    question = Question(
        tenant=tenant.id,
        purpose=analysis.inlined.whole.purpose or "",
        now=datetime.combine(today, time(12), UTC),
        flow=spender.flow,
        node=spender.node,
        tool=spender.entry.id,
    )
    zone: str = tenant.written["timezone"]
    for bucket in spend_plan(rules, question, cost.currency, "", zone).buckets:
        yield bucket.rule, bucket.limit


def _has_zone(tenant: Tenant) -> bool:
    try:
        zone(tenant.written["timezone"])
    except UnknownZone:
        return False
    return True


def _dearest_first(spent: list[Spender]) -> tuple[Spender, ...]:
    return tuple(sorted(spent, key=lambda spender: -spender.micros))
