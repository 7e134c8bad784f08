"""Windows on the days when clocks change, to the minute."""

from datetime import timedelta

import pytest

from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.rule import Window
from trunkline_runtime.policy.scope import Scope
from trunkline_runtime.policy.week import Week
from trunkline_runtime.policy.window_limit import WindowLimit

MINUTE = timedelta(minutes=1)
DAILY = Window("daily", "mandatory", Scope(), week=Week.from_document({"mon-sun": "08:00-21:00"}))

# Zone, when 8:00 and 21:00 are on the day of the change: written down from the offsets that hold
# after each change, not computed.
CHANGES = [
    ("America/New_York", "2026-03-08T12:00:00Z", "2026-03-09T01:00:00Z"),
    ("America/New_York", "2026-11-01T13:00:00Z", "2026-11-02T02:00:00Z"),
    ("America/New_York", "2027-03-14T12:00:00Z", "2027-03-15T01:00:00Z"),
    ("America/New_York", "2027-11-07T13:00:00Z", "2027-11-08T02:00:00Z"),
    ("America/St_Johns", "2026-03-08T10:30:00Z", "2026-03-08T23:30:00Z"),
    ("America/St_Johns", "2026-11-01T11:30:00Z", "2026-11-02T00:30:00Z"),
    ("America/St_Johns", "2027-03-14T10:30:00Z", "2027-03-14T23:30:00Z"),
    ("America/St_Johns", "2027-11-07T11:30:00Z", "2027-11-08T00:30:00Z"),
    ("Europe/London", "2026-03-29T07:00:00Z", "2026-03-29T20:00:00Z"),
    ("Europe/London", "2026-10-25T08:00:00Z", "2026-10-25T21:00:00Z"),
    ("Europe/London", "2027-03-28T07:00:00Z", "2027-03-28T20:00:00Z"),
    ("Europe/London", "2027-10-31T08:00:00Z", "2027-10-31T21:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T21:30:00Z", "2026-04-05T10:30:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T21:00:00Z", "2026-10-04T10:00:00Z"),
    ("Australia/Lord_Howe", "2027-04-03T21:30:00Z", "2027-04-04T10:30:00Z"),
    ("Australia/Lord_Howe", "2027-10-02T21:00:00Z", "2027-10-03T10:00:00Z"),
    ("America/Havana", "2026-03-08T12:00:00Z", "2026-03-09T01:00:00Z"),
    # Cuba stays on summer time through this winter, as tzdata 2026f has it.
    ("America/Havana", "2026-11-01T12:00:00Z", "2026-11-02T01:00:00Z"),
    ("America/Havana", "2027-03-14T12:00:00Z", "2027-03-15T01:00:00Z"),
    ("America/Havana", "2027-11-07T13:00:00Z", "2027-11-08T02:00:00Z"),
]


@pytest.mark.parametrize(("zone", "opens", "closes"), CHANGES)
def test_a_window_opens_and_closes_to_the_minute(zone: str, opens: str, closes: str) -> None:
    limit, first, last = WindowLimit(DAILY, zone), instant(opens), instant(closes)
    assert limit.closed_because(first - MINUTE) is not None
    assert limit.closed_because(first) is None
    assert limit.closed_because(last - MINUTE) is None
    assert limit.closed_because(last) is not None


@pytest.mark.parametrize(("zone", "opens", "closes"), CHANGES)
def test_the_next_opening_is_found_through_the_change(zone: str, opens: str, closes: str) -> None:
    limit, first = WindowLimit(DAILY, zone), instant(opens)
    for earlier in (1, 30, 60, 61, 119, 239, 420, 600):
        assert limit.next_open(first - earlier * MINUTE) == first


@pytest.mark.parametrize(("zone", "opens", "closes"), CHANGES)
def test_every_minute_around_the_change_is_open_or_closed_once(
    zone: str, opens: str, closes: str
) -> None:
    limit = WindowLimit(DAILY, zone)
    start, first, last = instant(opens) - 8 * 60 * MINUTE, instant(opens), instant(closes)
    at = start
    while at < last + 8 * 60 * MINUTE:
        assert (limit.closed_because(at) is None) == (first <= at < last), at
        at += MINUTE


def test_a_window_in_an_hour_that_is_skipped_does_not_open() -> None:
    week = Week.from_document({"mon-sun": "02:00-03:00"})
    limit = WindowLimit(Window("night", "mandatory", Scope(), week=week), "America/New_York")
    # On 8 March 2026 the clocks go from 2:00 to 3:00; the next night has the hour again.
    assert limit.next_open(instant("2026-03-08T06:30:00Z")) == instant("2026-03-09T06:00:00Z")


def test_a_window_in_an_hour_that_comes_twice_opens_twice() -> None:
    week = Week.from_document({"mon-sun": "01:00-01:30"})
    limit = WindowLimit(Window("night", "mandatory", Scope(), week=week), "America/New_York")
    assert limit.next_open(instant("2026-11-01T04:00:00Z")) == instant("2026-11-01T05:00:00Z")
    assert limit.next_open(instant("2026-11-01T05:30:00Z")) == instant("2026-11-01T06:00:00Z")
    assert limit.closed_because(instant("2026-11-01T06:30:00Z")) is not None
