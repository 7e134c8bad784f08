"""Hours, numbers, money and conditions are told in words, and only where that is certain."""

from typing import Any

import pytest

from trunkline.diff.cases import moved
from trunkline.diff.guards import guard_label, guard_of, in_words
from trunkline.diff.phrases import grown, instead
from trunkline.diff.rule_words import moved_told, rule_told
from trunkline.diff.scope import scope_told
from trunkline.diff.telephone import same_place
from trunkline.diff.windows import hours_told
from trunkline_runtime.catalogue.entry import ToolEntry

PARTY = "in the called person's time"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            {"mon-sun": "08:00-21:00"},
            {"mon-sun": "07:00-21:00"},
            f"people may now be called 07:00–08:00 (1 hour earlier), Mon–Sun, {PARTY}",  # noqa: RUF001
        ),
        (
            {"mon-fri": "08:00-21:00"},
            {"mon-fri": "08:00-21:30", "sat": "10:00-12:00"},
            "people may now be called 21:00–21:30 (30 minutes later), Mon–Fri and "  # noqa: RUF001
            f"10:00–12:00, Sat, {PARTY}",  # noqa: RUF001
        ),
        (
            {"mon": "08:00-12:00"},
            {"mon": "09:00-13:30"},
            "people may now be called 12:00–13:30 (1 hour 30 minutes later), Mon, but may no "  # noqa: RUF001
            f"longer be called 08:00–09:00, Mon, {PARTY}",  # noqa: RUF001
        ),
        ({"mon": "08:00-12:00"}, {"mon": "08:00-12:00"}, ""),
        ({"mon": "noon"}, {"mon": "08:00-12:00"}, ""),
        ({"mon": "08:00-12:00"}, 12, ""),
    ],
)
def test_hours(before: Any, after: Any, told: str) -> None:
    assert hours_told({"hours": before}, {"hours": after}) == told


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("+12025550101", "+12025550102", "same country and area code"),
        ("+12025550101", "+13125550102", "same country, another area code"),
        ("+12025550101", "+441632960101", "another country"),
        # One country code, two countries.
        ("+12025550101", "+16135550101", "another country"),
        ("+12025550101", "nobody", "another number"),
    ],
)
def test_numbers(one: str, other: str, told: str) -> None:
    assert same_place(one, other) == told


def test_money_has_even_decimals_and_a_sign() -> None:
    assert grown(630_000, 606_000, "USD") == "USD 0.630, +USD 0.024 (+4%)"
    assert grown(300_000, 400_000, "EUR") == "EUR 0.30, −EUR 0.10 (−25%)"  # noqa: RUF001
    assert grown(300_000, 0, "USD") == "USD 0.30, +USD 0.30"


def test_what_was_not_there_is_not_called_nothing() -> None:
    assert instead("a", "b") == "`a` instead of `b`"
    assert instead("a", None) == "`a`, where nothing was set"
    assert instead([], ["b"]) == "no longer `b`"


def entry(match: dict[str, Any], **more: Any) -> ToolEntry:
    document = {
        **{"schema_version": 1, "id": "look", "description": "Look.", "effects": []},
        **{"parameters": {"type": "object", "properties": {"deep": {"type": "boolean"}}}},
        **{"result": {"type": "object", "properties": {"match": match, **more}}},
        "run": {"http": {"method": "GET", "path": "/"}},
    }
    return ToolEntry.from_document("crm", document)


ENUM = {"type": "string", "enum": ["exact", "partial", "none"]}


@pytest.mark.parametrize(
    ("before", "after", "way", "opened", "closed"),
    [
        ('result.match == "exact"', 'result.match != "none"', "loosened",
         "`match` is `partial`", ""),
        ('result.match != "none"', 'result.match == "exact"', "tightened",
         "", "`match` is `partial`"),
        ('result.match == "exact"', 'result.match == "none"', "changed",
         "`match` is `none`", "`match` is `exact`"),
        ('result.match == "exact"', '"exact" == result.match', "same", "", ""),
        ('result.match == "exact"', 'result.match == "exact" && args.deep', "tightened",
         "", "`deep` is false and `match` is `exact`"),
        ('result.match == "exact"', "true", "loosened",
         "`match` is `partial`, or `match` is `none`", ""),
        # A text that may be anything, and a condition that does not compile: nobody can tell.
        ('result.text == "a"', 'result.text != "b"', "changed", "", ""),
        ('result.match == "exact"', "result.match ==", "changed", "", ""),
    ],
)  # fmt: skip
def test_conditions_over_what_a_schema_lists(
    before: str, after: str, way: str, opened: str, closed: str
) -> None:
    tool = entry(ENUM, text={"type": "string"})
    found = moved(before, after, tool, tool)
    assert (found.way, found.opened, found.closed) == (way, opened, closed)


