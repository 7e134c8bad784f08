"""Is the number on a Do-Not-Call list, or could nobody tell?"""

from trunkline_runtime.policy.question import Party, Question
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.verdict import Part, Reason
from trunkline_runtime.policy.waivers import standing
from trunkline_runtime.policy.whereabouts import Whereabouts

INTERNAL_LIST = "internal-list"

_FAULTS = {
    "missing": "the list is not there",
    "mismatch": "the list's digest is not the one that policy/dnc.yaml names",
    "unreadable": "the list cannot be read",
}


def judge_lists(
    rules: Rules, question: Question, party: Party, where: Whereabouts, waived: frozenset[str]
) -> Part:
    """The internal list for every contact; the others where they apply. In doubt it denies."""
    if party.opted_out:
        reason = Reason("dnc", INTERNAL_LIST, "the person asked not to be called again")
        return Part((INTERNAL_LIST,), (reason,), lasting=True)
    internal = () if party.opted_out is None else (INTERNAL_LIST,)
    if rules.lists is None:
        why = rules.unreadable.get("dnc")
        message = "cannot be read: " + why if why else "is missing"
        unreadable = Reason("unreadable", "dnc", f"policy/dnc.yaml {message}")
        return Part(internal, (unreadable,), lasting=True)
    taking_part = [
        rule
        for rule in standing(rules.lists, waived)
        if rule.in_force(question.now.date())
        and rule.scope.covers_call(question.purpose, question.direction, question.voice)
        and rule.scope.covers_regions(where.regions)
    ]
    reasons: list[Reason] = []
    listed = False
    for rule in taking_part:
        against = _unusable(rule, question)
        if against is None:
            answer = question.lists(rule, party.number)
            if answer == "clear":
                continue
            listed = listed or answer == "listed"
            against = _FAULTS.get(answer, "the number is on the list")
        reasons.append(Reason("dnc", rule.id, against))
    names = (*internal, *(rule.id for rule in taking_part))
    return Part(names, tuple(reasons), lasting=listed)


def _unusable(rule: DoNotCallList, question: Question) -> str | None:
    if rule.sha256 is None or rule.obtained_at is None or rule.max_age is None:
        return "policy/dnc.yaml gives the list no digest, date or age limit"
    age = question.now - rule.obtained_at
    if age > rule.max_age:
        return f"the list is {age.days} days old; at most {_days(rule)} are allowed"
    return None


def _days(rule: DoNotCallList) -> str:
    assert rule.max_age is not None
    hours = int(rule.max_age.total_seconds() // 3600)
    return f"{hours // 24} days" if hours % 24 == 0 else f"{hours} hours"
