"""Which area code lies where: regions and time zones, from the tables in `data/`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Area:
    """The territory of one area code: every region and every zone that it reaches into."""

    regions: frozenset[str]
    zones: frozenset[str]


@dataclass(frozen=True)
class NumberingPlan:
    """`areas` by area code; `special` maps a code without a place to what it is."""

    areas: Mapping[str, Area]
    special: Mapping[str, str]


@cache
def plan(name: str) -> NumberingPlan:
    """The plan of `nanp` (area codes of three digits) or `au` (of one)."""
    text = (files(__package__) / "data" / f"{name}.json").read_text(encoding="utf-8")
    document: Mapping[str, Any] = json.loads(text)
    return NumberingPlan(
        areas={
            code: Area(frozenset(area["regions"]), frozenset(area["zones"]))
            for area in document["areas"]
            for code in area["codes"].split()
        },
        special={
            code: kind
            for kind, codes in document.get("special", {}).items()
            for code in codes.split()
        },
    )


@cache
def everywhere(name: str) -> Area:
    """The union of a plan: where a number may be that tells no place, such as a mobile one."""
    areas = plan(name).areas.values()
    return Area(
        frozenset().union(*(area.regions for area in areas)),
        frozenset().union(*(area.zones for area in areas)),
    )


@cache
def zones_of_region(region: str) -> frozenset[str]:
    """Every zone of a state, province or territory; empty for one that no plan knows."""
    return frozenset(
        name
        for plan_name in ("nanp", "au")
        for area in plan(plan_name).areas.values()
        # An area over several regions has zones of each; taking all of them is the strict side.
        if region in area.regions
        for name in area.zones
    )
