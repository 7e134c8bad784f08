"""A job that cannot become a call: on record, and never silence for who is on the line."""

import json
from typing import Any

import pytest
from livekit.protocol import sip
from livekit_server import Fault, LiveKitServer
from phone_shop import PARTY

from trunkline_runtime.worker.line import Party
from trunkline_runtime.worker.refusal import CALL_AGAIN, PLEASE_HOLD

CALLER = Party("sip_1", "+12025550143", "+12025550110")
DONE = sip.TransferSIPParticipantResponse(status=sip.SIPTransferStatus.STS_TRANSFER_SUCCESSFUL)
FINE = '{"version": 1, "tenant": "acme"}'
OUTBOUND: dict[str, Any] = {"version": 1, "tenant": "acme", "flow": "remind"}


@pytest.mark.parametrize(
    ("metadata", "party", "why", "number"),
    [
        ("{", CALLER, "no JSON object", "+12025550198"),
        ('{"version": 7, "tenant": "acme"}', CALLER, "a wrong 'version'", "+12025550199"),
        (
            '{"version": 7, "tenant": "acme", "fallback": "support"}',
            CALLER,
            "a wrong 'version'",
            "+12025550101",
        ),
        (
            '{"version": 7, "tenant": "acme", "fallback": "no such name"}',
            CALLER,
            "a wrong 'version'",
            "+12025550199",
        ),
        ('{"version": 1, "tenant": "+12025550143"}', CALLER, "wrong 'tenant'", "+12025550198"),
        ('{"version": 1, "tenant": "acme", "flow": "12025550143"}', CALLER, "•••", "+12025550199"),
        ('{"version": 1, "tenant": "nobody"}', CALLER, "no release of nobody", "+12025550198"),
        (
            '{"version": 1, "tenant": "acme", "flow": "lime"}',
            CALLER,
            "has no flow 'lime'; its flows: ask, line, remind",
            "+12025550199",
        ),
        (
            '{"version": 1, "tenant": "acme", "channel": "beta"}',
            CALLER,
            "has no channel 'beta'",
            "+12025550199",
        ),
        (FINE, Party("sip_1", None, "+12025550111"), "none for the dialled", "+12025550199"),
        ("", Party("sip_1", None, "+12025550111"), "belongs to no tenant", "+12025550198"),
        ("", Party("sip_1"), "no dialled number is known", "+12025550198"),
        (
            '{"version": 1, "tenant": "acme", "flow": "line", "answered_by": "human"}',
            CALLER,
            "line is no outbound flow",
            "+12025550199",
        ),
        (
            '{"version": 1, "tenant": "acme", "flow": "line", "inputs": {"x": 1}}',
            CALLER,
            "has no input 'x'",
            "+12025550199",
        ),
    ],
)
async def test_a_caller_is_spoken_to_and_passed_on(
    hold: Any,
    word_line: Any,
    livekit: LiveKitServer,
    metadata: str,
    party: Party,
    why: str,
    number: str,
) -> None:
    livekit.answers["TransferSIPParticipant"] = DONE
    line = word_line(party=party)
    record = await hold(line, metadata)
    assert why in record["refused_job"]
    assert record["caller"] == "transferred"
    assert line.told == [PLEASE_HOLD]
    (transfer,) = livekit.requests("TransferSIPParticipant")
    assert (transfer.transfer_to, transfer.participant_identity) == (f"tel:{number}", "sip_1")
    (line_of_record,) = hold.records
    assert line_of_record["refused_job"] == record["refused_job"]
    assert "0143" not in json.dumps(line_of_record)


async def test_a_fallback_that_nobody_answers(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    livekit.answers["TransferSIPParticipant"] = Fault("unavailable", 503)
    line = word_line(party=CALLER)
    record = await hold(line, "{")
    assert (record["caller"], line.told) == ("told", [PLEASE_HOLD, CALL_AGAIN])
    assert [request.room for request in livekit.requests("DeleteRoom")] == ["room-1"]


async def test_a_voice_that_fails_still_passes_the_caller_on(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    async def fails(*_: Any) -> None:
        raise RuntimeError("no voice")

    livekit.answers["TransferSIPParticipant"] = DONE
    line = word_line(party=CALLER)
    line.say = fails
    assert (await hold(line, "{"))["caller"] == "transferred"


async def test_a_caller_who_comes_a_moment_later_is_spoken_to(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    """The room's own list may be a moment behind the job."""
    livekit.answers["TransferSIPParticipant"] = DONE
    line = word_line()

    async def comes(seconds: float) -> Party:
        assert seconds > 0
        return CALLER

    line.await_party = comes
    assert (await hold(line, "{"))["caller"] == "transferred"
    assert line.told == [PLEASE_HOLD]


async def test_a_reason_has_an_end(hold: Any, word_line: Any) -> None:
    inputs = {"x" * 50_000: 1}
    record = await hold(
        word_line(), json.dumps({**OUTBOUND, "call_id": "c", "number": PARTY, "inputs": inputs})
    )
    assert "remind has no input" in record["refused_job"]
    assert len(record["refused_job"]) <= 500


@pytest.mark.parametrize(
    ("job", "why"),
    [
        ({**OUTBOUND, "number": PARTY}, "lacks `call_id`"),
        ({**OUTBOUND, "call_id": "c"}, "lacks `number`"),
        ({**OUTBOUND, "call_id": "c", "number": PARTY}, "needs the input account_id"),
    ],
)
async def test_a_bad_outbound_job_dials_nobody(
    hold: Any, word_line: Any, livekit: LiveKitServer, job: dict[str, Any], why: str
) -> None:
    record = await hold(word_line(), json.dumps(job))
    assert why in record["refused_job"]
    assert (record["caller"], livekit.asked) == ("nobody", [])
    assert not list((hold.station.state / "running").glob("*"))


async def test_a_model_that_is_not_set_up(
    hold: Any, word_line: Any, livekit: LiveKitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRUNKLINE_LLM_BASE_URL")
    livekit.answers["TransferSIPParticipant"] = DONE
    record = await hold(word_line(party=CALLER), "")
    assert "no model is set up" in record["refused_job"]
    assert (record["tenant"], record["flow"]) == ("acme", "line")
    assert record["caller"] == "transferred"


async def test_a_bug_of_ours_in_a_call_leaves_a_record_and_no_silence(
    hold: Any, word_line: Any, livekit: LiveKitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("trunkline_runtime.worker.phone_call.PhoneCall._talk", broken)
    livekit.answers["TransferSIPParticipant"] = DONE
    line = word_line(party=CALLER)
    record = await hold(line, "")
    assert "a bug of Trunkline (ZeroDivisionError)" in record["refused_job"]
    assert line.told == [PLEASE_HOLD]
    call, refusal = hold.records
    assert (call["outcome"], call["failures"]) == ("failed", ["ZeroDivisionError"])
    assert refusal["caller"] == "transferred"
