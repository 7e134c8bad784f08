"""Scalars without quotes: what every YAML reader agrees on, and what none can be sure of."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trunkline.source.plain import LARGEST_INTEGER, Ambiguous, plain_scalar

_AGREED = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "FALSE": False,
    "0": 0,
    "12": 12,
    "-7": -7,
    "9007199254740991": LARGEST_INTEGER,
    "0.5": 0.5,
    ".5": 0.5,
    "-2.25": -2.25,
    "1.5e+3": 1500.0,
    # Text, whatever it looks like.
    "09:00": "09:00",
    "09:00-17:00": "09:00-17:00",
    "1.2.3": "1.2.3",
    "10.0.0.1": "10.0.0.1",
    "5%": "5%",
    "2nd": "2nd",
    "+": "+",
    "-": "-",
    ".": ".",
    "yes please": "yes please",
    "no-answer": "no-answer",
    "nOpe": "nOpe",
    "(202) 555-0143": "(202) 555-0143",
    "slots.amount_due > 0.0": "slots.amount_due > 0.0",
    "1:99": "1:99",
    "infinity": "infinity",
    "en-US": "en-US",
}

_AMBIGUOUS = (
    *("yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF"),
    *("y", "Y", "n", "N", "="),
    *("21:00", "1:30", "190:20:30", "-1:30", "190:20:30.15"),
    *("0205550143", "007", "0899", "00", "-012", "-0", "-0.0", "01.5"),
    *("+12025550143", "+5", "+1.5", "+.5"),
    *("2026-01-02", "2026-1-2", "2026-13-45", "2026-01-02 10:00:00", "2026-01-02T10:00:00Z"),
    *("1_000", "1_000.5", "0b101", "0o17", "017", "0x1F", "-0x1f"),
    *("1e3", "1.5e3", "1E5"),
    *("9007199254740992", "-9007199254740992", "9" * 5000, "1" * 400 + ".0", "1.5e+999"),
    *("0.12345678901234567890",),
    *(".inf", "-.inf", "+.INF", ".nan", ".NaN"),
)


@pytest.mark.parametrize(("text", "value"), _AGREED.items())
def test_what_yaml_readers_agree_on(text: str, value: object) -> None:
    read = plain_scalar(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("text", _AMBIGUOUS, ids=lambda text: text[:24])
def test_what_they_read_differently_or_what_loses_something(text: str) -> None:
    assert isinstance(plain_scalar(text), Ambiguous)


def _as_yaml_1_1(text: str) -> object:
    return yaml.load(text, Loader=yaml.CSafeLoader)


@given(st.text(alphabet="0123456789+-._:eExXoObBnNyYaAfF~=", min_size=1, max_size=12))
def test_what_is_not_ambiguous_is_what_yaml_1_1_reads(text: str) -> None:
    """PyYAML is a YAML 1.1 reader: wherever we take a value, it takes the same."""
    value = plain_scalar(text)
    try:
        other = _as_yaml_1_1(text)
    except (yaml.YAMLError, ValueError, OverflowError):
        return
    if not isinstance(value, Ambiguous) and not isinstance(other, dict | list):
        assert (type(value), value) == (type(other), other)


@given(st.integers(-LARGEST_INTEGER, LARGEST_INTEGER))
def test_integers_come_back_as_they_are(number: int) -> None:
    assert plain_scalar(str(number)) == number


@given(st.integers(min_value=LARGEST_INTEGER + 1))
def test_integers_that_json_cannot_hold_are_refused(number: int) -> None:
    assert isinstance(plain_scalar(str(number)), Ambiguous)
    assert isinstance(plain_scalar(str(-number)), Ambiguous)
