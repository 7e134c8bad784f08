"""A guard is a set of conditions, however it is written."""

from typing import Any

import pytest

from trunkline.diff.guards import guard_change, guard_of, guard_text, moved


@pytest.mark.parametrize(
    ("written", "conditions"),
    [
        ({}, ""),
        ({"requires": ["verified"]}, "facts.verified"),
        ({"if": "facts.verified"}, "facts.verified"),
        ({"if": "( facts . verified )"}, "facts.verified"),
        (
            {"if": "facts.verified && slots.amount > 0.0", "requires": ["slots.amount"]},
            "facts.verified && slots.amount > 0.0 && slots.amount is set",
        ),
        ({"if": "slots.a=='x && y'"}, "slots.a == 'x && y'"),
        ({"if": "a.b || c.d"}, "a.b || c.d"),
        ({"if": "!facts.paid // never twice"}, "!facts.paid"),
        ({"if": "size(slots.name)>2"}, "size(slots.name) > 2"),
        ({"if": "broken ¤"}, "broken ¤"),
    ],
)
def test_conditions(written: dict[str, Any], conditions: str) -> None:
    assert guard_text(guard_of(written)) == conditions


@pytest.mark.parametrize(
    ("before", "after", "way"),
    [
        ("a.x > 5.0", "a.x > 0.0", "loosened"),
        ("a.x >= 5", "a.x >= 6", "tightened"),
        ("a.x < 5.0", "a.x < 6.0", "loosened"),
        ("a.x <= 5.0", "a.x <= -1.0", "tightened"),
        ("a.x > 5.0", "a.x >= 5.0", "changed"),
        ("a.x > 5.0", "a.y > 0.0", "changed"),
        ("a.x > 5.0 && b.y", "a.x > 0.0 && b.y", "loosened"),
        ("a.x", "b.y", "changed"),
    ],
)
def test_which_way_a_bound_moved(before: str, after: str, way: str) -> None:
    old, new = (guard_of({"if": text}) for text in (before, after))
    assert moved(old - new, new - old) == way


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("a.x", "a.x", None),
        ("a.x && b.y", "b.y && a.x", None),
        ("", "a.x", "guard-added"),
        ("a.x", "", "guard-removed"),
        ("a.x && b.y", "a.x", "guard-weakened"),
        ("a.x", "a.x && b.y", "guard-strengthened"),
        ("a.x", "b.y", "guard-changed"),
        ("a.x", "a.x || b.y", "guard-changed"),
    ],
)
def test_how_it_changed(before: str, after: str, kind: str | None) -> None:
    old, new = (guard_of({"if": text} if text else {}) for text in (before, after))
    assert guard_change(old, new) == kind
