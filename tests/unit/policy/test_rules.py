"""Purposes, facts, consents, lists, frequency caps, exceptions: what each rule decides."""

from dataclasses import replace
from datetime import date

import pytest

from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.question import Contact
from trunkline_runtime.policy.rule import Waiver


def against(rules, question) -> list[tuple[str, str]]:
    return [(reason.kind, reason.rule) for reason in judge(rules, question).reasons]


def test_a_purpose_is_granted_in_the_policy_and_nowhere_else(shipped, ask) -> None:
    assert against(shipped, ask(purpose="care")) == [("purpose", "purpose:care")]
    assert against(shipped, ask(purpose="fraud")) == [("purpose", "purpose:fraud")]
    assert against(shipped, ask(tenant="somebody-else")) == [("purpose", "purpose:collections")]


def test_an_outbound_purpose_is_no_reason_for_an_inbound_call(shipped, ask) -> None:
    assert against(shipped, ask(direction="inbound")) == [("purpose", "purpose:collections")]


def test_rules_that_took_part_are_named_even_when_nothing_is_against_it(shipped, ask) -> None:
    verdict = judge(shipped, ask("+13055550143", consents=frozenset()))
    assert verdict.allowed
    assert verdict.rules == (
        "purpose:collections",
        "us-artificial-voice-consent",
        "us-window",
        "us-fl-window",
        "us-debt-calls",
        "us-fl-frequency",
    )


def test_state_rules_fire_from_the_area_code_alone(shipped, ask) -> None:
    """Another product's state rules never fired, because its field for the state was empty."""
    assert against(shipped, ask("+13055550143", "2026-12-02T01:30:00Z")) == [
        ("window", "us-fl-window")
    ]


def test_a_rule_about_an_artificial_voice_leaves_people_alone(shipped, ask) -> None:
    saturday = "2026-12-05T18:00:00Z"
    assert against(shipped, ask("+16055550143", saturday)) == [("window", "us-sd-dialling")]
    assert against(shipped, ask("+16055550143", saturday, voice="human")) == []


def test_consent_is_what_the_law_of_the_place_asks_for(shipped, ask) -> None:
    sales = {"purpose": "sales"}
    assert against(shipped, ask(**sales, consents=frozenset())) == [
        ("consent", "us-artificial-voice-consent"),
        ("consent", "us-sales-consent"),
    ]
    given = frozenset({"prior_express_written_consent"})
    assert against(shipped, ask(**sales, consents=given)) == []
    assert against(
        shipped, ask("+33199001234", "2026-12-01T10:00:00Z", **sales, consents=frozenset())
    ) == [("consent", "fr-opt-in")]


def test_a_rule_does_not_hold_before_it_is_in_force(shipped, ask) -> None:
    before = ask("+33199001234", "2026-08-10T09:00:00Z", purpose="sales", consents=frozenset())
    assert ("consent", "fr-opt-in") not in against(shipped, before)


def test_a_consent_that_a_tenant_holds_for_all_counts_until_it_expires(shipped, ask) -> None:
    asked = ask(consents=frozenset())
    assert against(shipped, asked) == []
    ended = replace(shipped.standing_consents[0], expires=date(2026, 11, 30))
    assert against(replace(shipped, standing_consents=(ended,)), asked) == [
        ("consent", "us-artificial-voice-consent")
    ]


@pytest.mark.parametrize(
    ("answer", "listed"),
    [("listed", True), ("missing", False), ("mismatch", False), ("unreadable", False)],
)
def test_anything_but_a_clear_answer_of_a_list_denies(shipped, ask, answer, listed) -> None:
    question = ask(purpose="sales", at="2026-12-01T03:00:00Z", lists=lambda rule, number: answer)
    verdict = judge(shipped, question)
    assert ("dnc", "us-national-registry") in [(r.kind, r.rule) for r in verdict.reasons]
    # Waiting helps where a list is not there yet, and never where the number is on it.
    assert (verdict.next_allowed is None) == listed


def test_a_list_that_is_older_than_allowed_denies_whatever_it_says(shipped, ask) -> None:
    fresh = ask(purpose="sales", at="2026-12-29T17:00:00Z")
    stale = ask(purpose="sales", at="2026-12-31T17:00:00Z")
    assert against(shipped, fresh) == []
    assert against(shipped, stale) == [("dnc", "us-national-registry")]


@pytest.mark.parametrize("missing", ["sha256", "obtained_at", "max_age"])
def test_a_list_that_cannot_be_checked_denies(shipped, ask, missing: str) -> None:
    lists = tuple(replace(rule, **{missing: None}) for rule in shipped.lists or ())
    question = ask(purpose="sales")
    assert against(replace(shipped, lists=lists), question) == [("dnc", "us-national-registry")]


def test_somebody_who_opted_out_is_never_called(shipped, ask) -> None:
    verdict = judge(shipped, ask(opted_out=True, at="2026-12-01T03:00:00Z"))
    assert ("dnc", "internal-list") in [(r.kind, r.rule) for r in verdict.reasons]
    assert verdict.next_allowed is None


def test_a_text_message_is_a_contact_like_a_call(shipped, ask) -> None:
    """Another product checked its list for calls and not for text messages."""
    text = ask(effects=frozenset({"contact"}), opted_out=True)
    assert against(shipped, text) == [("dnc", "internal-list")]
    late = ask(effects=frozenset({"contact"}), at="2026-12-01T03:00:00Z")
    assert against(shipped, late) == [("window", "us-window")]