def test_too_many_cases_are_not_looked_at() -> None:
    many = {f"f{number}": {"type": "boolean"} for number in range(12)}
    tool = entry(ENUM, **many)
    condition = " && ".join(f"result.{name}" for name in many)
    assert moved(condition, f"{condition} || result.f0", tool, tool).way == "changed"


@pytest.mark.parametrize(
    ("written", "label", "words"),
    [
        ({"requires": ["slots.amount"], "if": "slots.amount > 0.0"},
         "amount > 0 and amount is set", "`slots.amount > 0.0` and `amount` set"),
        ({"requires": ["verified"]}, "verified", "`verified`"),
        ({"if": "!facts.paid && failed.charge"}, "not paid and charge failed",
         "`!facts.paid` and `failed.charge`"),
        ({"if": "call.visits >= 2"}, "visits ≥ 2", "`call.visits >= 2`"),
        ({"if": 'slots.plan != "a.b"'}, 'plan ≠ "a.b"', '`slots.plan != "a.b"`'),
        ({"if": "facts.a || facts.b"}, "facts.a || facts.b", "`facts.a || facts.b`"),
        ({"if": "size(slots.name) > 2"}, "size(slots.name) > 2", "`size(slots.name) > 2`"),
        ({}, "", ""),
    ],
)  # fmt: skip
def test_guards(written: dict[str, Any], label: str, words: str) -> None:
    assert guard_label(guard_of(written)) == label
    assert in_words(guard_of(written)) == words


def test_whom_a_rule_is_for() -> None:
    scope = {"direction": "outbound", "region": ["US", "CA"], "purpose": ["sales"]}
    assert scope_told({"applies_to": scope}) == "outbound calls to `US`, `CA` for `sales`"
    assert scope_told({"applies_to": {"direction": "outbound"}}, "France") == (
        "outbound calls to France"
    )
    assert scope_told({}) == "all calls"


@pytest.mark.parametrize(
    ("word", "before", "after", "told"),
    [
        ("cap on attempts", {"max": 3, "days": 7}, {"max": 1, "days": 7},
         "now at most 1 attempt in 7 days, not at most 3 attempts in 7 days"),
        ("cap on spend", {"per": "call", "limit": {"micros": 2000000, "currency": "USD"}},
         {"per": "day", "limit": {"micros": 2000000, "currency": "USD"}},
         "now at most USD 2.00 a day, not at most USD 2.00 a call"),
        ("requirement", {"effect": "payment", "facts": ["a", "b"]},
         {"effect": "payment", "facts": ["a"]},
         "now `a` before a tool that takes money, not `a` and `b` before a tool that takes money"),
        ("requirement", {"effect": "payment", "facts": ["a"], "level": "mandatory"},
         {"effect": "payment", "facts": ["a"]}, ""),
        ("Do-Not-Call list", {"max_age": "31d"}, {"max_age": "62d"}, ""),
    ],
)  # fmt: skip
def test_what_a_rule_asks(
    word: str, before: dict[str, Any], after: dict[str, Any], told: str
) -> None:
    assert moved_told(word, before, after) == told


def test_a_rule_that_comes_or_goes() -> None:
    hours = {"hours": {"mon-fri": "09:00-17:00"}}
    assert rule_told("calling window", hours) == f"calls only 09:00–17:00, Mon–Fri, {PARTY}"  # noqa: RUF001
    assert rule_told("calling window", {"hours": {}}) == "no calls"
    assert rule_told("obligation", {"description": "Offer a way out."}) == "Offer a way out."
