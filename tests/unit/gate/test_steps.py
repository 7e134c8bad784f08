"""What the gate lets through, and each step that says no."""

from dataclasses import replace
from datetime import timedelta

import pytest

from trunkline_runtime.gate.ledger.switches import KillSwitch
from trunkline_runtime.gate.request import ContactRecord, FactRecord, OptOut

PARTY = "+12125550143"


def kinds(decision) -> list[str]:
    return [reason.kind for reason in decision.reasons]


async def test_a_payment_after_verification_is_allowed_and_names_its_rules(world) -> None:
    decision = await world.gate.decide(world.request("take_payment"))
    assert decision.allowed
    assert decision.rules == (
        "purpose:collections",
        "verify-before-payment",
        "say-who-is-speaking",
        "spend-per-call",
        "spend-per-day",
        "spend-per-month",
    )
    assert decision.policy_digest == "sha256:policy-1"
    assert decision.tzdata_version


async def test_a_tool_that_was_not_granted(world) -> None:
    decision = await world.gate.decide(
        world.request("take_payment", granted=frozenset({"lookup_crm"}))
    )
    assert kinds(decision) == ["grant"]


async def test_a_tool_that_is_not_in_the_catalogue(world) -> None:
    request = replace(world.request("take_payment"), tool=None)
    decision = await world.gate.decide(request)
    assert kinds(decision) == ["grant"]


@pytest.mark.parametrize(
    "change",
    [
        {"amount": "48.50"},
        {"amount": -1},
        {"amount": None},
        {"extra": 1},
        {"account_id": "A-1001\n; DROP"},
        {"amount": float("nan")},
        {"amount": 10**400},
    ],
)
async def test_arguments_must_fit_the_whole_schema(world, change) -> None:
    request = world.request("take_payment")
    decision = await world.gate.decide(world.request("take_payment", {**request.args, **change}))
    assert not decision.allowed
    assert kinds(decision) in (["arguments"], ["unreadable"])


async def test_a_required_argument_that_is_missing(world) -> None:
    decision = await world.gate.decide(world.request("take_payment", {"amount": 1.0}))
    assert kinds(decision) == ["arguments"]
    assert "48" not in decision.reasons[0].message


@pytest.mark.parametrize(
    ("fact", "subject", "allowed"),
    [
        (FactRecord("A-1001"), "A-1001", True),
        (FactRecord(None), "A-1001", True),
        (FactRecord("A-2002"), "A-1001", False),
        (FactRecord("A-1001"), None, False),  # the tool is about somebody and cannot say whom
        (None, "A-1001", False),
    ],
)
async def test_a_fact_counts_only_for_whom_it_is_about(world, fact, subject, allowed) -> None:
    facts = {} if fact is None else {"identity_verified": fact}
    decision = await world.gate.decide(world.request("take_payment", facts=facts, subject=subject))
    assert decision.allowed is allowed
    assert kinds(decision) == ([] if allowed else ["fact"])


async def test_personal_data_waits_for_the_disclosures(world) -> None:
    decision = await world.gate.decide(world.request("lookup_crm", disclosed=frozenset({"ai"})))
    assert kinds(decision) == ["consent"]


async def test_a_tool_that_touches_nobody_does_not(world) -> None:
    note = {"account_id": "A-1001", "outcome": "hung_up"}
    decision = await world.gate.decide(world.request("update_contact", note, disclosed=frozenset()))
    assert decision.allowed


async def test_a_contact_is_held_to_lists_windows_and_consents(world) -> None:
    late = world.request("send_payment_link", now=world.dial().now + timedelta(hours=10))
    decision = await world.gate.decide(late)
    assert kinds(decision) == ["window"]
    assert decision.zones == ("America/New_York",)
    assert decision.next_allowed is not None
    await world.gate.record_opt_out(OptOut("call-0", "northwind-energy", PARTY, late.now))
    decision = await world.gate.decide(world.request("send_payment_link"))
    assert kinds(decision) == ["dnc"]


async def test_an_opt_out_counts_at_once_and_for_its_tenant(world) -> None:
    assert (await world.gate.decide_dial(world.dial())).allowed
    now = world.dial().now
    await world.gate.record_opt_out(OptOut("call-1", "northwind-energy", PARTY, now))
    assert kinds(await world.gate.decide_dial(world.dial())) == ["dnc"]
    assert (await world.gate.decide_dial(world.dial(party="+12125550144"))).allowed


async def test_an_opt_out_for_the_platform_counts_for_every_tenant(world) -> None:
    opt_out = OptOut("call-1", "harbor-medical", PARTY, world.dial().now, scope="platform")
    await world.gate.record_opt_out(opt_out)
    await world.gate.record_opt_out(opt_out)
    assert kinds(await world.gate.decide_dial(world.dial())) == ["dnc"]


