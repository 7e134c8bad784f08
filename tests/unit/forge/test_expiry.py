"""What runs out by itself, told before it does, and on the nightly page in order."""

from datetime import UTC, datetime, timedelta

import pytest

from trunkline.forge.expiry import Notice, exceptions, lists
from trunkline.forge.night import page

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def exception(expires: str, **target: str) -> dict[str, object]:
    return {
        "rule": "evening-window",
        "target": {"tenant": "acme", **target},
        "reason": "a survey",
        "owner": "ops",
        "approver": "compliance",
        "created": "2026-09-01",
        "expires": expires,
    }


@pytest.mark.parametrize(
    ("expires", "told"),
    [
        ("2026-11-30", (True, "ended on 2026-11-30")),
        ("2026-12-01", (False, "ends on 2026-12-01")),  # its last day is not over
        ("2026-12-08", (False, "ends on 2026-12-08")),
        ("2026-12-09", None),
    ],
)
def test_an_exception_holds_through_its_last_day(
    expires: str, told: tuple[bool, str] | None
) -> None:
    policy = {"exceptions.yaml": {"exceptions": [exception(expires, flow="survey")]}}
    found = [(one.urgent, one.message) for one in exceptions(policy, NOON)]
    said = "the exception from evening-window for acme/survey"
    assert found == ([] if told is None else [(told[0], f"{said} {told[1]}")])


@pytest.mark.parametrize(
    ("age", "told"),
    [
        (timedelta(days=31), True),
        (timedelta(days=31) - timedelta(minutes=1), False),
        (timedelta(days=24), False),
        (timedelta(days=24) - timedelta(minutes=1), None),
    ],
)
def test_a_list_is_told_a_week_before_it_is_too_old(age: timedelta, told: bool | None) -> None:
    entry = {
        "id": "registry",
        "uri": "registry.txt",
        "level": "mandatory",
        "sha256": "0" * 64,
        "source": "the registry",
        "obtained_at": (NOON - age).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "max_age": "31d",
    }
    found = list(lists({"dnc.yaml": {"lists": [entry]}}, NOON))
    assert [one.urgent for one in found] == ([] if told is None else [told])
    ageless = {key: value for key, value in entry.items() if key != "max_age"}
    assert list(lists({"dnc.yaml": {"lists": [ageless]}}, NOON)) == []


def test_a_repository_without_such_documents_has_nothing_to_tell() -> None:
    assert [*exceptions({}, NOON), *lists({}, NOON)] == []
    assert page([]) == "Nothing ran out or drifted apart.\n"


def test_the_page_has_a_part_for_each_kind_and_begins_with_what_has_happened() -> None:
    found = [
        Notice("drift", True, "acme has never been released"),
        Notice("exception", False, "one ends"),
        Notice("exception", True, "two ended"),
    ]
    assert page(found) == (
        "### Exceptions\n\n- two ended\n- one ends\n\n"
        "### What is released and what is not\n\n- acme has never been released\n"
    )
