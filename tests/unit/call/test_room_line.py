"""The line of a LiveKit room: who is on it, what its keys and its hang-ups do to a real call."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from livekit import rtc
from livekit.agents import JobContext

from trunkline_runtime.worker.line import LineDown, Party, RoomLine

NODES = {
    "hello": {"instructions": "Talk.", "edges": [{"to": "bye", "when": "done"}]},
    "desk": {"instructions": "Help.", "edges": [{"to": "bye", "when": "done"}]},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}
KIND = rtc.ParticipantKind
ATTRIBUTES = {"sip.phoneNumber": "12025550143", "sip.trunkPhoneNumber": "+12025550110"}


def somebody(identity: str, kind: Any = KIND.PARTICIPANT_KIND_SIP) -> Any:
    return SimpleNamespace(identity=identity, kind=kind, attributes=ATTRIBUTES)


def a_line(*there: Any, sid: str = "RM_1") -> tuple[RoomLine, rtc.Room]:
    room = rtc.Room()
    room._remote_participants = {one.identity: one for one in there}
    job = SimpleNamespace(room=SimpleNamespace(name="call-+12025550143", sid=sid))
    return RoomLine(cast(JobContext, SimpleNamespace(job=job, room=room))), room


async def test_who_is_there_and_what_the_call_is_named() -> None:
    agent = somebody("agent", KIND.PARTICIPANT_KIND_AGENT)
    line, _ = a_line(agent, somebody("sip_1"))
    assert line.party() == Party("sip_1", "+12025550143", "+12025550110")
    assert (line.id, line.room) == ("RM_1", "call-+12025550143")
    assert a_line(agent)[0].party() is None
    assert "0143" not in a_line(sid="")[0].id, "no number stands on a record"


async def test_a_room_that_cannot_be_joined_has_no_line() -> None:
    async def refuses(**_: Any) -> None:
        raise ConnectionError("wss://secret")

    line, _ = a_line()
    line._ctx.connect = refuses  # type: ignore[method-assign]
    with pytest.raises(LineDown, match=r"can't be joined \(ConnectionError\)"):
        await line.join()


async def test_keys_and_hang_ups_are_the_callers(bench: Any) -> None:
    b = bench(NODES, script=[{"say": "Yes?"}, {"say": "The desk."}], keys={"9": "desk"})
    line, room = a_line(somebody("sip_1"))
    line.follow(b.caller)
    await b.live.start()
    pressed = rtc.SipDTMF(code=9, digit="9", participant=None)
    room.emit("sip_dtmf_received", pressed)
    await b.until(lambda: b.state.node == "desk")
    room.emit("participant_disconnected", somebody("sip_1"))
    assert not b.state.over, "a second one is still on the line"
    room._remote_participants.clear()
    room.emit("participant_disconnected", somebody("sip_1"))
    await b.live.ended.wait()
    assert b.state.outcome == "hung_up"


async def test_who_is_gone_before_the_first_word(bench: Any) -> None:
    b = bench(NODES)
    line, _ = a_line()
    line.follow(b.caller)
    await b.live.ended.wait()
    assert b.state.outcome == "hung_up"
