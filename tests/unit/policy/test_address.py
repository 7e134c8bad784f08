"""A known address adds a place; one that cannot be understood denies."""

import pytest

from trunkline_runtime.policy.address import UnknownAddress, address_of
from trunkline_runtime.policy.judge import judge


@pytest.mark.parametrize(
    ("written", "region"),
    [
        ("US-FL", "US-FL"),
        ("us-ut", "US-UT"),
        ("Pensacola, FL 32501", "US-FL"),
        ("1 Main St, Salt Lake City, UT 84101", "US-UT"),
        ("Salt Lake City UT 84101", "US-UT"),
        ("Toronto, Ontario M5V 2T6, Canada", "CA-ON"),
        ("New York, New York", "US-NY"),
        ("Seattle, WA, USA", "US-WA"),
        ("WA", "US-WA"),
        ({"country": "US", "region": "FL"}, "US-FL"),
        ({"region": "US-UT"}, "US-UT"),
        ({"country": "Canada", "region": "Québec"}, "CA-QC"),
    ],
)
def test_a_state_or_province_is_read(written: str | dict[str, object], region: str) -> None:
    assert region in address_of(written, ["US"]).area.regions


@pytest.mark.parametrize(
    "written",
    ["nowhere", "", "Port Washington", "US-ZZ", "32501", {"country": "US"}, {}, {"region": "ZZ"}],
)
def test_a_region_is_never_guessed(written: str | dict[str, object]) -> None:
    with pytest.raises(UnknownAddress):
        address_of(written, ["US"])


def test_a_name_in_two_countries_is_that_of_the_number() -> None:
    assert address_of("WA", ["AU"]).country == "AU"
    with pytest.raises(UnknownAddress, match="US-WA or AU-WA"):
        address_of("WA", ["FR"])


def test_the_address_is_one_more_place_and_replaces_none(shipped, ask) -> None:
    # A New York number whose owner moved to Utah: closed on Sundays, and late in the east.
    sunday = ask(at="2026-12-06T19:00:00Z", address="Provo, UT")
    assert "us-ut-window" in {reason.rule for reason in judge(shipped, sunday).reasons}
    late = ask(at="2026-12-08T02:30:00Z", address="Provo, UT")
    closed = {"us-ut-window", "us-window"}
    assert {reason.rule for reason in judge(shipped, late).reasons} == closed


def test_an_address_that_tells_nothing_denies(shipped, ask) -> None:
    verdict = judge(shipped, ask(address="somewhere"))
    assert [reason.kind for reason in verdict.reasons] == ["unreadable"]
