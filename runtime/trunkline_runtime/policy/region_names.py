"""The names that addresses use for states, provinces and countries."""

_BY_COUNTRY = {
    "US": (
        "AL Alabama, AK Alaska, AS American Samoa, AZ Arizona, AR Arkansas, CA California, "
        "CO Colorado, CT Connecticut, DC District of Columbia, DE Delaware, FL Florida, GA "
        "Georgia, GU Guam, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS "
        "Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI "
        "Michigan, MN Minnesota, MP Northern Mariana Islands, MS Mississippi, MO Missouri, "
        "MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New "
        "Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR "
        "Oregon, PA Pennsylvania, PR Puerto Rico, RI Rhode Island, SC South Carolina, SD "
        "South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, VI Virgin "
        "Islands, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming "
    ),
    "CA": (
        "AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland "
        "and Labrador, NS Nova Scotia, NT Northwest Territories, NU Nunavut, ON Ontario, PE "
        "Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon "
    ),
    "AU": (
        "ACT Australian Capital Territory, NSW New South Wales, NT Northern Territory, QLD "
        "Queensland, SA South Australia, TAS Tasmania, VIC Victoria, WA Western Australia "
    ),
}

# What may stand at the end of an address, lower case, and its ISO 3166-1 code.
COUNTRY_NAMES = {
    "us": "US",
    "usa": "US",
    "united states": "US",
    "united states of america": "US",
    "canada": "CA",
    "au": "AU",
    "aus": "AU",
    "australia": "AU",
    "fr": "FR",
    "france": "FR",
}


def _names() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for country, listed in _BY_COUNTRY.items():
        for entry in listed.split(","):
            code, _, name = entry.strip().partition(" ")
            for word in (code.lower(), name.lower()):
                found[word] = (*found.get(word, ()), f"{country}-{code}")
    found["québec"] = found["quebec"]
    found["washington, d.c."] = found["washington dc"] = found["district of columbia"]
    return found


# Lower-case name or code → the regions that are called so, such as `wa` → US-WA and AU-WA.
REGION_NAMES = _names()
