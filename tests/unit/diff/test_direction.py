"""Which way a rule moved; what nobody can tell counts as loosened elsewhere, so it is unclear."""

from typing import Any

import pytest

from trunkline.diff.direction import direction

TURNED = {"tightened": "loosened", "loosened": "tightened"}


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        ({"level": "mandatory"}, {"level": "overridable"}, "loosened"),
        ({"facts": ["a", "b"]}, {"facts": ["a"]}, "loosened"),
        ({"facts": ["a"]}, {"facts": ["b"]}, "unclear"),
        ({"facts": ["a", "b"]}, {"facts": ["b", "a"]}, "reworded"),
        ({"hours": {"mon-fri": "09:00-17:00"}}, {"hours": {"mon-sat": "09:00-17:00"}}, "loosened"),
        ({"hours": {"mon": "09:00-17:00"}}, {"hours": {"mon": "10:00-18:00"}}, "unclear"),
        (
            {"hours": {"mon-tue": "09:00-17:00"}},
            {"hours": {"mon": "09:00-17:00", "tue": ["09:00-17:00"]}},
            "reworded",
        ),
        ({"max": 3}, {"max": 4}, "loosened"),
        ({"days": 7}, {"days": 6}, "loosened"),
        ({"hours": 24}, {"hours": 12}, "loosened"),
        ({"max": 3, "days": 7}, {"max": 4, "days": 8}, "unclear"),
        ({"per": ["number"]}, {"per": ["subject"]}, "unclear"),
        ({"rest_after_refusal_days": 60}, {}, "loosened"),
        ({"holidays": ["us"]}, {}, "loosened"),
        ({}, {"lifted_by": ["consent"]}, "loosened"),
        ({"any_of": ["a"]}, {"any_of": ["a", "b"]}, "loosened"),
        ({"applies_to": {"region": ["US"]}}, {"applies_to": {"region": ["US-FL"]}}, "unclear"),
        ({"applies_to": {"region": ["US", "CA"]}}, {"applies_to": {"region": ["US"]}}, "loosened"),
        ({}, {"applies_to": {"purpose": ["sales"]}}, "loosened"),
        ({"applies_to": {"voice": "any"}}, {"applies_to": {}}, "reworded"),
        ({"applies_to": {"direction": "outbound"}}, {}, "tightened"),
        (
            {"limit": {"micros": 1, "currency": "USD"}},
            {"limit": {"micros": 2, "currency": "USD"}},
            "loosened",
        ),
        (
            {"limit": {"micros": 1, "currency": "USD"}},
            {"limit": {"micros": 1, "currency": "EUR"}},
            "unclear",
        ),
        ({}, {"tenant": "acme"}, "loosened"),
        ({"max_age": "31d"}, {"max_age": "2000h"}, "loosened"),
        ({"effective_from": "2026-01-01"}, {"effective_from": "2027-01-01"}, "loosened"),
        ({}, {"effective_until": "2026-12-31"}, "loosened"),
        ({"source": "a", "verified": "2026-01-01"}, {"source": "b"}, "reworded"),
        ({"source": "a", "max": 3}, {"source": "b", "max": 4}, "loosened"),
        ({"later": 1}, {"later": 2}, "unclear"),
        ({"max": 3}, {"max": 3}, None),
    ],
)
def test_both_ways_round(before: dict[str, Any], after: dict[str, Any], moved: str | None) -> None:
    assert direction(before, after) == moved
    assert direction(after, before) == TURNED.get(moved or "", moved)
