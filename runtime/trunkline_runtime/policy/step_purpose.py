"""Is the call made for a purpose that this tenant was granted?"""

from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.verdict import Part, Reason


def judge_purpose(rules: Rules, question: Question) -> Part:
    """Denies an unknown purpose, one that was not granted, and one of the other direction."""
    name = f"purpose:{question.purpose}"
    if rules.purposes is None:
        why = rules.unreadable.get("purposes")
        message = "cannot be read: " + why if why else "is missing"
        return Part(
            reasons=(Reason("unreadable", "purposes", f"policy/purposes.yaml {message}"),),
            lasting=True,
        )
    purpose = rules.purposes.get(question.purpose)
    if purpose is None:
        return _denied(name, f"there is no purpose {question.purpose!r}")
    if question.purpose not in rules.grants.get(question.tenant, frozenset()):
        return _denied(name, f"{question.tenant} was not granted the purpose {question.purpose!r}")
    if purpose.direction not in (None, question.direction):
        meant = f"{question.purpose!r} is for {purpose.direction} calls"
        return _denied(name, f"{meant}, and this one is {question.direction}")
    if question.now.date() < purpose.effective_from:
        return _denied(name, f"{question.purpose!r} begins on {purpose.effective_from}")
    return Part(rules=(name,))


def _denied(rule: str, message: str) -> Part:
    return Part(rules=(rule,), reasons=(Reason("purpose", rule, message),), lasting=True)
