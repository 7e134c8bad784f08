"""An outgoing call: past the gate at the moment of dialling, and nobody is dialled twice."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from livekit_server import Fault, LiveKitServer, busy
from phone_shop import PARTY

from trunkline_runtime.call.clock import WallClock
from trunkline_runtime.gate.chain import records
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.ledger import Ledger
from trunkline_runtime.gate.request import OptOut
from trunkline_runtime.worker.dial_claim import DialClaims
from trunkline_runtime.worker.line import PARTY as IDENTITY
from trunkline_runtime.worker.line import Party


def job(**more: Any) -> str:
    return json.dumps(
        {
            "version": 1,
            "tenant": "acme",
            "flow": "remind",
            "call_id": "call-1",
            "number": PARTY,
            "inputs": {"account_id": "A-1001"},
            **more,
        }
    )


async def test_an_answered_call_is_held_and_the_room_closed(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    record = await hold(word_line(["Hello?", "go to bye"]), job(ring_seconds=25))
    assert (record["outcome"], record["channel"]) == ("no_action", "stable"), record["dial"]
    assert [step["node"] for step in record["path"]] == ["hello", "bye"]
    dial = record["dial"]
    assert (dial["allowed"], dial["ending"], dial["sip_status"]) == (True, "answered", None)
    (asked,) = livekit.requests("CreateSIPParticipant")
    assert (asked.sip_call_to, asked.sip_trunk_id, asked.room_name) == (PARTY, "ST_1", "room-1")
    assert asked.wait_until_answered
    assert asked.hide_phone_number
    assert asked.ringing_timeout.seconds == 25
    assert [request.identity for request in livekit.requests("RemoveParticipant")] == [IDENTITY]
    assert [request.room for request in livekit.requests("DeleteRoom")] == ["room-1"]
    decisions = list(records(hold.station.state / "decisions"))
    assert (decisions[0]["kind"], decisions[0]["decision"]) == ("dial", "allow")
    assert decisions[0]["id"] == dial["decision"]
    assert PARTY[1:] not in json.dumps(hold.records)
    assert not list((hold.station.state / "running").glob("*"))


@pytest.mark.parametrize(
    ("fault", "outcome", "ending", "status"),
    [
        (busy(), "busy", "busy", 486),
        (Fault("unavailable", 503, {"sip_status_code": "408"}), "no_answer", "no_answer", 408),
        (Fault("deadline_exceeded", 408), "no_answer", "no_answer", None),
        (Fault("not_found", 404, {"sip_status_code": "404"}), "failed", "failed", 404),
        (Fault("invalid_argument", 400), "failed", "failed", None),
        (Fault("internal", 500), "failed", "unknown", None),
    ],
)
async def test_nobody_answers(
    hold: Any,
    word_line: Any,
    livekit: LiveKitServer,
    fault: Fault,
    outcome: str,
    ending: str,
    status: int | None,
) -> None:
    livekit.answers["CreateSIPParticipant"] = fault
    record = await hold(word_line(), job())
    assert (record["outcome"], record["path"]) == (outcome, [])
    assert (record["dial"]["ending"], record["dial"]["sip_status"]) == (ending, status)
    assert len(livekit.requests("CreateSIPParticipant")) == 1, "an error is no reason to redial"
    assert livekit.requests("model") == []


async def test_a_service_that_is_not_there(hold: Any, word_line: Any) -> None:
    hold.station = replace(hold.station, url="http://127.0.0.1:9")
    record = await hold(word_line(), job())
    assert (record["outcome"], record["dial"]["ending"]) == ("failed", "failed")


async def test_who_opted_out_is_not_dialled_and_may_be_when_that_changes(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    ledger = Ledger.of_environment(hold.station.state)
    with ledger.transaction() as transaction:
        transaction.add_opt_out(OptOut("call-0", "acme", PARTY, WallClock().now()))
    for _ in range(2):
        record = await hold(word_line(), job())
        assert (record["outcome"], record["dial"]["ending"]) == ("not_allowed", "not_dialled")
        assert record["dial"]["reasons"][0].startswith("dnc: ")
    assert livekit.requests("CreateSIPParticipant") == []
    decisions = [one for one in records(hold.station.state / "decisions") if one["kind"] == "dial"]
    assert [one["decision"] for one in decisions] == ["deny", "deny"]


async def test_a_job_that_comes_again_dials_nobody_twice(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    livekit.answers["CreateSIPParticipant"] = busy()
    assert (await hold(word_line(), job()))["outcome"] == "busy"
    again = await hold(word_line(), job())
    assert (again["outcome"], again["dial"]["ending"]) == ("not_dialled_again", "not_dialled")
    assert "nobody is dialled twice" in again["dial"]["why"]
    assert len(livekit.requests("CreateSIPParticipant")) == 1
    decisions = [one for one in records(hold.station.state / "decisions") if one["kind"] == "dial"]
    assert len(decisions) == 1, "a repetition does not even count as an attempt"
    await hold(word_line(), job(call_id="call-2"))
    assert len(livekit.requests("CreateSIPParticipant")) == 2, "another call is another dial"


async def test_of_two_jobs_at_once_one_dials(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    both = await asyncio.gather(
        hold(word_line(["Hello?", "go to bye"]), job()),
        hold(word_line(["Hello?", "go to bye"]), job()),
    )
    assert len(livekit.requests("CreateSIPParticipant")) == 1
    held = [record for record in both if record is not None]
    assert "no_action" in [record["outcome"] for record in held]


async def test_a_worker_that_is_killed_between_claim_and_dial(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    claims = DialClaims(Ledger.of_environment(hold.station.state))
    assert await claims.claim("acme", "call-1", WallClock().now()) is not None  # and then nothing
    record = await hold(word_line(), job())
    assert record["outcome"] == "not_dialled_again"
    assert "it has dialled, or may have" in record["dial"]["why"]
    assert livekit.requests("CreateSIPParticipant") == []


async def test_who_answered_a_lost_worker_is_not_left_in_silence(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    claims = DialClaims(Ledger.of_environment(hold.station.state))
    await claims.claim("acme", "call-1", WallClock().now())
    line = word_line(["Hello?", "go to bye"], Party(IDENTITY))
    record = await hold(line, job())
    assert record["outcome"] == "no_action"
    assert record["dial"]["why"] == "a worker before this one has dialled"
    assert livekit.requests("CreateSIPParticipant") == []


async def test_without_a_ledger_nobody_is_dialled(
    hold: Any, word_line: Any, livekit: LiveKitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUNKLINE_LEDGER_URL", "postgresql://nobody@127.0.0.1:9/none")
    record = await hold(word_line(), job())
    assert "the ledger does not answer" in record["refused_job"]
    assert livekit.requests("CreateSIPParticipant") == []


async def test_a_decision_that_cannot_be_recorded_dials_nobody(
    hold: Any, word_line: Any, livekit: LiveKitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    real = PolicyGate.open

    def opened(*arguments: Any) -> PolicyGate:
        gate = real(*arguments)
        monkeypatch.setattr(gate._log, "append", full)
        return gate

    monkeypatch.setattr(PolicyGate, "open", opened)
    record = await hold(word_line(), job())
    assert record["outcome"] == "not_allowed"
    assert livekit.requests("CreateSIPParticipant") == []


async def test_who_else_dialled_says_who_answered(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    line = word_line([], Party("someone"))
    record = await hold(line, job(flow="ask", inputs={}, answered_by="machine"))
    assert (record["outcome"], record["path"][0]["node"]) == ("voicemail", "message")
    assert record["path"][0]["cause"] == "answer"
    assert livekit.requests("CreateSIPParticipant") == []


@pytest.mark.parametrize(
    ("found", "outcome", "node"),
    [("machine", "voicemail", "message"), ("human", "no_action", "hello")],
)
async def test_a_flow_with_answers_is_told_who_picked_up(
    hold: Any,
    word_line: Any,
    livekit: LiveKitServer,
    monkeypatch: pytest.MonkeyPatch,
    found: str,
    outcome: str,
    node: str,
) -> None:
    async def who_answered(session: Any, model: Any, identity: str) -> str:
        assert livekit.requests("CreateSIPParticipant"), "it listens to who has picked up"
        said = [item for item in session.history.items if item.type == "message"]
        assert (identity, said) == (IDENTITY, [])
        return found

    monkeypatch.setattr("trunkline_runtime.worker.reaching.who_answered", who_answered)
    record = await hold(word_line(["go to bye"]), job(flow="ask", inputs={}))
    assert (record["answered_by"], record["outcome"]) == (found, outcome)
    assert record["path"][0]["node"] == node


async def test_who_picks_up_and_is_gone_at_once(hold: Any, word_line: Any) -> None:
    record = await hold(word_line(), job())
    assert (record["outcome"], record["path"]) == ("hung_up", [])
    assert record["dial"]["ending"] == "answered"
