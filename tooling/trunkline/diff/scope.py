"""Whom a rule of the policy is for, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from trunkline.diff.phrases import listed, ticked

Rule = Mapping[str, Any]


def scope_told(rule: Rule, country: str = "") -> str:
    """`outbound calls to United States for `collections``; `all calls` where nothing narrows it."""
    scope = rule.get("applies_to") or {}
    direction = f"{scope['direction']} calls" if scope.get("direction") else "calls"
    told = direction
    regions = [ticked(name) for name in _names(scope.get("region"))]
    where = ", ".join(regions) or country
    told += f" to {where}" if where else ""
    if scope.get("purpose"):
        told += f" for {listed(_names(scope['purpose']))}"
    if scope.get("voice") not in (None, "any"):
        told += f" with a voice that is {ticked(str(scope['voice']))}"
    for key in ("tenant", "flow", "tool"):
        if rule.get(key):
            told += f", {key} {ticked(str(rule[key]))}"
    return told if told != "calls" else "all calls"


def _names(value: Any) -> Sequence[str]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(str(name) for name in value)
