"""Where the other party of a call may be, as far as the number tells: never a guess."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import phonenumbers

from trunkline_runtime.policy.numbering import Area, everywhere, plan

_E164 = re.compile(r"\+[1-9][0-9]{6,14}")

_SPECIAL = {
    "toll_free": "toll-free numbers are answered anywhere",
    "premium": "premium-rate numbers are not called",
    "personal": "personal numbers follow their owner anywhere",
    "carrier": "numbers of carriers and services have no place",
}
_KINDS = phonenumbers.PhoneNumberType
_PLACEABLE = frozenset({_KINDS.FIXED_LINE, _KINDS.MOBILE, _KINDS.FIXED_LINE_OR_MOBILE, _KINDS.VOIP})
_UNPLACEABLE = {
    _KINDS.TOLL_FREE: _SPECIAL["toll_free"],
    _KINDS.PREMIUM_RATE: _SPECIAL["premium"],
    _KINDS.SHARED_COST: "shared-cost numbers are answered anywhere",
    _KINDS.PERSONAL_NUMBER: _SPECIAL["personal"],
    _KINDS.PAGER: "pagers are not called",
    _KINDS.UAN: "company-wide numbers are answered anywhere",
    _KINDS.VOICEMAIL: "voicemail access numbers are not called",
}


@dataclass(frozen=True)
class Place:
    """Every country, region (`US-FL`) and time zone where the party may be.

    `zones` is empty for a country whose numbers tell no zone: its document names them.
    """

    countries: frozenset[str]
    regions: frozenset[str]
    zones: frozenset[str]

    def with_area(self, country: str, area: Area) -> "Place":
        """This place or that area: what holds must hold in both."""
        return Place(
            self.countries | {country},
            self.regions | area.regions | {country},
            self.zones | area.zones,
        )


class Unplaceable(ValueError):
    """A number that cannot be called because of what kind of number it is; says why."""


def place_of(number: str) -> Place:
    """Where the owner of an E.164 number may be. Raises Unplaceable.

    The whole area code counts, never a single exchange: people keep their numbers when they move
    within it, and the finer tables are wrong where they matter (see `data/nanp.json`).
    """
    if not _E164.fullmatch(number):
        raise Unplaceable("it is not written in E.164: a +, the country code and the number")
    if number.startswith("+1"):
        return _north_american(number)
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        raise Unplaceable("no country has such a number") from None
    if not phonenumbers.is_valid_number(parsed):
        raise Unplaceable("its country has no such number")
    kind = phonenumbers.number_type(parsed)
    if kind not in _PLACEABLE:
        raise Unplaceable(_UNPLACEABLE.get(kind, "nothing tells what kind of number it is"))
    country = phonenumbers.region_code_for_number(parsed)
    if country is None or country == "001":
        raise Unplaceable("it belongs to no country")
    if country == "AU":
        return _placed(country, _australian(str(parsed.national_number)))
    return _placed(country, Area(frozenset(), frozenset()))


def _north_american(number: str) -> Place:
    national = number[2:]
    code, exchange = national[:3], national[3:6]
    if code[0] in "01" or code[1:] == "11":
        raise Unplaceable("no area code begins like this")
    kind = plan("nanp").special.get(code)
    if kind is not None:
        raise Unplaceable(_SPECIAL[kind])
    if len(national) != 10:
        short = len(national) < 10
        raise Unplaceable(f"it is too {'short' if short else 'long'} for North America")
    if exchange[0] in "01" or exchange[1:] == "11":
        raise Unplaceable("no North American number goes on like this after the area code")
    if exchange == "976":
        raise Unplaceable(_SPECIAL["premium"])
    area = plan("nanp").areas.get(code)
    if area is not None:
        return _placed(_country(area.regions), area)
    # An island with the code 1 is a country of its own; it takes a document like any other.
    country = phonenumbers.region_code_for_number(
        phonenumbers.PhoneNumber(country_code=1, national_number=int(national))
    ) or _island(code)
    if country is None or country in ("US", "CA"):
        raise Unplaceable(f"no table knows where the area code {code} is")
    return _placed(country, Area(frozenset(), frozenset()))


def _island(code: str) -> str | None:
    """The country of an area code abroad, whether or not the rest is a number in use there."""
    for country in phonenumbers.COUNTRY_CODE_TO_REGION_CODE[1]:
        metadata = phonenumbers.PhoneMetadata.metadata_for_region(country)
        if (
            metadata is not None
            and metadata.leading_digits is not None
            and re.fullmatch(metadata.leading_digits, code)
        ):
            return str(country)
    return None


def _australian(national: str) -> Area:
    return plan("au").areas.get(national[0], everywhere("au"))


def _country(regions: Iterable[str]) -> str:
    return next(iter(regions)).partition("-")[0]


def _placed(country: str, area: Area) -> Place:
    return Place(frozenset(), frozenset(), frozenset()).with_area(country, area)
