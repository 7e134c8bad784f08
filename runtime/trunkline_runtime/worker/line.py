"""The line of one call: who is on it, what is heard and pressed there, and how it is hung up.

`Line` is what a call asks of it; `RoomLine` is the room of a LiveKit job.
"""

import asyncio
import contextlib
import hashlib
import logging
import re
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from livekit import rtc
from livekit.agents import Agent, AgentSession, AutoSubscribe, JobContext, room_io, tts

from trunkline_runtime.call.caller import Caller

logger = logging.getLogger("trunkline.worker")

PARTY = "party"  # the identity of who is dialled
_E164 = re.compile(r"\+?([1-9]\d{6,14})")
_NUMBER, _DIALLED = "sip.phoneNumber", "sip.trunkPhoneNumber"
_KINDS = [
    rtc.ParticipantKind.PARTICIPANT_KIND_SIP,
    rtc.ParticipantKind.PARTICIPANT_KIND_STANDARD,
    rtc.ParticipantKind.PARTICIPANT_KIND_CONNECTOR,
]


class LineDown(Exception):
    """The line can't be had: nobody can be spoken to."""


@dataclass(frozen=True)
class Party:
    """Who is on the line. Both numbers are E.164, None where they are not known."""

    identity: str
    number: str | None = field(default=None, repr=False)
    dialled: str | None = None


class Line(Protocol):
    """One line. `room` is its name and `id` a name that it alone has."""

    room: str
    id: str

    async def join(self) -> None:
        """Raises LineDown."""

    def party(self) -> Party | None:
        """Who is on the line at this moment, if anybody is."""

    async def await_party(self, seconds: float) -> Party | None:
        """Who is on the line, or comes within this time."""

    def session_options(self, identity: str) -> Mapping[str, Any]:
        """LiveKit's options of `session.start`, with which a session hears this party."""

    def follow(self, caller: Caller) -> None:
        """From now on, keys and the hang-up of whoever is on the line are the caller's."""

    async def say(self, words: str, mouth: tts.TTS[Any]) -> None:
        """Says something to whoever is there, outside any call. Raises what a voice raises."""

    async def until_someone_leaves(self) -> None:
        """Returns when one of two who were connected has hung up."""


class RoomLine:
    """The room of a LiveKit job."""

    def __init__(self, ctx: JobContext) -> None:
        self._ctx = ctx
        self.room = ctx.job.room.name
        # A room's name may hold the caller's number, and this stands on records.
        named = hashlib.sha256(ctx.job.room.name.encode()).hexdigest()[:24]
        self.id = ctx.job.room.sid or f"room-{named}"
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self) -> None:
        try:
            await self._ctx.connect(auto_subscribe=AutoSubscribe.AUDIO_ONLY)
        except Exception as problem:
            raise LineDown(f"the room can't be joined ({type(problem).__name__})") from None

    def party(self) -> Party | None:
        for participant in self._ctx.room.remote_participants.values():
            if participant.kind in _KINDS:
                return _party(participant)
        return None

    async def await_party(self, seconds: float) -> Party | None:
        with contextlib.suppress(TimeoutError, RuntimeError):
            async with asyncio.timeout(seconds):
                return _party(await self._ctx.wait_for_participant(kind=_KINDS))
        return None

    def session_options(self, identity: str) -> Mapping[str, Any]:
        options = room_io.RoomOptions(
            participant_identity=identity,
            participant_kinds=_KINDS,
            # What is typed into a room is no telephone; hang-ups are the caller's (see `follow`).
            text_input=False,
            text_output=False,
            close_on_disconnect=False,
        )
        return {"room": self._ctx.room, "room_options": options}

    def follow(self, caller: Caller) -> None:
        room = self._ctx.room

        def pressed(event: rtc.SipDTMF) -> None:
            self._soon(caller.presses(event.digit))

        def left(participant: rtc.RemoteParticipant) -> None:
            if participant.kind in _KINDS and self.party() is None:
                self._soon(caller.hangs_up())

        room.on("sip_dtmf_received", pressed)
        room.on("participant_disconnected", left)
        room.on("disconnected", lambda *_: self._soon(caller.hangs_up()))
        if self.party() is None:
            # Gone between being seen and being followed.
            self._soon(caller.hangs_up())

    async def say(self, words: str, mouth: tts.TTS[Any]) -> None:
        session: AgentSession[None] = AgentSession(tts=mouth, vad=None)
        party = self.party()
        options = self.session_options(party.identity) if party else {"room": self._ctx.room}
        await session.start(Agent(instructions=""), record=False, **options)
        try:
            await session.say(words, allow_interruptions=False)
        finally:
            await session.aclose()

    async def until_someone_leaves(self) -> None:
        gone = asyncio.Event()
        self._ctx.room.on("participant_disconnected", lambda _: gone.set())
        self._ctx.room.on("disconnected", lambda *_: gone.set())
        if len(self._ctx.room.remote_participants) >= 2:
            await gone.wait()

    def _soon(self, what: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _party(participant: rtc.RemoteParticipant) -> Party:
    attributes = participant.attributes
    return Party(
        participant.identity, e164(attributes.get(_NUMBER)), e164(attributes.get(_DIALLED))
    )


def e164(written: str | None) -> str | None:
    """A number as a trunk writes it, with or without its plus; None for one that is withheld."""
    found = _E164.fullmatch((written or "").strip())
    return f"+{found[1]}" if found else None
