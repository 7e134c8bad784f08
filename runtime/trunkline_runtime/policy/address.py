"""A known address of the party: one more place where they may be."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trunkline_runtime.policy.clock import UnknownZone, zone
from trunkline_runtime.policy.numbering import Area, zones_of_region
from trunkline_runtime.policy.region_names import COUNTRY_NAMES, REGION_NAMES


class UnknownAddress(ValueError):
    """An address that does not tell the region; the message says what to write."""


@dataclass(frozen=True)
class Address:
    """A country and, where it is known, the region within it and the zones there."""

    country: str
    area: Area


_HELP = 'write the state or province, as in US-FL or "Pensacola, FL"'
_CODE = re.compile(r"[A-Z]{2}-[A-Z0-9]{1,3}")
# Countries in which the hours depend on the region: the country alone tells too little.
_BY_REGION = frozenset({"US", "CA", "AU"})


def address_of(written: str | Mapping[str, object], likely: Iterable[str] = ()) -> Address:
    """The place that an address tells. Raises UnknownAddress: a region is never guessed.

    `written` is text (`US-FL`, `Pensacola, FL 32501`, `Toronto, Ontario, Canada`) or a mapping
    with `country`, `region` and perhaps `zone`. `likely` are the countries of the number: they
    decide where two countries have a region of one name (WA, NT).
    """
    if isinstance(written, str):
        return _from_text(written, frozenset(likely))
    country = _text(written.get("country"))
    country = COUNTRY_NAMES.get(country.lower(), country.upper())
    region = _text(written.get("region"))
    name = _text(written.get("zone"))
    found = _region(region, country or None, frozenset(likely)) if region else None
    if found is not None:
        return _placed(found.partition("-")[0], found, name)
    if country and not region and (name or country not in _BY_REGION):
        return _placed(country, None, name)
    raise UnknownAddress(f"the address tells no region that is known; {_HELP}")


def _from_text(text: str, likely: frozenset[str]) -> Address:
    pieces = [_without_postcode(piece) for piece in text.split(",")]
    pieces = [piece for piece in pieces if piece]
    country: str | None = None
    if len(pieces) > 1 and pieces[-1].lower() in COUNTRY_NAMES:
        country = COUNTRY_NAMES[pieces.pop().lower()]
    for piece in reversed(pieces):
        last = piece.rpartition(" ")[2]
        found = _region(piece, country, likely)
        if found is None and last.isupper() and len(last) in (2, 3):
            found = _region(last, country, likely)
        if found is not None:
            return _placed(found.partition("-")[0], found, "")
    if country is not None and country not in _BY_REGION:
        return _placed(country, None, "")
    raise UnknownAddress(f"no state or province could be read from the address; {_HELP}")


def _region(piece: str, country: str | None, likely: frozenset[str]) -> str | None:
    code = piece.upper()
    if _CODE.fullmatch(code):
        return code if zones_of_region(code) and country in (None, code[:2]) else None
    names = [name for name in REGION_NAMES.get(piece.lower(), ()) if country in (None, name[:2])]
    if len(names) > 1:
        names = [name for name in names if name[:2] in likely] or names
    if len(names) > 1:
        raise UnknownAddress(f"{piece!r} is in several countries; write {' or '.join(names)}")
    return names[0] if names else None


def _without_postcode(piece: str) -> str:
    if _CODE.fullmatch(piece.strip().upper()):
        return piece.strip()
    return " ".join(word for word in piece.split() if not any(map(str.isdigit, word)))


def _placed(country: str, region: str | None, zone_name: str) -> Address:
    zones = zones_of_region(region) if region else frozenset()
    if zone_name:
        try:
            zone(zone_name)
        except UnknownZone:
            raise UnknownAddress(f"there is no time zone {zone_name!r}") from None
        zones = frozenset({zone_name})
    return Address(country, Area(frozenset({region} if region else ()), zones))


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
