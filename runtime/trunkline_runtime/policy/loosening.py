"""Finds where a tenant's policy asks for more than the platform allows (TL502).

At run time it changes nothing, because the rules of both layers hold; but whoever wrote it expects
something that will not happen.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from trunkline_runtime.policy.rule import Frequency, SpendCap, Window
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.scope import Scope
from trunkline_runtime.policy.week import ALWAYS, NEVER, Week

Direction = Literal["inbound", "outbound"]
DIRECTIONS: tuple[Direction, ...] = ("inbound", "outbound")


@dataclass(frozen=True)
class Loosening:
    """One rule of a tenant that would loosen. `path` is its place in the tenant's file."""

    path: tuple[str | int, ...]
    rule: str
    message: str
    help: str


@dataclass(frozen=True)
class _Kind:
    """One kind of call in one region: what a rule can be compared on."""

    region: str
    purpose: str
    direction: str


def loosenings(rules: Rules, tenant: str) -> tuple[Loosening, ...]:
    """Every loosening in the tenant's layer of `rules` (see `with_tenant`), in file order."""
    kinds = _kinds(rules, tenant)
    found = [
        *(_window(rules, window, index, kinds) for index, window in enumerate(rules.windows)),
        *(_frequency(rules, cap, index, kinds) for index, cap in enumerate(rules.frequency)),
        *(_spend(rules, cap, index, tenant) for index, cap in enumerate(rules.tenant_caps)),
    ]
    return tuple(loosening for loosening in found if loosening is not None)


def _kinds(rules: Rules, tenant: str) -> tuple[_Kind, ...]:
    """Every region that a rule of either layer names, with every purpose of the tenant."""
    named = [
        *rules.windows,
        *rules.frequency,
        *(
            rule
            for jurisdiction in rules.jurisdictions.values()
            for rule in (*jurisdiction.windows, *jurisdiction.frequency)
        ),
    ]
    regions = {region for rule in named for region in rule.scope.regions or ()}
    return tuple(
        _Kind(region, purpose, direction)
        for region in sorted(regions)
        for purpose, direction in _purposes(rules, tenant, [rule.scope for rule in named])
    )


def _purposes(
    rules: Rules, tenant: str, scopes: Iterable[Scope]
) -> tuple[tuple[str, Direction], ...]:
    """The purposes of a tenant; while no document grants any, those that a rule names, and none."""
    if rules.purposes is None:
        named = {purpose for scope in scopes for purpose in scope.purposes or ()} | {""}
        return tuple((purpose, direction) for purpose in sorted(named) for direction in DIRECTIONS)
    return tuple(
        (purpose, direction)
        for purpose in sorted(rules.grants.get(tenant, frozenset()))
        for direction in DIRECTIONS
        if rules.purposes[purpose].direction in (None, direction)
    )


def _covers(scope: Scope, kind: _Kind) -> bool:
    return scope.covers_call(kind.purpose, kind.direction, "artificial") and scope.covers_regions(
        {kind.region, kind.region[:2]}
    )


def _window(rules: Rules, window: Window, index: int, kinds: Iterable[_Kind]) -> Loosening | None:
    allowed = NEVER
    for kind in kinds:
        week = _platform_week(rules, kind) if _covers(window.scope, kind) else None
        if week is not None:
            allowed = allowed.beside(week)
    beyond = window.week.without(allowed)
    if not beyond or allowed == NEVER:
        return None
    return Loosening(
        ("windows", index),
        window.id,
        f"the window opens when the platform's rules are closed: {beyond}",
        f"keep within {allowed}; a tenant may only tighten",
    )


def _platform_week(rules: Rules, kind: _Kind) -> Week | None:
    """What the platform leaves open for such calls; None where none of its windows is about them.

    Calls that nobody limits (those that come in) would otherwise allow every hour to the others.
    """
    covering = [
        window
        for jurisdiction in rules.jurisdictions.values()
        for window in jurisdiction.windows
        if _covers(window.scope, kind)
    ]
    week = ALWAYS
    for window in covering:
        week = week.within(window.week)
    return week if covering else None


def _frequency(
    rules: Rules, cap: Frequency, index: int, kinds: Iterable[_Kind]
) -> Loosening | None:
    """A cap that can never bind, because everywhere a stricter one of the platform does."""
    stricter: set[str] = set()
    for kind in kinds:
        theirs = [
            rule
            for jurisdiction in rules.jurisdictions.values()
            for rule in jurisdiction.frequency
            if _covers(rule.scope, kind) and _covers(cap.scope, kind)
        ]
        if not theirs:
            continue
        ruling = [
            rule.id
            for rule in theirs
            if rule.maximum < cap.maximum and rule.span >= cap.span and rule.per <= cap.per
        ]
        if not ruling:
            return None
        stricter.update(ruling)
    if not stricter:
        return None
    return Loosening(
        ("frequency", index),
        cap.id,
        f"more contacts than the platform allows ({', '.join(sorted(stricter))})",
        "write a lower max, or leave the cap out; a tenant may only tighten",
    )


def _spend(rules: Rules, cap: SpendCap, index: int, tenant: str) -> Loosening | None:
    ruling = [
        rule
        for rule in rules.caps or ()
        if rule.per == cap.per
        and rule.currency == cap.currency
        and rule.tenant in (None, tenant)
        and rule.flow in (None, cap.flow)
        and rule.tool in (None, cap.tool)
        and rule.micros < cap.micros
    ]
    if not ruling:
        return None
    lowest = min(ruling, key=lambda rule: rule.micros)
    return Loosening(
        ("spend", index),
        cap.id,
        f"{cap.micros} micros are more than the platform's {lowest.micros} ({lowest.id})",
        f"write at most {lowest.micros}, or leave the cap out; a tenant may only tighten",
    )
