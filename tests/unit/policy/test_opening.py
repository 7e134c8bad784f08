"""At which hours anybody can be dialled at all, and which rules the platform has."""

from datetime import date
from typing import Any

import pytest

from trunkline_runtime.policy.documents import rules_from
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.opening import opening_hours
from trunkline_runtime.policy.week import NEVER

TODAY = date(2026, 11, 29)


def hours(shipped: Any, *windows: dict[str, Any], day: date = TODAY) -> dict[str, str]:
    rules = with_tenant(shipped, "northwind-energy", {"windows": list(windows)})
    assert rules.tenant_fault is None
    return {region: str(week) for region, week in opening_hours(rules, "sales", day).items()}


def test_a_region_has_the_hours_that_all_its_rules_leave(shipped) -> None:
    found = hours(shipped)
    assert found["US"] == "mon-sun 08:00-21:00"
    assert found["US-FL"] == "mon-sun 08:00-20:00"
    assert found["US-TX"] == "mon-sat 09:00-21:00, sun 12:00-21:00"


def test_a_window_that_a_consent_lifts_is_taken_as_lifted(shipped) -> None:
    assert hours(shipped)["US-UT"] == "mon-sun 08:00-21:00"


def test_a_tenant_takes_hours_away(shipped) -> None:
    found = hours(shipped, {"id": "ours", "hours": {"mon": "20:00-22:00"}})
    assert (found["US"], found["US-FL"]) == ("mon 20:00-21:00", "never")
    here = {"id": "ours", "hours": {"mon": "06:00-07:00"}, "applies_to": {"region": ["US-FL"]}}
    found = hours(shipped, here)
    assert (found["US-FL"], found["US-TX"]) == ("never", "mon-sat 09:00-21:00, sun 12:00-21:00")
    night = {"id": "ours", "hours": {"mon-sun": "00:00-05:00"}}
    assert set(hours(shipped, night).values()) == {"never"}


@pytest.mark.parametrize("day", [date(2026, 1, 1), date(2025, 12, 31)])
def test_rules_count_from_the_day_on_which_they_begin(day: date) -> None:
    window = {
        "id": "w",
        "level": "mandatory",
        "hours": {"mon": "08:00-21:00"},
        "source": "test",
        "verified": "2026-11-29",
        "effective_from": "2026-01-01",
    }
    document = {"schema_version": 1, "region": "US", "name": "US", "windows": [window]}
    rules = rules_from({"jurisdictions/us.yaml": document})
    assert rules.unreadable == {}
    week = opening_hours(rules, "sales", day)["US"]
    assert (week == NEVER) == (day.year == 2025)


def test_every_rule_of_the_platform_is_named_once(shipped) -> None:
    ids = [rule.id for rule in shipped.of_platform()]
    assert len(ids) == len(set(ids))
    assert {
        "verify-before-payment",
        "say-who-is-speaking",
        "opt-out-everywhere",
        "reach-a-human",
        "us-national-registry",
        "spend-per-call",
    } <= set(ids)
    assert {rule.kind for rule in shipped.obligations or ()} == {"opt_out", "human"}
