"""What two telephone numbers have in common, said without showing either."""

import phonenumbers


def same_place(one: str, other: str) -> str:
    """`same country and area code`, `same country, another area code`, `another country`."""
    try:
        first, second = phonenumbers.parse(one, None), phonenumbers.parse(other, None)
    except phonenumbers.NumberParseException:
        return "another number"
    if _country(first) != _country(second):
        return "another country"
    areas = _area(first), _area(second)
    if not all(areas):
        return "same country"
    return (
        "same country and area code"
        if areas[0] == areas[1]
        else ("same country, another area code")
    )


def _country(number: phonenumbers.PhoneNumber) -> str:
    """The region where it can be told (several share a country code), else the country code."""
    return phonenumbers.region_code_for_number(number) or f"+{number.country_code}"


def _area(number: phonenumbers.PhoneNumber) -> str:
    length = phonenumbers.length_of_geographical_area_code(number)
    return phonenumbers.national_significant_number(number)[:length]
