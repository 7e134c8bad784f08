"""Which rules a named exception waives for exactly this call."""

from collections.abc import Iterable
from datetime import date
from typing import TypeVar

from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rule import Rule
from trunkline_runtime.policy.rules import Rules

Kind = TypeVar("Kind", bound=Rule)


def waived_rules(rules: Rules, question: Question, today: date) -> frozenset[str]:
    """The ids of overridable rules of the platform that an exception waives for this target."""
    if not rules.waivers:
        return frozenset()
    overridable = {rule.id for rule in rules.of_platform() if rule.level == "overridable"}
    return frozenset(
        waiver.rule
        for waiver in rules.waivers
        if waiver.rule in overridable
        and waiver.created <= today <= waiver.expires
        and waiver.tenant == question.tenant
        and waiver.flow in (None, question.flow)
        and waiver.node in (None, question.node)
        and waiver.tool in (None, question.tool)
    )


def standing(candidates: Iterable[Kind], waived: frozenset[str]) -> tuple[Kind, ...]:
    """The rules that stand: a mandatory one always, an overridable one unless it is waived."""
    return tuple(
        rule for rule in candidates if rule.level != "overridable" or rule.id not in waived
    )
