"""Ways around the gate that a flow author, a model or a caller could try. None gets a tool through.

Attempts on the graph (retargeted edges, sub-flows, `anywhere`) end here all the same: whatever the
graph says, the facts of the running call are what counts. What `trunkline check` says of them is in
tests/acceptance/policy/test_attempts.py.
"""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import patch

import pytest

from trunkline_runtime.gate.request import FactRecord, OptOut

PARTY = "+12125550143"
OTHER = "+12125550199"


def kinds(decision) -> list[str]:
    return [reason.kind for reason in decision.reasons]


def text(world, **args):
    """A text message to a patient who called and agreed to it."""
    parts = {key: args.pop(key) for key in ("bound", "party", "effects") if key in args}
    return world.request(
        world.entry("send_sms"),
        {"to": PARTY, "text": "See you on Monday.", **args},
        tenant="harbor-medical",
        flow="appointments",
        purpose="care",
        direction="inbound",
        subject=None,
        facts={"text_agreed": FactRecord()},
        **{"bound": frozenset({"text"}), "party": PARTY, **parts},
    )


async def test_the_party_may_be_texted_and_a_number_that_the_flow_bound(world) -> None:
    assert (await world.gate.decide(text(world))).allowed
    bound = text(world, to=OTHER, bound=frozenset({"to", "text"}))
    assert (await world.gate.decide(replace(bound, attempt="2"))).allowed


@pytest.mark.parametrize(
    "smuggled",
    [OTHER, "+1 212 555 0199", "tel:" + OTHER, "+1-212-555-0199"],
)
async def test_a_number_that_the_model_chose_reaches_nobody(world, smuggled) -> None:
    """An argument that smuggles another number, in any spelling that would be dialled."""
    loose = world.entry("send_sms")
    parameters = {
        **loose.parameters,
        "properties": {**loose.parameters["properties"], "to": {"type": "string"}},
    }
    request = replace(text(world, to=smuggled), tool=world.entry("send_sms", parameters=parameters))
    assert kinds(await world.gate.decide(request)) == ["arguments"]


async def test_a_smuggled_number_under_an_innocent_name_or_deep_inside(world) -> None:
    for args in (
        {"note": OTHER},
        {"details": {"reply_to": [OTHER]}},
        {"details": {"mobile": "2125550199"}},
        {"mobile": 12125550199},
    ):
        parameters = {"type": "object"}
        tool = world.entry("send_sms", parameters=parameters, cost=None)
        request = replace(text(world), tool=tool, args=args, bound=frozenset())
        assert kinds(await world.gate.decide(request)) == ["arguments"], args


async def test_a_text_that_mentions_a_number_is_no_recipient(world) -> None:
    request = text(world, text="Call us back on +1 212 555 0199, please.")
    assert (await world.gate.decide(request)).allowed


async def test_somebody_who_opted_out_is_not_reached_through_an_argument(world) -> None:
    await world.gate.record_opt_out(OptOut("call-0", "harbor-medical", OTHER, world.dial().now))
    bound = text(world, to=OTHER, bound=frozenset({"to", "text"}))
    assert kinds(await world.gate.decide(bound)) == ["dnc"]


async def test_a_tool_of_another_name_is_not_the_tool_that_was_granted(world) -> None:
    """An alias: the entry of one tool under the name of another."""
    request = world.request(
        "take_payment", tool_id="get_invoice", granted=frozenset({"get_invoice"})
    )
    assert kinds(await world.gate.decide(request)) == ["grant"]


async def test_a_python_tool_stands_behind_the_same_gate(world) -> None:
    tool = world.entry("take_payment", run={"python": "quick:charge"})
    assert kinds(await world.gate.decide(world.request(tool, facts={}))) == ["fact"]
    ungranted = world.request(tool, granted=frozenset({"get_invoice"}))
    assert kinds(await world.gate.decide(ungranted)) == ["grant"]


