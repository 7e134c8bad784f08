"""Where a party may be, with the jurisdictions that then hold."""

from dataclasses import dataclass

from trunkline_runtime.policy.address import UnknownAddress, address_of
from trunkline_runtime.policy.place import Unplaceable, place_of
from trunkline_runtime.policy.question import Party
from trunkline_runtime.policy.rules import Jurisdiction, Rules
from trunkline_runtime.policy.verdict import Reason


@dataclass(frozen=True)
class Whereabouts:
    """Every region and zone where one party may be; `reasons` say what makes it undecidable."""

    regions: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    jurisdictions: tuple[Jurisdiction, ...] = ()
    reasons: tuple[Reason, ...] = ()


def whereabouts(rules: Rules, party: Party) -> Whereabouts:
    """The union over what the number tells and what the known address tells."""
    try:
        place = place_of(party.number)
    except Unplaceable as error:
        return Whereabouts(
            reasons=(Reason("number_type", "number-type", f"the number cannot be called: {error}"),)
        )
    if party.address is not None:
        try:
            address = address_of(party.address, place.countries)
        except UnknownAddress as error:
            return Whereabouts(reasons=(Reason("unreadable", "address", str(error)),))
        place = place.with_area(address.country, address.area)
    found: list[Jurisdiction] = []
    reasons: list[Reason] = []
    zones = set(place.zones)
    for country in sorted(place.countries):
        jurisdiction = rules.jurisdictions.get(country)
        if jurisdiction is None:
            reasons.append(_missing(rules, country))
            continue
        found.append(jurisdiction)
        # A country without area codes may be anywhere in it, whatever else is known.
        zones |= jurisdiction.zones
    if not zones and not reasons:
        reasons.append(
            Reason("unreadable", found[0].path, "neither number nor document tell a time zone")
        )
    return Whereabouts(place.regions, frozenset(zones), tuple(found), tuple(reasons))


def _missing(rules: Rules, country: str) -> Reason:
    name = f"jurisdictions/{country.lower()}"
    fault = rules.unreadable.get(name)
    if fault is not None:
        return Reason("unreadable", name, f"policy/{name}.yaml cannot be read: {fault}")
    return Reason(
        "unreadable",
        name,
        f"there is no policy/{name}.yaml, so nobody in {country} may be called",
    )
