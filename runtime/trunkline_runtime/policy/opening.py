"""At which hours of a week somebody may be dialled at all, wherever they are."""

from collections.abc import Iterator, Mapping
from datetime import date

from trunkline_runtime.policy.rule import Window
from trunkline_runtime.policy.rules import Jurisdiction, Rules
from trunkline_runtime.policy.week import ALWAYS, NEVER, Week

DIALLING = "outbound"


def opening_hours(rules: Rules, purpose: str, day: date) -> Mapping[str, Week]:
    """Region → the hours that all windows of both layers leave open for calls for `purpose`.

    The regions are the countries with a document and the parts of them that a rule names. A window
    counts if it is in force on `day`; one that a consent lifts is taken as lifted, and holidays
    are left out: what is closed here can be opened by nothing.
    """
    return dict(_weeks(rules, purpose, day))


def is_ever_open(rules: Rules, purpose: str, day: date) -> bool:
    """Whether there is a minute of the week at which anybody, anywhere, may be called."""
    return any(week for _, week in _weeks(rules, purpose, day))


def _weeks(rules: Rules, purpose: str, day: date) -> Iterator[tuple[str, Week]]:
    for jurisdiction in rules.jurisdictions.values():
        for region in sorted(_regions(rules, jurisdiction)):
            yield region, _week(rules, jurisdiction, region, purpose, day)


def _regions(rules: Rules, jurisdiction: Jurisdiction) -> set[str]:
    country = jurisdiction.country
    named = {
        region
        for window in (*jurisdiction.windows, *rules.windows)
        for region in window.scope.regions or ()
        if region.startswith(f"{country}-")
    }
    return named | {country}


def _week(rules: Rules, jurisdiction: Jurisdiction, region: str, purpose: str, day: date) -> Week:
    def holds(window: Window) -> bool:
        return (
            window.in_force(day)
            and window.scope.covers_call(purpose, DIALLING, "artificial")
            and window.scope.covers_regions({region})
        )

    national = [window for window in jurisdiction.windows if holds(window)]
    if not national:
        # A country whose document says nothing about today denies (see `judge_windows`).
        return NEVER
    week = ALWAYS
    for window in (*national, *filter(holds, rules.windows)):
        if not window.lifted_by:
            week = week.within(window.week)
    return week
