"""Who is on the line when a call begins, and who or what that is; or that nobody is.

A call that another process began is looked at first: who was dialled then is not dialled again,
and what was known of them is known still.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from livekit.agents import llm

from trunkline_runtime.call.begin import NOT_CONNECTED
from trunkline_runtime.call.ending import HUNG_UP
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.state import CallState
from trunkline_runtime.worker.answering import who_answered
from trunkline_runtime.worker.cut_off import give_up
from trunkline_runtime.worker.job import Job
from trunkline_runtime.worker.line import PARTY, Line, Party
from trunkline_runtime.worker.outbound import Outbound

# Somebody who has picked up is in the room a moment later, or has hung up again.
_JOINS_SECONDS = 10.0
# Somebody who is still there after a worker was lost is there at once.
_STILL_THERE_SECONDS = 3.0
_WHO_DIALLED: Mapping[bool | None, str] = {
    True: "a worker before this one has dialled",
    False: "somebody was on the line before anybody was dialled",
    None: "somebody is on the line; the ledger does not say who dialled them",
}


def dials(state: CallState) -> bool:
    """Whether a call has to dial if nobody is on its line."""
    begun = state.over or state.visit.number > 0 or state.dial is not None
    return state.direction == "outbound" and not begun and state.answered_by is None


@dataclass(frozen=True)
class Reaching:
    """Gets the party of one call on the line. `outbound` is None for a call that comes in."""

    line: Line
    live: LiveCall
    model: llm.LLM[Any]
    outbound: Outbound | None

    async def reach(self, job: Job, party: Party | None) -> None:
        """Returns when somebody is on the line and is known, or the call's outcome is decided."""
        state = self.live.state
        if state.over or state.answered_by in NOT_CONNECTED:
            return
        if state.visit.number > 0:
            await self._still_there(party)
        elif state.dial is not None:
            found = await self._still_there(party)
            await self._told(found)
        elif state.direction == "inbound" or state.answered_by is not None:
            if party is None:
                state.outcome, state.over = "no_answer", True
        elif party is not None:
            await self._there_already(party)
            await self._told(party)
        else:
            await self._dial(job)

    async def _still_there(self, party: Party | None) -> Party | None:
        """A call that was cut off goes on if somebody waits for it."""
        party = party or await self.line.await_party(_STILL_THERE_SECONDS)
        if party is None:
            give_up(self.live.call)
        return party

    async def _there_already(self, party: Party) -> None:
        """Somebody is on the line of a call that dials, and is not dialled. A claim says whether a
        worker before this one did; none may from now on.
        """
        assert self.outbound is not None
        dialled = party.identity == PARTY or await self.outbound.has_dialled(self.live.call)
        self.live.state.dial = {"ending": "answered", "why": _WHO_DIALLED[dialled]}

    async def _told(self, party: Party | None) -> None:
        """Listens for who or what is there, where the flow asks."""
        state = self.live.state
        if party is None or not self.live.call.table.answer or state.answered_by is not None:
            return
        await self.live.listen()
        state.answered_by = await who_answered(self.live.session, self.model, party.identity)

    async def _dial(self, job: Job) -> None:
        assert self.outbound is not None
        call, state = self.live.call, self.live.state
        # Beside the dial: the first word of who picks up is heard, and a session that waits
        # for somebody to come does not keep the telephone from ringing.
        listening = asyncio.ensure_future(self.live.listen()) if call.table.answer else None
        reached = await self.outbound.reach(call, job)
        if reached and await self.line.await_party(_JOINS_SECONDS) is None:
            # LiveKit says that it was answered before the room shows who is there.
            state.outcome, state.over, reached = HUNG_UP, True, False
        if listening is None:
            return
        if reached:
            await listening
            state.answered_by = await who_answered(self.live.session, self.model, PARTY)
        else:
            listening.cancel()
            await asyncio.wait([listening])