async def test_dials_are_counted_and_capped(world) -> None:
    start = world.dial().now
    for count in range(3):
        request = world.dial(
            call_id=f"call-{count}", party="+13055550143", now=start + timedelta(minutes=count)
        )
        assert (await world.gate.decide_dial(request)).allowed
    fourth = world.dial(call_id="call-9", party="+13055550143", now=start + timedelta(hours=1))
    decision = await world.gate.decide_dial(fourth)
    assert kinds(decision) == ["frequency"]
    other = world.dial(
        call_id="call-10", party="+13055550143", now=start + timedelta(hours=1), subject="A-2"
    )
    assert (await world.gate.decide_dial(other)).allowed


async def test_a_number_dialled_again_within_one_call_is_dialled_twice(world) -> None:
    dial = world.dial(party="+12075550143")  # Maine: one in 8 hours
    assert (await world.gate.decide_dial(dial)).allowed
    assert kinds(await world.gate.decide_dial(dial)) == ["frequency"]


async def test_a_message_within_a_call_belongs_to_its_contact(world) -> None:
    maine = {"party": "+12075550143"}
    assert (await world.gate.decide_dial(world.dial(**maine))).allowed
    link = world.request("send_payment_link", **maine)
    assert (await world.gate.decide(link)).allowed
    later = world.request("send_payment_link", call_id="call-2", attempt="other", **maine)
    assert kinds(await world.gate.decide(later)) == ["frequency"]


async def test_a_denied_dial_is_no_contact(world) -> None:
    late = world.dial(party="+12075550143", now=world.dial().now + timedelta(hours=10))
    assert not (await world.gate.decide_dial(late)).allowed
    assert (await world.gate.decide_dial(world.dial(party="+12075550143"))).allowed


async def test_a_conversation_is_followed_by_a_rest(world) -> None:
    now = world.dial().now
    await world.gate.record_contact(
        ContactRecord("call-0", "northwind-energy", PARTY, now, "conversation", "A-1001")
    )
    next_day = world.dial(now=now + timedelta(days=1))
    assert kinds(await world.gate.decide_dial(next_day)) == ["frequency"]
    assert (await world.gate.decide_dial(world.dial(now=now + timedelta(days=7)))).allowed


@pytest.mark.parametrize(
    ("tenant", "flow", "tool", "stops_tool", "stops_dial"),
    [
        (None, None, None, True, True),
        ("northwind-energy", None, None, True, True),
        ("northwind-energy", "overdue-invoice", None, True, True),
        ("northwind-energy", None, "take_payment", True, False),
        (None, None, "take_payment", True, False),
        ("harbor-medical", None, None, False, False),
        ("northwind-energy", "another", None, False, False),
        (None, None, "send_sms", False, False),
    ],
)
async def test_a_kill_switch_counts_at_the_next_decision(
    world, tenant, flow, tool, stops_tool, stops_dial
) -> None:
    now = world.dial().now
    assert (await world.gate.decide_dial(world.dial())).allowed
    with world.ledger.transaction() as transaction:
        transaction.turn_on(KillSwitch("one", tenant, flow, tool, "a fault", "somebody", now))
    later = world.dial(party="+12125550144")
    assert (await world.gate.decide(world.request("take_payment"))).allowed is not stops_tool
    assert (await world.gate.decide_dial(later)).allowed is not stops_dial
    with world.ledger.transaction() as transaction:
        assert transaction.lift("one", "somebody", now)
        assert not transaction.lift("one", "somebody", now)
    assert (await world.gate.decide(world.request("take_payment", attempt="new"))).allowed


async def test_the_switch_is_the_first_reason(world) -> None:
    with world.ledger.transaction() as transaction:
        transaction.turn_on(
            KillSwitch("one", None, None, None, "a fault", "somebody", world.dial().now)
        )
    nothing_right = world.request("take_payment", {}, granted=frozenset(), facts={})
    assert kinds(await world.gate.decide(nothing_right)) == ["kill_switch"]


async def test_the_newest_policy_decides_whatever_a_pin_says(world) -> None:
    request = world.request("take_payment", pin_digest="sha256:an old one")
    assert (await world.gate.decide(request)).allowed
    purposes = {**world.documents["purposes.yaml"], "grants": {}, "consents": []}
    world.change_policy(purposes=purposes)
    decision = await world.gate.decide(world.request("take_payment", attempt="next"))
    assert kinds(decision) == ["purpose"]
    assert decision.policy_digest != "sha256:policy-1"


async def test_a_tenants_own_rules_are_a_layer_of_the_gate(world) -> None:
    world.tenant_policy = {"windows": [{"id": "ours", "hours": {"mon-fri": "13:00-14:00"}}]}
    decision = await world.gate.decide_dial(world.dial())
    assert [(reason.kind, reason.rule) for reason in decision.reasons] == [
        ("window", "northwind-energy/ours")
    ]
