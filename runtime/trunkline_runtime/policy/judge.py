"""The engine: rules and a question in, a verdict out. Nothing else evaluates policy."""

from collections.abc import Iterable

from trunkline_runtime.policy.clock import zone
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.step_consent import judge_consent
from trunkline_runtime.policy.step_facts import judge_disclosures, judge_facts
from trunkline_runtime.policy.step_lists import judge_lists
from trunkline_runtime.policy.step_purpose import judge_purpose
from trunkline_runtime.policy.step_time import judge_frequency, judge_windows
from trunkline_runtime.policy.time_limit import TimeLimit, next_open
from trunkline_runtime.policy.verdict import Part, Reason, Verdict
from trunkline_runtime.policy.waivers import waived_rules
from trunkline_runtime.policy.whereabouts import Whereabouts, whereabouts


def judge(rules: Rules, question: Question) -> Verdict:
    """Every rule that has a say about `question`, and every reason against it.

    The reasons stand in the order in which the gate asks: purpose, facts, disclosures, then for
    each party number type, consent, Do-Not-Call, window, frequency. Never raises for what a
    document or a caller may hold.
    """
    parties = question.parties if question.contacts else ()
    places = tuple(whereabouts(rules, party) for party in parties)
    regions = frozenset[str]().union(*(place.regions for place in places))
    waived = waived_rules(rules, question, question.now.date())
    parts = [
        _tenant(rules, question),
        judge_purpose(rules, question),
        judge_facts(rules, question, regions, waived),
        judge_disclosures(rules, question, regions, waived),
        *_nobody(question),
    ]
    limits: list[TimeLimit] = []
    for party, place in zip(parties, places, strict=True):
        parts.append(Part(reasons=place.reasons, lasting=bool(place.reasons)))
        parts.append(judge_consent(rules, question, place, waived))
        parts.append(judge_lists(rules, question, party, place, waived))
        windows = judge_windows(rules, question, place, waived)
        frequency = judge_frequency(rules, question, party, place, waived)
        parts.extend((windows.part, frequency.part))
        limits.extend((*windows.limits, *frequency.limits))
    zones = tuple(sorted(frozenset[str]().union(*(place.zones for place in places))))
    waits = any(reason.kind in ("window", "frequency") for part in parts for reason in part.reasons)
    lasting = any(part.lasting for part in parts)
    return Verdict(
        rules=(
            *dict.fromkeys(rule for part in parts for rule in part.rules),
            # Whoever reads the decision later must see what was waived for it.
            *(f"exception:{rule}" for rule in sorted(waived)),
        ),
        reasons=tuple(dict.fromkeys(reason for part in parts for reason in part.reasons)),
        zones=zones,
        local_times=tuple(
            (name, question.now.astimezone(zone(name)).isoformat(timespec="minutes"))
            for name in zones
        ),
        next_allowed=next_open(limits, question.now) if waits and not lasting else None,
        notes=_unset(places),
    )


def _tenant(rules: Rules, question: Question) -> Part:
    if rules.tenant_fault is None:
        return Part()
    reason = Reason(
        "unreadable", f"{question.tenant}/policy", f"the tenant's policy: {rules.tenant_fault}"
    )
    return Part(reasons=(reason,), lasting=True)


def _nobody(question: Question) -> tuple[Part, ...]:
    if not question.contacts or question.parties:
        return ()
    reason = Reason("number_type", "number-type", "the number of the other party is not known")
    return (Part(reasons=(reason,), lasting=True),)


def _unset(places: Iterable[Whereabouts]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            f"{unset.region}: {unset.what} is left unset. {unset.reason}"
            for place in places
            for jurisdiction in place.jurisdictions
            for unset in jurisdiction.unset
            if unset.region in place.regions
        )
    )
