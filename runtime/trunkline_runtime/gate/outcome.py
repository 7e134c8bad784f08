"""A decision together with what the record says beside it."""

from dataclasses import dataclass, replace
from datetime import datetime

from trunkline_runtime.gate.cost import Amount
from trunkline_runtime.gate.decision import Decision
from trunkline_runtime.gate.recipients import Recipient
from trunkline_runtime.policy.clock import TZDATA_VERSION
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.policy.verdict import Reason


@dataclass(frozen=True)
class Outcome:
    """`reached` are the numbers that the tool would reach, `lists` those of the policy. `expired`
    holds of the tenant ran out and were counted on the way. `at` is the instant that was judged,
    where that is not the one that was asked about.
    """

    decision: Decision
    reached: tuple[Recipient, ...] = ()
    cost: Amount | None = None
    lists: tuple[DoNotCallList, ...] = ()
    sequence: int | None = None
    expired: int = 0
    at: datetime | None = None


def denied(id: str, reason: Reason) -> Outcome:
    """A denial by one of the gate's own steps, before the policy was asked."""
    return Outcome(Decision(id, False, (reason.rule,), (reason,), tzdata_version=TZDATA_VERSION))


def undecided(id: str, what: str, why: str) -> Outcome:
    """A denial because nobody could tell: a part of the gate does not work."""
    return denied(id, Reason("unreadable", what, why))


class Against(Exception):
    """Ends a transaction without writing anything: there is a reason against it."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


def against(outcome: Outcome, reason: Reason) -> Against:
    """The outcome with one more reason, which denies it."""
    decision = outcome.decision
    return Against(
        replace(
            outcome, decision=replace(decision, allowed=False, reasons=(*decision.reasons, reason))
        )
    )
