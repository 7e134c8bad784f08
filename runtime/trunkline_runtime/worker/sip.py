"""Telephone calls over LiveKit's SIP service: somebody is dialled, a call is passed on.

Through livekit-api, without its retries: a request to dial that was answered with an error, or not
at all, may have rung somewhere, and is not made again.
"""

import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal

import aiohttp
from livekit import api
from livekit.protocol.models import ParticipantInfo
from livekit.protocol.room import MoveParticipantRequest, RoomParticipantIdentity
from livekit.protocol.sip import (
    CreateSIPParticipantRequest,
    SIPTransferStatus,
    TransferSIPParticipantRequest,
)

logger = logging.getLogger("trunkline.worker")

# `failed`: it certainly did not ring through. `unknown`: nobody knows what became of it.
Ending = Literal["answered", "busy", "no_answer", "failed", "unknown"]

_BUSY = frozenset({486, 600})
# Timed out, gone away for now, declined, cancelled: a telephone rang or was not there.
_NO_ANSWER = frozenset({408, 480, 487, 603})


@dataclass(frozen=True)
class Dialled:
    """What came of dialling. `status` is SIP's, where the far side gave one."""

    ending: Ending
    status: int | None = None


@dataclass(frozen=True)
class Trunk:
    """How this worker dials: LiveKit's outbound trunk, and the number that is shown."""

    id: str
    caller_number: str | None = None


class SipLine:
    """LiveKit's SIP and room services, as one worker uses them. Close it after use."""

    def __init__(
        self, url: str, key: str, secret: str, session: aiohttp.ClientSession | None = None
    ) -> None:
        self._api = api.LiveKitAPI(url, key, secret, session=session, failover=False)

    async def aclose(self) -> None:
        await self._api.aclose()

    async def dial(
        self, trunk: Trunk, number: str, room: str, identity: str, ring_seconds: int
    ) -> Dialled:
        """Dials a number into a room, and returns when it was answered or was not. Never raises
        for what a network or a telephone can do.
        """
        request = CreateSIPParticipantRequest(
            sip_trunk_id=trunk.id,
            sip_call_to=number,
            room_name=room,
            participant_identity=identity,
            wait_until_answered=True,
            # The number must not stand in the room's own lists and logs.
            hide_phone_number=True,
        )
        if trunk.caller_number is not None:
            request.sip_number = trunk.caller_number
        request.ringing_timeout.FromSeconds(ring_seconds)
        try:
            await self._api.sip.create_sip_participant(request)
        except api.SipCallError as problem:
            return _not_answered(problem.sip_status_code, problem.code)
        except api.ServerError as problem:
            return _not_answered(None, problem.code)
        except (aiohttp.ClientConnectorError, OSError) as problem:
            # No connection was made, so nothing was asked for.
            logger.error("the SIP service can't be reached (%s)", type(problem).__name__)
            return Dialled("failed")
        except (aiohttp.ClientError, TimeoutError) as problem:
            logger.error("the SIP service did not answer (%s)", type(problem).__name__)
            return Dialled("unknown")
        return Dialled("answered")

    async def pass_on(self, room: str, identity: str, number: str, ring_seconds: int) -> bool:
        """A cold transfer (SIP REFER): whether the far side took the call."""
        request = TransferSIPParticipantRequest(
            participant_identity=identity,
            room_name=room,
            transfer_to=f"tel:{number}",
            play_dialtone=True,
        )
        request.ringing_timeout.FromSeconds(ring_seconds)
        try:
            answer = await self._api.sip.transfer_sip_participant(request)
        except (api.ServerError, aiohttp.ClientError, TimeoutError, OSError) as problem:
            logger.warning("a transfer did not come about (%s)", type(problem).__name__)
            return False
        return bool(answer.status == SIPTransferStatus.STS_TRANSFER_SUCCESSFUL)

    async def move(self, room: str, identity: str, destination: str) -> bool:
        """Moves somebody into another room: whether they are there."""
        request = MoveParticipantRequest(room=room, identity=identity, destination_room=destination)
        return await self._done(self._api.room.move_participant(request), "a move")

    async def remove(self, room: str, identity: str) -> bool:
        """Hangs up on somebody."""
        request = RoomParticipantIdentity(room=room, identity=identity)
        return await self._done(self._api.room.remove_participant(request), "a hang-up")

    async def close_room(self, room: str) -> bool:
        """Hangs up on everybody in a room."""
        request = api.DeleteRoomRequest(room=room)
        return await self._done(self._api.room.delete_room(request), "the end of a room")

    async def is_there(self, room: str, identity: str) -> bool | None:
        """Whether somebody is in a room; None if that can't be known now."""
        request = RoomParticipantIdentity(room=room, identity=identity)
        try:
            found: ParticipantInfo = await self._api.room.get_participant(request)
        except api.ServerError as problem:
            return False if problem.code == api.ServerErrorCode.NOT_FOUND else None
        except (aiohttp.ClientError, TimeoutError, OSError):
            return None
        return found.identity == identity

    async def _done(self, asked: Awaitable[object], what: str) -> bool:
        try:
            await asked
        except (api.ServerError, aiohttp.ClientError, TimeoutError, OSError) as problem:
            logger.warning("%s did not come about (%s)", what, type(problem).__name__)
            return False
        return True


def _not_answered(status: int | None, code: str) -> Dialled:
    """What an error of the SIP service means."""
    if status in _BUSY:
        return Dialled("busy", status)
    if status in _NO_ANSWER:
        return Dialled("no_answer", status)
    if status is not None:
        return Dialled("failed", status)
    if code in (api.ServerErrorCode.DEADLINE_EXCEEDED, api.ServerErrorCode.CANCELED):
        # It rang as long as it might.
        return Dialled("no_answer")
    if code in _NOTHING_WAS_DONE:
        return Dialled("failed")
    return Dialled("unknown")


# The service refused the request itself.
_NOTHING_WAS_DONE = frozenset(
    {
        api.ServerErrorCode.INVALID_ARGUMENT,
        api.ServerErrorCode.MALFORMED,
        api.ServerErrorCode.NOT_FOUND,
        api.ServerErrorCode.BAD_ROUTE,
        api.ServerErrorCode.PERMISSION_DENIED,
        api.ServerErrorCode.UNAUTHENTICATED,
        api.ServerErrorCode.RESOURCE_EXHAUSTED,
        api.ServerErrorCode.FAILED_PRECONDITION,
        api.ServerErrorCode.UNIMPLEMENTED,
    }
)
