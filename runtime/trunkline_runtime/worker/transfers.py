"""Handing a call to a human over SIP: cold, or warm with a summary that only the human hears.

Cold is a SIP REFER of the caller's own leg: the telephone network connects the two, and the call
leaves LiveKit. Warm rings the human in a room of their own, speaks the summary there, and moves
them to the caller, who waits in the call's room.

LiveKit's `WarmTransferTask` does the second with a model that talks to the human. It is not used:
it is an `AgentTask`, which swaps the agent of the caller's session (see `call/agent.py` for what
that costs), its tools go past no gate, and its prompt holds the whole dialogue, while a transfer
node says which slots the human may hear.
"""

import asyncio
import logging
from typing import Protocol

from trunkline_runtime.call.transfers import HandOff, Taken
from trunkline_runtime.worker.sip import SipLine, Trunk

logger = logging.getLogger("trunkline.worker")

RING_SECONDS = 30
_DESK = "-desk"
_HUMAN = "human"


class Briefing(Protocol):
    """Speaks to the human before the caller is there. Raises whatever a room or a voice raises."""

    async def say(self, room: str, words: str, language: str) -> None: ...


class SipTransfers:
    """The transfers of one call. `caller` is the identity of the caller's leg in `room`.

    Without a `trunk` nobody can be rung, and a warm transfer is made as a cold one.
    """

    def __init__(
        self, sip: SipLine, room: str, caller: str, trunk: Trunk | None, briefing: Briefing
    ) -> None:
        self._sip = sip
        self._room = room
        self._caller = caller
        self._trunk = trunk
        self._briefing = briefing
        # The identity of a human who was brought into the call's room: the room must stay.
        self.joined: str | None = None

    async def hand_over(self, hand_off: HandOff) -> Taken:
        """Never raises for what a network or a telephone can do."""
        if hand_off.mode == "cold" or self._trunk is None:
            number = hand_off.number
            taken = await self._sip.pass_on(self._room, self._caller, number, RING_SECONDS)
            return Taken(taken, hand_off.name if taken else None)
        return await self._warm(hand_off, self._trunk)

    async def _warm(self, hand_off: HandOff, trunk: Trunk) -> Taken:
        desk = f"{self._room}{_DESK}"
        try:
            dialled = await self._sip.dial(trunk, hand_off.number, desk, _HUMAN, RING_SECONDS)
            if dialled.ending != "answered":
                return Taken(False)
            await self._brief(hand_off, desk)
            if await self._sip.is_there(self._room, self._caller) is False:
                return await self._gives_up(desk)
            if not await self._sip.move(desk, _HUMAN, self._room):
                return await self._gives_up(desk)
        except asyncio.CancelledError:
            # The caller has hung up, or it rang too long: nobody is left alone on a line.
            await asyncio.shield(self._sip.close_room(desk))
            raise
        self.joined = _HUMAN
        return Taken(True, hand_off.name)

    async def _gives_up(self, desk: str) -> Taken:
        await self._sip.close_room(desk)
        return Taken(False)

    async def _brief(self, hand_off: HandOff, desk: str) -> None:
        """A summary that can't be spoken is no reason to lose the human who is there."""
        try:
            await self._briefing.say(desk, summary_words(hand_off), hand_off.language)
        except Exception as problem:
            logger.warning("a summary could not be spoken (%s)", type(problem).__name__)


def summary_words(hand_off: HandOff) -> str:
    """What the human hears first: each slot of the summary by its name, and its value."""
    told = [f"{slot.replace('_', ' ')}: {value}." for slot, value in hand_off.summary.items()]
    return " ".join(["A call is being passed to you.", *told])
