"""Hours as documents write them."""

import pytest

from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.week import ALWAYS, NEVER, Week


def week(**hours: object) -> Week:
    return Week.from_document({key.replace("_", "-"): value for key, value in hours.items()})


def test_the_end_is_not_included() -> None:
    hours = week(mon_fri="09:00-17:00")
    assert hours.is_open(0, 9 * 3600)
    assert hours.is_open(0, 17 * 3600 - 1)
    assert not hours.is_open(0, 17 * 3600)
    assert not hours.is_open(0, 9 * 3600 - 1)


def test_a_day_that_is_not_named_is_closed() -> None:
    assert not week(mon_fri="00:00-24:00").is_open(5, 12 * 3600)


def test_a_range_may_run_over_the_weekend() -> None:
    hours = week(sat_mon="10:00-11:00")
    assert [day for day in range(7) if hours.is_open(day, 10 * 3600)] == [0, 5, 6]


def test_several_windows_a_day() -> None:
    hours = week(mon=["10:00-13:00", "14:00-20:00"])
    assert [hour for hour in range(24) if hours.is_open(0, hour * 3600)] == [
        10,
        11,
        12,
        14,
        15,
        16,
        17,
        18,
        19,
    ]


@pytest.mark.parametrize(
    "written",
    [
        "12:00-12:00",  # a window from noon to noon, which one product stored for 12pm to 9pm
        "12:00-09:00",
        "21:00-08:00",
        "1200-1200",
        "9:00-17:00",
        "09:00-25:00",
        "09:60-17:00",
        "09:00",
        "",
        "09:00-17:00-18:00",
        ["09:00-12:00", "11:00-14:00"],
        ["09:00-12:00", "12:00-14:00"],
        None,
        9,
        [None],
    ],
)
def test_hours_that_nobody_can_mean_are_malformed(written: object) -> None:
    with pytest.raises(Malformed):
        week(mon=written)


def test_a_day_given_twice_is_malformed() -> None:
    with pytest.raises(Malformed, match="wed is given twice"):
        week(mon_fri="09:00-17:00", wed="10:00-12:00")


def test_a_day_that_does_not_exist_is_malformed() -> None:
    with pytest.raises(Malformed):
        week(monday="09:00-17:00")


def test_what_is_open_in_both_in_either_and_in_one_alone() -> None:
    early, late = week(mon="08:00-12:00"), week(mon="10:00-14:00")
    assert early.within(late) == week(mon="10:00-12:00")
    assert early.beside(late) == week(mon="08:00-14:00")
    assert early.without(late) == week(mon="08:00-10:00")
    assert ALWAYS.without(ALWAYS) == NEVER


def test_hours_are_told_in_the_words_of_a_document() -> None:
    assert str(week(mon_sat="09:00-21:00", sun="12:00-21:00")) == (
        "mon-sat 09:00-21:00, sun 12:00-21:00"
    )
    assert str(NEVER) == "never"
