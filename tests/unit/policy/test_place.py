"""Where a number may be, and which numbers cannot be called at all."""

import phonenumbers
import pytest
from phonenumbers.tzdata import TIMEZONE_DATA

from trunkline_runtime.policy.clock import zone
from trunkline_runtime.policy.numbering import everywhere, plan
from trunkline_runtime.policy.place import Unplaceable, place_of

# Where data/nanp.json says, with a reason, that the packaged zone of an area code is wrong.
CORRECTED = {"689": {"America/Chicago"}, "879": {"America/Puerto_Rico"}}


@pytest.mark.parametrize(
    ("number", "zones"),
    [
        ("+12125550143", {"America/New_York"}),
        ("+14805550143", {"America/Phoenix"}),
        ("+19285550143", {"America/Denver", "America/Phoenix"}),
        ("+18505550143", {"America/Chicago", "America/New_York"}),
        ("+14485550143", {"America/Chicago", "America/New_York"}),
        ("+18125550143", {"America/Chicago", "America/New_York"}),
        ("+19305550143", {"America/Chicago", "America/New_York"}),
        ("+12705550143", {"America/Chicago", "America/New_York"}),
        ("+13645550143", {"America/Chicago", "America/New_York"}),
        ("+15415550143", {"America/Boise", "America/Denver", "America/Los_Angeles"}),
        ("+14585550143", {"America/Boise", "America/Denver", "America/Los_Angeles"}),
        ("+17095550143", {"America/Goose_Bay", "America/Halifax", "America/St_Johns"}),
        ("+14075550143", {"America/New_York"}),
    ],
)
def test_the_whole_area_code_with_its_overlays_counts(number: str, zones: set[str]) -> None:
    assert place_of(number).zones == zones


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("+18005550143", "toll-free"),
        ("+18335550143", "toll-free"),
        ("+19005550143", "premium"),
        ("+15005550143", "personal"),
        ("+16005550143", "carriers"),
        ("+13575550143", "no table knows"),
        ("+17295550143", "no table knows"),
        ("+12125550", "too short"),
        ("+121255501430", "too long"),
        ("+12129760143", "premium"),
        ("+12120550143", "goes on like this"),
        ("+12119110143", "begins like this|goes on like this"),
        ("+11125550143", "begins like this"),
        ("+14115550143", "begins like this"),
        ("212-555-0143", "E.164"),
        ("2125550143", "E.164"),
        ("+1 212 555 0143", "E.164"),
        ("+\u0661\u0662\u0661\u0662\u0665\u0665\u0665\u0660\u0661\u0664\u0663", "E.164"),
        ("+12125550143\n", "E.164"),
        ("", "E.164"),
        ("911", "E.164"),
        ("+33800000000", "toll-free"),
        ("+61180012345", "no such number|toll-free"),
        ("+999123456789", "no country"),
    ],
)
def test_a_number_that_has_no_place_is_told_apart_by_its_kind(number: str, why: str) -> None:
    with pytest.raises(Unplaceable, match=why):
        place_of(number)


def test_a_mobile_number_of_australia_may_be_anywhere_in_it() -> None:
    place = place_of("+61491570156")
    assert place.zones == everywhere("au").zones
    assert {"Australia/Darwin", "Australia/Lord_Howe", "Australia/Perth"} <= place.zones


def test_area_8_of_australia_holds_darwin() -> None:
    assert "Australia/Darwin" in place_of("+61855501234").zones


def test_islands_with_the_code_1_are_countries_of_their_own() -> None:
    assert place_of("+18765550143").countries == {"JM"}
    assert place_of("+12425550143").countries == {"BS"}


def test_islands_within_another_countrys_plan_are_not_placed_in_it() -> None:
    assert place_of("+61891621234").countries == {"CC"}


def test_every_zone_of_every_area_code_can_be_loaded() -> None:
    for name in ("nanp", "au"):
        for area in plan(name).areas.values():
            assert area.zones
            assert area.regions
            for zone_name in area.zones:
                zone(zone_name)


def test_no_zone_that_the_package_knows_is_missing_from_the_table() -> None:
    """A new release of phonenumbers that learns of a zone must not go unnoticed."""
    for prefix, names in TIMEZONE_DATA.items():
        text = str(prefix)
        area = plan("nanp").areas.get(text[1:4]) if text.startswith("1") and len(text) > 3 else None
        if area is None:
            continue
        missing = set(names) - area.zones - CORRECTED.get(text[1:4], set())
        if text[1:4] in ("306", "474", "639", "250", "236", "257", "672", "778"):
            missing -= {"America/Winnipeg"}
        assert not missing, (text, missing)


def test_every_area_code_in_use_is_in_the_table_or_abroad() -> None:
    for code in range(201, 1000):
        region = phonenumbers.region_code_for_number(
            phonenumbers.PhoneNumber(country_code=1, national_number=int(f"{code}5550143"))
        )
        if region not in ("US", "CA") or str(code) in plan("nanp").special:
            continue
        assert str(code) in plan("nanp").areas, code
