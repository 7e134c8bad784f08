"""The last step before a tool may run: its attempt is claimed and its worst case reserved."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.cost import Amount, Uncountable, worst_cost
from trunkline_runtime.gate.ledger import Transaction
from trunkline_runtime.gate.ledger.attempts import Attempt, OverCap, Repeated
from trunkline_runtime.gate.ledger.instants import to_micros
from trunkline_runtime.gate.outcome import Outcome, against
from trunkline_runtime.gate.request import ToolRequest
from trunkline_runtime.gate.standing_rules import Standing
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.spend import Bucket, SpendPlan, over_cap, spend_plan
from trunkline_runtime.policy.verdict import Part, Reason

# How long after its own time limit a tool's hold is kept before its worst case counts as spent.
HOLD_BEYOND_TIMEOUT = timedelta(minutes=15)


def claimed(
    outcome: Outcome,
    request: ToolRequest,
    holds: Standing,
    question: Question,
    transaction: Transaction,
) -> Outcome:
    """The outcome with its cost and the caps that count it. Raises Against.

    A tool that costs nothing and may be repeated takes nothing, so nothing is written for it.
    """
    entry = request.tool
    assert entry is not None  # the grant was checked
    try:
        cost = worst_cost(entry, request.args)
    except Uncountable as problem:
        raise against(outcome, Reason("spend", "spend", str(problem))) from None
    plan = SpendPlan(Part())
    if cost is not None:
        plan = spend_plan(holds.rules, question, cost.currency, request.call_id, holds.timezone)
    rules = (*outcome.decision.rules, *plan.part.rules)
    outcome = replace(outcome, cost=cost, decision=replace(outcome.decision, rules=rules))
    for reason in plan.part.reasons:
        raise against(outcome, reason)
    if cost is not None or not entry.idempotent:
        expired = _claim(outcome, request, entry, plan.buckets, transaction)
        outcome = replace(outcome, expired=expired)
    return outcome


def _claim(
    outcome: Outcome,
    request: ToolRequest,
    entry: ToolEntry,
    held_in: Sequence[Bucket],
    transaction: Transaction,
) -> int:
    """Returns how many holds of the tenant had run out."""
    cost = outcome.cost or Amount(0, "")
    lasts = timedelta(seconds=entry.timeout_seconds * (1 + entry.retries))
    attempt = Attempt(
        key=request.attempt,
        decision=outcome.decision.id,
        call=request.call_id,
        tenant=request.tenant,
        tool=request.tool_id,
        repeatable=entry.idempotent,
        micros=cost.micros,
        currency=cost.currency or None,
        began_at=to_micros(request.now),
        expires_at=to_micros(request.now + lasts + HOLD_BEYOND_TIMEOUT),
    )
    try:
        expired = transaction.expire(request.now, request.tenant)
        transaction.claim(attempt, held_in)
    except Repeated:
        why = "the same call of the tool may be running or may have happened"
        raise against(outcome, Reason("repeat", request.tool_id, why)) from None
    except OverCap as over:
        raise against(outcome, over_cap(over.bucket.rule, over.bucket.limit)) from None
    return expired
