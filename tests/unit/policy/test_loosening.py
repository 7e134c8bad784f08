"""Where a tenant's policy asks for more than the platform allows."""

from dataclasses import replace
from typing import Any

import pytest

from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.loosening import loosenings


def found(shipped: Any, policy: dict[str, Any]) -> list[tuple[str | int, ...]]:
    rules = with_tenant(shipped, "northwind-energy", policy)
    assert rules.tenant_fault is None
    return [loosening.path for loosening in loosenings(rules, "northwind-energy")]


def window(hours: dict[str, str], **applies_to: Any) -> dict[str, Any]:
    scope = {"applies_to": applies_to} if applies_to else {}
    return {"windows": [{"id": "ours", "hours": hours, **scope}]}


@pytest.mark.parametrize(
    "policy",
    [
        {},
        window({"mon-fri": "10:00-16:00"}),
        window({"mon-sun": "08:00-21:00"}, region=["US"]),
        window({"mon-sun": "08:00-20:00"}, region=["US-FL"]),
        window({"mon-fri": "09:00-21:30"}, region=["CA"]),
        {"spend": [{"id": "ours", "per": "call", "limit": {"micros": 1, "currency": "USD"}}]},
        {"spend": [{"id": "ours", "per": "call", "limit": {"micros": 9**9, "currency": "EUR"}}]},
        {"frequency": [{"id": "ours", "max": 2, "days": 7, "per": ["number"]}]},
        {"requirements": [{"id": "ours", "effect": "writes", "facts": ["identity_verified"]}]},
    ],
)
def test_tightening_is_no_loosening(shipped, policy: dict[str, Any]) -> None:
    assert found(shipped, policy) == []


@pytest.mark.parametrize(
    "policy",
    [
        window({"mon-sun": "07:00-22:00"}),
        window({"mon-sun": "00:00-24:00"}),
        window({"mon-sun": "07:59-20:00"}, region=["US"]),
        window({"mon-sun": "08:00-20:30"}, region=["US-FL"]),
        window({"mon-sun": "08:00-21:01"}, region=["US-OH"]),
        window({"sun": "09:00-12:00"}, region=["US-UT"]),
        window({"sat-sun": "09:00-18:00"}, region=["CA"]),
    ],
)
def test_hours_when_every_rule_is_closed_are_a_loosening(shipped, policy: dict[str, Any]) -> None:
    assert found(shipped, policy) == [("windows", 0)]


@pytest.mark.parametrize(
    "cap",
    [
        {"per": "call", "limit": {"micros": 2_000_001, "currency": "USD"}},
        {"per": "month", "limit": {"micros": 10**12, "currency": "USD"}, "tool": "send_sms"},
    ],
)
def test_a_higher_spend_cap_is_a_loosening(shipped, cap: dict[str, Any]) -> None:
    assert found(shipped, {"spend": [{"id": "ours", **cap}]}) == [("spend", 0)]


def test_a_cap_that_can_never_bind_is_a_loosening(shipped) -> None:
    cap = {
        "id": "ours",
        "max": 10,
        "days": 7,
        "per": ["number", "subject"],
        "applies_to": {"region": ["US"], "purpose": ["collections"]},
    }
    assert found(shipped, {"frequency": [cap]}) == [("frequency", 0)]


def test_a_loosening_says_what_to_write(shipped) -> None:
    rules = with_tenant(shipped, "northwind-energy", window({"mon-sun": "07:00-21:00"}))
    (loosening,) = loosenings(rules, "northwind-energy")
    assert "mon-sun 07:00-08:00" in loosening.message
    assert "08:00" in loosening.help


def test_a_loosening_shows_before_any_purpose_is_granted(shipped) -> None:
    ungranted = replace(shipped, purposes=None, grants={})
    assert found(ungranted, window({"mon-sun": "07:00-22:00"})) == [("windows", 0)]
    assert found(ungranted, window({"mon-sun": "08:00-20:00"}, region=["US-FL"])) == []
