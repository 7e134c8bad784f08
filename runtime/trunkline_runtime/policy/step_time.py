"""May this party be contacted at this time: windows and frequency caps."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from trunkline_runtime.policy.clock import zone
from trunkline_runtime.policy.frequency_limit import FrequencyLimit
from trunkline_runtime.policy.question import Party, Question
from trunkline_runtime.policy.rule import Frequency, Window
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.step_consent import consents_of
from trunkline_runtime.policy.time_limit import TimeLimit
from trunkline_runtime.policy.verdict import Part, Reason
from trunkline_runtime.policy.waivers import standing
from trunkline_runtime.policy.whereabouts import Whereabouts
from trunkline_runtime.policy.window_limit import WindowLimit


@dataclass(frozen=True)
class TimePart:
    """A part, and the limits from which the next open instant follows."""

    part: Part
    limits: tuple[TimeLimit, ...]


def judge_windows(
    rules: Rules, question: Question, where: Whereabouts, waived: frozenset[str]
) -> TimePart:
    """Every window that applies must be open in every zone where the party may be."""
    national = [
        window
        for jurisdiction in where.jurisdictions
        for window in jurisdiction.windows
        if _covers(window, question, where)
    ]
    own = [window for window in rules.windows if _covers(window, question, where)]
    unruled = _unruled(question, where, national)
    consents = consents_of(rules, question)
    windows = [
        window for window in standing((*national, *own), waived) if not window.lifted_by & consents
    ]
    limits = [WindowLimit(window, name) for window in windows for name in sorted(where.zones)]
    days = _local_days(question, where)
    taking_part = [window.id for window in windows if any(map(window.in_force, days))]
    part = Part(tuple(taking_part), (*unruled, *_closed(limits, question)), lasting=bool(unruled))
    return TimePart(part, tuple(limits))


def judge_frequency(
    rules: Rules, question: Question, party: Party, where: Whereabouts, waived: frozenset[str]
) -> TimePart:
    """Every cap that applies must leave room for one more contact with this party."""
    days = _local_days(question, where)
    caps = [
        cap
        for cap in standing(
            (
                *(cap for place in where.jurisdictions for cap in place.frequency),
                *rules.frequency,
            ),
            waived,
        )
        if _covers(cap, question, where) and any(map(cap.in_force, days))
    ]
    limits = [FrequencyLimit.over(cap, party.history, question.subject) for cap in caps]
    reasons = tuple(
        Reason("frequency", limit.rule.id, why)
        for limit in limits
        if (why := limit.closed_because(question.now)) is not None
    )
    return TimePart(Part(tuple(cap.id for cap in caps), reasons), tuple(limits))


def _covers(rule: Window | Frequency, question: Question, where: Whereabouts) -> bool:
    return rule.scope.covers_call(
        question.purpose, question.direction, question.voice
    ) and rule.scope.covers_regions(where.regions)


def _closed(limits: Sequence[WindowLimit], question: Question) -> list[Reason]:
    """One reason for each closed window, with every zone in which it is closed."""
    reasons: list[Reason] = []
    windows = {limit.window.id: limit.window for limit in limits}
    for window in windows.values():
        closed = [
            f"{why} in {limit.zone_name}"
            for limit in limits
            if limit.window is window and (why := limit.closed_because(question.now)) is not None
        ]
        if closed:
            message = f"{'; '.join(closed)} (open {window.week})"
            reasons.append(Reason("window", window.id, message))
    return reasons


def _unruled(
    question: Question, where: Whereabouts, windows: Sequence[Window]
) -> tuple[Reason, ...]:
    """A country that has a document but no window in force today says nothing: that denies."""
    if question.direction != "outbound":
        return ()
    days = _local_days(question, where)
    return tuple(
        Reason(
            "window",
            jurisdiction.path,
            f"no rule that is in force says when people in {jurisdiction.name} may be called",
        )
        for jurisdiction in where.jurisdictions
        if not all(
            any(window.in_force(day) for window in windows if window in jurisdiction.windows)
            for day in days
        )
    )


def _local_days(question: Question, where: Whereabouts) -> frozenset[date]:
    return frozenset(question.now.astimezone(zone(name)).date() for name in where.zones)