async def test_an_edge_past_verification_leaves_the_fact_unproven(world) -> None:
    """Whatever edge, sub-flow or `anywhere` exit led here, the call holds no fact."""
    assert kinds(await world.gate.decide(world.request("take_payment", facts={}))) == ["fact"]


async def test_a_fact_about_one_account_pays_for_no_other(world) -> None:
    args = {**world.request("take_payment").args, "account_id": "B-2002"}
    decision = await world.gate.decide(world.request("take_payment", args, subject="B-2002"))
    assert kinds(decision) == ["fact"]


async def test_two_calls_in_one_batch_run_once(world) -> None:
    first = await world.gate.decide(world.request("take_payment"))
    second = await world.gate.decide(world.request("take_payment"))
    assert first.allowed
    assert kinds(second) == ["repeat"]


async def test_a_tool_retried_after_a_timeout_does_not_run_twice(world) -> None:
    decision = await world.gate.decide(world.request("take_payment"))
    await world.gate.settle(decision, "unknown")
    assert kinds(await world.gate.decide(world.request("take_payment"))) == ["repeat"]
    with world.ledger.transaction() as transaction:
        transaction.expire(world.dial().now + timedelta(days=1), "northwind-energy")
    assert kinds(await world.gate.decide(world.request("take_payment"))) == ["repeat"]


async def test_a_purpose_of_another_tenant_or_direction_opens_nothing(world) -> None:
    for parts in ({"purpose": "care"}, {"purpose": "nothing"}, {"direction": "inbound"}):
        decision = await world.gate.decide(world.request("take_payment", **parts))
        assert kinds(decision) == ["purpose"], parts


@pytest.mark.parametrize(
    "policy",
    [
        {"requirements": []},
        {"requirements": [{"id": "verify-before-payment", "effect": "payment", "facts": []}]},
        {"windows": [{"id": "us-window", "hours": {"mon-sun": "00:00-24:00"}}]},
        {"exceptions": [{"rule": "verify-before-payment"}]},
        {"purposes": {"grants": {"northwind-energy": ["everything"]}}},
    ],
)
async def test_a_tenants_policy_takes_nothing_away(world, policy) -> None:
    world.tenant_policy = policy
    assert not (await world.gate.decide(world.request("take_payment", facts={}))).allowed


async def test_an_exception_from_a_mandatory_rule_waives_nothing(world) -> None:
    world.change_policy(
        exceptions={
            "schema_version": 1,
            "exceptions": [
                {
                    "rule": "verify-before-payment",
                    "target": {"tenant": "northwind-energy"},
                    "reason": "hurry",
                    "owner": "me",
                    "approver": "me",
                    "created": "2026-11-01",
                    "expires": "2026-12-31",
                }
            ],
        }
    )
    assert kinds(await world.gate.decide(world.request("take_payment", facts={}))) == ["fact"]


async def test_nothing_in_the_gate_takes_a_number_off_the_list(world) -> None:
    """Another product let a campaign remove a contact from its list."""
    await world.gate.record_opt_out(OptOut("call-0", "northwind-energy", PARTY, world.dial().now))
    public = [name for name in dir(world.gate) if not name.startswith("_")]
    assert sorted(public) == [
        "decide",
        "decide_dial",
        "expire_holds",
        "open",
        "record_contact",
        "record_opt_out",
        "settle",
    ]
    with world.ledger.transaction() as transaction:
        verbs = [name for name in dir(transaction) if "opt" in name]
    assert sorted(verbs) == ["add_opt_out", "opted_out"]


async def test_a_fault_inside_any_step_denies(world) -> None:
    asked = ("recipients", "against_grant", "against_arguments", "judge")
    for step in (*(f"asked.{name}" for name in asked), "asking._killed", "asking.claimed"):
        with patch(f"trunkline_runtime.gate.{step}", side_effect=RuntimeError("a bug")):
            decision = await world.gate.decide(world.request("take_payment", attempt=step))
        assert kinds(decision) == ["unreadable"], step
        assert "a bug" not in decision.reasons[0].message
    assert len(world.records) == 6
    assert world.verifies()
