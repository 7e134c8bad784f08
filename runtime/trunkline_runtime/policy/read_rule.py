"""The part that all rules of all documents have in common."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, TypedDict

from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.scope import Scope


class Head(TypedDict):
    """The fields of `Rule`, by name."""

    id: str
    level: str
    scope: Scope
    description: str
    source: str
    effective_from: date
    effective_until: date


def read_head(written: Mapping[str, Any], country: str | None = None) -> Head:
    """What a rule says of itself. Raises Malformed for a date that no calendar has."""
    scope = Scope.from_document(written.get("applies_to"), country)
    if country is not None and not all(
        region == country or region.startswith(f"{country}-") for region in scope.regions or ()
    ):
        raise Malformed(f"{written['id']}: a rule of {country} names a region outside of it")
    return Head(
        id=written["id"],
        level=written.get("level", "mandatory"),
        scope=scope,
        description=written.get("description", ""),
        source=written.get("source", ""),
        effective_from=read_date(written.get("effective_from"), date.min),
        effective_until=read_date(written.get("effective_until"), date.max),
    )


def read_date(text: str | None, absent: date) -> date:
    """A calendar date, or `absent`. Raises Malformed."""
    if text is None:
        return absent
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Malformed(f'{text!r} is no date; write it as "2026-11-29"') from None


def unique_ids(written: Iterable[Mapping[str, Any]]) -> None:
    """Raises Malformed if two rules of a document share an id: a decision names rules by it."""
    seen: set[str] = set()
    for rule in written:
        if rule["id"] in seen:
            raise Malformed(f"the id {rule['id']} is used twice")
        seen.add(rule["id"])