def test_a_contact_with_nobody_known_is_denied(shipped, ask) -> None:
    question = replace(ask(), parties=())
    assert against(shipped, question) == [("number_type", "number-type")]


def test_three_calls_in_a_day_about_the_same_subject(shipped, ask) -> None:
    morning = instant("2026-12-01T14:00:00Z")
    history = tuple(Contact(morning, subject="A-1") for _ in range(3))
    same = ask("+13055550143", subject="A-1", history=history)
    other = ask("+13055550143", subject="A-2", history=history)
    unknown = ask("+13055550143", history=history)
    assert against(shipped, same) == [("frequency", "us-fl-frequency")]
    assert against(shipped, other) == []
    # Without a subject more is counted, never less.
    assert against(shipped, unknown) == [("frequency", "us-fl-frequency")]
    assert judge(shipped, same).next_allowed == instant("2026-12-02T14:00:00Z")


def test_the_next_instant_heeds_windows_and_caps_together(shipped, ask) -> None:
    # The cap lets go at 1:30 at night; the window opens at 8:00.
    history = tuple(Contact(instant("2026-12-01T06:30:00Z"), subject="A-1") for _ in range(3))
    verdict = judge(
        shipped, ask("+13055550143", "2026-12-01T17:00:00Z", subject="A-1", history=history)
    )
    assert verdict.next_allowed == instant("2026-12-02T13:00:00Z")


@pytest.mark.parametrize("kind", ["conversation", "refusal"])
def test_whoever_refused_was_spoken_with(shipped, ask, kind) -> None:
    history = (Contact(instant("2026-11-30T17:00:00Z"), kind, "A-1"),)
    assert against(shipped, ask(subject="A-1", history=history)) == [("frequency", "us-debt-calls")]


def waiver(**target: str) -> Waiver:
    return Waiver(
        **{
            "rule": "spend-on-text-messages",
            "tenant": "northwind-energy",
            "flow": None,
            "node": None,
            "tool": None,
            "created": date(2026, 11, 1),
            "expires": date(2026, 12, 31),
            **target,
        }
    )


def test_a_mandatory_rule_takes_no_exception(shipped, ask) -> None:
    rules = replace(shipped, waivers=(waiver(rule="us-window"),))
    assert against(rules, ask(at="2026-12-01T03:00:00Z")) == [("window", "us-window")]


@pytest.mark.parametrize(
    ("changes", "applies"),
    [
        ({}, True),
        ({"tenant": "harbor-medical"}, False),
        ({"flow": "another"}, False),
        ({"created": date(2026, 12, 2)}, False),
        ({"expires": date(2026, 11, 30)}, False),
    ],
)
def test_an_exception_waives_one_rule_for_one_target_for_a_time(
    shipped, ask, changes, applies
) -> None:
    us = shipped.jurisdictions["US"]
    soft = replace(us, windows=tuple(replace(window, level="overridable") for window in us.windows))
    rules = replace(
        shipped,
        jurisdictions={**shipped.jurisdictions, "US": soft},
        waivers=(waiver(rule="us-window", **changes),),
    )
    verdict = judge(rules, ask(at="2026-12-01T03:00:00Z", flow="overdue-invoice"))
    assert verdict.allowed is applies
    assert ("exception:us-window" in verdict.rules) is applies
    assert ("us-window" in verdict.rules) is not applies


def test_an_exception_never_waives_a_tenants_own_rule(shipped, ask) -> None:
    own = {"windows": [{"id": "us-window", "hours": {"mon-fri": "10:00-11:00"}}]}
    rules = with_tenant(
        replace(shipped, waivers=(waiver(rule="northwind-energy/us-window"),)),
        "northwind-energy",
        own,
    )
    assert against(rules, ask()) == [("window", "northwind-energy/us-window")]


def test_a_tenant_adds_facts_and_caps(shipped, ask) -> None:
    own = {
        "requirements": [{"id": "agreed", "effect": "payment", "facts": ["booking_agreed"]}],
        "frequency": [{"id": "once", "max": 1, "hours": 24, "per": ["number"]}],
    }
    rules = with_tenant(shipped, "northwind-energy", own)
    paying = ask(effects=frozenset({"payment"}), facts=frozenset({"identity_verified"}))
    assert against(rules, paying) == [("fact", "northwind-energy/agreed")]
    again = ask(history=(Contact(instant("2026-12-01T14:00:00Z")),))
    assert against(rules, again) == [("frequency", "northwind-energy/once")]


def test_a_tenant_that_writes_more_changes_nothing(shipped, ask) -> None:
    own = {
        "windows": [{"id": "us-window", "hours": {"mon-sun": "00:00-24:00"}}],
        "requirements": [{"id": "verify-before-payment", "effect": "payment", "facts": ["lucky"]}],
    }
    rules = with_tenant(shipped, "northwind-energy", own)
    assert against(rules, ask(at="2026-12-01T03:00:00Z")) == [("window", "us-window")]
    paying = ask(effects=frozenset({"payment"}), facts=frozenset({"lucky"}))
    assert against(rules, paying) == [("fact", "verify-before-payment")]
