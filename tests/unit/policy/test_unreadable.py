"""A document that is missing, malformed or of another shape denies; it never opens anything."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline_runtime.policy.documents import rules_from
from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.spend import spend_plan

POLICY = Path(__file__).parents[3] / "policy"


@pytest.fixture(scope="module")
def documents() -> dict[str, Any]:
    return {
        str(path.relative_to(POLICY)): yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in sorted(POLICY.rglob("*.yaml"))
        if path.parent.name != "tests"
    }


def kinds(documents: dict[str, Any], question: Any) -> set[str]:
    return {reason.kind for reason in judge(rules_from(documents), question).reasons}


def test_everything_readable_allows(documents, ask) -> None:
    assert kinds(documents, ask(consents=frozenset())) == set()


@pytest.mark.parametrize("path", ["purposes.yaml", "dnc.yaml", "jurisdictions/us.yaml"])
@pytest.mark.parametrize("put", [None, [], "text", {}, {"schema_version": 1}, 7])
def test_a_dial_needs_each_of_its_documents(documents, ask, path: str, put: Any) -> None:
    assert kinds({**documents, path: put}, ask()) == {"unreadable"}
    without = {name: document for name, document in documents.items() if name != path}
    assert kinds(without, ask()) == {"unreadable"}


@pytest.mark.parametrize(
    ("path", "effect"), [("requirements.yaml", "payment"), ("obligations.yaml", "payment")]
)
def test_a_tool_needs_what_its_effect_is_held_to(documents, ask, path: str, effect: str) -> None:
    question = ask(
        effects=frozenset({effect}),
        facts=frozenset({"identity_verified"}),
        disclosed=frozenset({"ai", "recording"}),
    )
    assert kinds(documents, question) == set()
    without = {name: document for name, document in documents.items() if name != path}
    assert kinds(without, question) == {"unreadable"}
    assert kinds({**documents, path: {"schema_version": 2}}, question) == {"unreadable"}


def test_a_cost_needs_its_caps(documents, ask) -> None:
    without = {name: document for name, document in documents.items() if name != "spend.yaml"}
    plan = spend_plan(rules_from(without), ask(), "USD", "call", "America/New_York")
    assert [reason.kind for reason in plan.part.reasons] == ["unreadable"]
    assert plan.buckets == ()


def test_a_window_that_closes_before_it_opens_does_not_switch_the_check_off(documents, ask) -> None:
    broken = deepcopy(documents)
    broken["jurisdictions/us.yaml"]["windows"][0]["hours"] = {"mon-sun": "12:00-12:00"}
    assert kinds(broken, ask(at="2026-12-01T04:00:00Z")) == {"unreadable"}
    assert kinds(broken, ask(at="2026-12-01T17:00:00Z")) == {"unreadable"}


@pytest.mark.parametrize(
    "change",
    [
        {"hours": {"mon-sun": "08:00-21:00"}, "holidays": ["no_such_list"]},
        {"hours": {"mon-sun": "08:00-21:00"}, "applies_to": {"region": ["CA-ON"]}},
        {"hours": {"mon-sun": "08:00-21:00"}, "effective_from": "2026-02-30"},
        {"hours": {"mon-fri": "08:00-21:00", "wed": "09:00-10:00"}},
        {"hours": {"mon-sun": "08:00-21:00"}, "hour": 1},
        {"hours": {}, "id": "us-al-days"},
    ],
)
def test_one_malformed_rule_makes_its_document_unreadable(documents, ask, change: Any) -> None:
    broken = deepcopy(documents)
    broken["jurisdictions/us.yaml"]["windows"][0].update(change)
    assert kinds(broken, ask()) == {"unreadable"}


def test_a_country_without_a_document_is_denied(documents, ask) -> None:
    assert kinds(documents, ask("+18765550143")) == {"unreadable"}
    assert kinds(documents, ask("+4930123456")) == {"unreadable"}


def test_a_document_under_another_countrys_name_is_unreadable(documents, ask) -> None:
    moved = {**documents, "jurisdictions/ca.yaml": documents["jurisdictions/us.yaml"]}
    assert kinds(moved, ask("+14165550143")) == {"unreadable"}


def test_a_country_whose_windows_are_not_in_force_yet_is_denied(documents, ask) -> None:
    early = deepcopy(documents)
    for window in early["jurisdictions/ca.yaml"]["windows"]:
        window["effective_from"] = "2030-01-01"
    assert kinds(early, ask("+14165550143")) == {"window"}


def test_a_day_that_no_list_of_holidays_covers_is_closed(documents, ask) -> None:
    verdict = judge(rules_from(documents), ask("+18015550143", "2029-06-05T18:00:00Z"))
    assert [(reason.kind, reason.rule) for reason in verdict.reasons] == [
        ("window", "us-ut-window")
    ]
    assert "no list says" in verdict.reasons[0].message
    assert verdict.next_allowed is None


@pytest.mark.parametrize(
    "policy",
    [
        None,
        "off",
        [],
        {"windows": "none"},
        {"windows": [{"id": "ours", "hours": {"mon-sun": "21:00-09:00"}}]},
        {"enabled": False},
        {"frequency": [{"id": "ours", "max": 1, "per": ["number"]}]},
        {"frequency": [{"id": "ours", "max": 1, "per": ["number"], "hours": 1, "days": 1}]},
    ],
)
def test_a_tenants_policy_that_cannot_be_read_denies_all_of_its_calls(
    documents, ask, policy: Any
) -> None:
    rules = with_tenant(rules_from(documents), "northwind-energy", policy)
    assert {reason.kind for reason in judge(rules, ask()).reasons} == {"unreadable"}


def test_what_the_reader_of_files_could_not_parse_is_unreadable(documents, ask) -> None:
    rules = rules_from(documents, {"policy/jurisdictions/us.yaml": "line 3: not YAML"})
    verdict = judge(rules, ask())
    assert [reason.kind for reason in verdict.reasons] == ["unreadable"]
    assert "line 3" in verdict.reasons[0].message
