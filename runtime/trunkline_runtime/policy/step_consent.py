"""Did the person agree to be contacted, in the way that the place and the purpose ask for?"""

from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.verdict import Part, Reason
from trunkline_runtime.policy.waivers import standing
from trunkline_runtime.policy.whereabouts import Whereabouts


def consents_of(rules: Rules, question: Question) -> frozenset[str]:
    """What the call carries, what it has established, and what the tenant holds for everybody."""
    held = frozenset().union(
        *(
            consent.consents
            for consent in rules.standing_consents
            if consent.tenant == question.tenant
            and consent.purpose == question.purpose
            and question.now.date() <= consent.expires
        )
    )
    return held | (question.consents or frozenset()) | (question.facts or frozenset())


def judge_consent(
    rules: Rules, question: Question, where: Whereabouts, waived: frozenset[str]
) -> Part:
    """Which consents are missing for a contact with one party."""
    if question.consents is None:
        return Part()
    given = consents_of(rules, question)
    needed = [
        rule
        for jurisdiction in where.jurisdictions
        for rule in standing(jurisdiction.consent, waived)
        if rule.in_force(question.now.date())
        and rule.scope.covers_call(question.purpose, question.direction, question.voice)
        and rule.scope.covers_regions(where.regions)
    ]
    reasons = [
        Reason("consent", rule.id, f"none of these is given: {', '.join(sorted(rule.any_of))}")
        for rule in needed
        if not rule.any_of & given
    ]
    purpose = (rules.purposes or {}).get(question.purpose)
    if purpose is not None:
        reasons.extend(
            Reason("consent", f"purpose:{purpose.id}", f"{name} is not given")
            for name in sorted(purpose.requires - given)
        )
    return Part(tuple(rule.id for rule in needed), tuple(reasons), lasting=bool(reasons))
