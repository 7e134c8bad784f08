"""A call that comes in: by its dialled number, on a pin that is held, with transfers over SIP."""

import json
from typing import Any

import pytest
from livekit.protocol import sip
from livekit_server import Fault, LiveKitServer, busy

from trunkline_runtime.release.workers import holds
from trunkline_runtime.worker.line import Party, e164

CALLER = Party("sip_1", "+12025550143", "+12025550110")
DONE = sip.TransferSIPParticipantResponse(status=sip.SIPTransferStatus.STS_TRANSFER_SUCCESSFUL)
FAILED = sip.TransferSIPParticipantResponse(status=sip.SIPTransferStatus.STS_TRANSFER_FAILED)


async def test_the_dialled_number_leads_to_a_flow(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    during: list[Any] = []

    def says(messages: list[dict[str, Any]]) -> dict[str, Any]:
        during.extend(holds(hold.station.cache))
        return {"call": ("move_to", {"to": "bye"})}

    livekit.says = says
    record = await hold(word_line(["Bye."], CALLER), "")
    assert (record["tenant"], record["flow"], record["outcome"]) == ("acme", "line", "no_action")
    assert record["call_id"] == "RM_1"
    assert record["dial"] is None
    assert record["pin"]["release"] == "v1"
    assert [(one.tenant, one.tag, one.channels, one.calls) for one in during] == [
        ("acme", "v1", ("stable",), 1)
    ], "the release is held while the call runs"
    assert holds(hold.station.cache) == ()
    assert "0143" not in json.dumps(hold.records)


async def test_who_hangs_up(hold: Any, word_line: Any) -> None:
    record = await hold(word_line(["(hangs up)"], CALLER), '{"version": 1, "tenant": "acme"}')
    assert record["outcome"] == "hung_up"


async def test_nobody_is_there(hold: Any, word_line: Any) -> None:
    record = await hold(word_line(), '{"version": 1, "tenant": "acme", "flow": "line"}')
    assert (record["outcome"], record["path"]) == ("no_answer", [])


async def test_a_cold_transfer(hold: Any, word_line: Any, livekit: LiveKitServer) -> None:
    livekit.answers["TransferSIPParticipant"] = DONE
    record = await hold(word_line(["go to cold"], CALLER), "")
    assert record["outcome"] == "transferred"
    (asked,) = livekit.requests("TransferSIPParticipant")
    assert (asked.transfer_to, asked.participant_identity) == ("tel:+12025550101", "sip_1")


@pytest.mark.parametrize("answer", [FAILED, Fault("unavailable", 503)])
async def test_a_cold_transfer_that_fails_goes_on_in_the_flow(
    hold: Any, word_line: Any, livekit: LiveKitServer, answer: Any
) -> None:
    livekit.answers["TransferSIPParticipant"] = answer
    record = await hold(word_line(["go to cold"], CALLER), "")
    assert [step["node"] for step in record["path"]] == ["hello", "cold", "bye"]
    assert (record["path"][-1]["cause"], record["outcome"]) == ("on_failure", "no_action")


async def test_a_warm_transfer_rings_moves_and_leaves_the_two_alone(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    livekit.answers["GetParticipant"] = lambda asked: _info(asked.identity)
    record = await hold(word_line(["go to desk"], CALLER), "")
    assert record["outcome"] == "transferred"
    (rung,) = livekit.requests("CreateSIPParticipant")
    assert (rung.sip_call_to, rung.room_name) == ("+12025550101", "room-1-desk")
    (moved,) = livekit.requests("MoveParticipant")
    assert (moved.room, moved.identity, moved.destination_room) == (
        "room-1-desk",
        "human",
        "room-1",
    )
    assert livekit.requests("RemoveParticipant") == [], "the caller stays on the line"


@pytest.mark.parametrize("gone", ["busy", "caller", "move"])
async def test_a_warm_transfer_that_fails(
    hold: Any, word_line: Any, livekit: LiveKitServer, gone: str
) -> None:
    livekit.answers["GetParticipant"] = lambda asked: _info(asked.identity)
    if gone == "busy":
        livekit.answers["CreateSIPParticipant"] = busy()
    elif gone == "caller":
        livekit.answers["GetParticipant"] = Fault("not_found", 404)
    else:
        livekit.answers["MoveParticipant"] = Fault("internal", 500)
    record = await hold(word_line(["go to desk"], CALLER), "")
    assert [step["node"] for step in record["path"]] == ["hello", "desk", "bye"]
    closed = [request.room for request in livekit.requests("DeleteRoom")]
    assert closed == (["room-1"] if gone == "busy" else ["room-1-desk", "room-1"])


def _info(identity: str) -> Any:
    from livekit.protocol.models import ParticipantInfo

    return ParticipantInfo(identity=identity)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("+12025550143", "+12025550143"),
        ("12025550143", "+12025550143"),
        ("anonymous", None),
        ("", None),
        (None, None),
        ("101", None),
    ],
)
def test_numbers_as_trunks_write_them(written: str | None, read: str | None) -> None:
    assert e164(written) == read
