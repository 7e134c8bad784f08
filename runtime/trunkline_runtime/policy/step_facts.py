"""Are the facts proven that the effects of a tool need, and the disclosures spoken?"""

from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rule import Disclosure, Requirement
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.verdict import Part, Reason
from trunkline_runtime.policy.waivers import standing

# Tools that touch the person or the person's data wait for the disclosures. Others may not: a call
# that ends early is still written down.
DISCLOSED_EFFECTS = frozenset({"reads_pii", "contact", "payment"})


def judge_facts(
    rules: Rules, question: Question, regions: frozenset[str], waived: frozenset[str]
) -> Part:
    """Which required facts are missing. `regions` empty: unknown, so each region's rules hold."""
    if question.facts is None or not question.effects:
        return Part()
    if rules.requirements is None:
        return _unreadable(rules, "requirements")
    needed: list[Requirement] = [
        rule
        for rule in standing((*rules.requirements, *rules.tenant_requirements), waived)
        if rule.effect in question.effects and _holds(rule, question, regions)
    ]
    reasons = tuple(
        Reason("fact", rule.id, f"{fact} is not proven, and {rule.effect} needs it")
        for rule in needed
        for fact in sorted(rule.facts - question.facts)
    )
    return Part(tuple(rule.id for rule in needed), reasons, lasting=bool(reasons))


def judge_disclosures(
    rules: Rules, question: Question, regions: frozenset[str], waived: frozenset[str]
) -> Part:
    """Which disclosures were not spoken before a tool that must wait for them."""
    if question.disclosed is None or not question.effects & DISCLOSED_EFFECTS:
        return Part()
    if rules.disclosures is None:
        return _unreadable(rules, "obligations")
    needed = [
        rule for rule in standing(rules.disclosures, waived) if _holds(rule, question, regions)
    ]
    reasons = tuple(
        Reason("consent", rule.id, f"the disclosure {name!r} has not been spoken")
        for rule in needed
        for name in sorted(rule.disclosures - question.disclosed)
    )
    return Part(tuple(rule.id for rule in needed), reasons, lasting=bool(reasons))


def _holds(rule: Requirement | Disclosure, question: Question, regions: frozenset[str]) -> bool:
    return (
        rule.in_force(question.now.date())
        and rule.scope.covers_call(question.purpose, question.direction, question.voice)
        and (not regions or rule.scope.covers_regions(regions))
    )


def _unreadable(rules: Rules, document: str) -> Part:
    why = rules.unreadable.get(document)
    message = "cannot be read: " + why if why else "is missing"
    reason = Reason("unreadable", document, f"policy/{document}.yaml {message}")
    return Part(reasons=(reason,), lasting=True)
