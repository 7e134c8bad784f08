"""Carries out the steps that take time: an opt-out goes to disk, a human is rung."""

import asyncio
import logging

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import Said
from trunkline_runtime.call.ledger import Done
from trunkline_runtime.call.opting_out import OptingOut
from trunkline_runtime.call.steps import HandOver, Step, Suppress
from trunkline_runtime.call.transfers import HandOff, Taken, Transfers, hand_off
from trunkline_runtime.faults import log_fault
from trunkline_runtime.table.nodes import TransferNode

logger = logging.getLogger("trunkline.call")

# A human who does not pick up within this time does not pick up.
_LONGEST_RING_SECONDS = 60.0
_PASSED_ON_SECONDS = 2.0
# How long it may take to hang up on everybody who was rung.
_STOP_SECONDS = 5.0


class Performer:
    """Carries out the steps of one call. A step of a visit that is over does nothing."""

    def __init__(self, call: Call, opting_out: OptingOut, transfers: Transfers) -> None:
        self._call = call
        self._opting_out = opting_out
        self._transfers = transfers
        self._ringing: asyncio.Future[Taken] | None = None

    def let_go(self) -> None:
        """The caller is gone: nobody is rung for them any more.

        Not at once, for a caller who was passed on leaves the line as well, a moment before it is
        said that they were.
        """
        if self._ringing is not None:
            asyncio.get_running_loop().call_later(_PASSED_ON_SECONDS, self._ringing.cancel)

    async def __call__(self, step: Step, visit: int) -> Done:
        """What came of a step. Never raises but CancelledError."""
        if self._call.state.visit.number == visit:
            if isinstance(step, Suppress):
                return Done(step, visit, failed=await self._suppress())
            if isinstance(step, HandOver):
                return await self._hand_over(step, visit)
        return Done(step, visit)

    async def _suppress(self) -> str | None:
        """Why the number could not be taken off the list of those who are called, if it could not.

        A call without a number has nothing to write down.
        """
        await self._opting_out.written()
        # What waits on this machine will be written down; the caller is told so only when it is.
        if self._call.state.opt_out in ("yes", None):
            return None
        return "the opt-out could not be written down"

    async def _hand_over(self, step: HandOver, visit: int) -> Done:
        node = self._call.node
        asked = hand_off(self._call, node) if isinstance(node, TransferNode) else None
        if asked is None:
            return Done(step, visit, failed="no number to transfer to")
        taken = await self._rung(asked)
        if not taken.answered:
            return Done(step, visit, failed=f"nobody took the call at {asked.name}")
        if taken.says is not None:
            said = Said("human", taken.says, node.id, self._call.now())
            self._call.state.history.append(said)
        return Done(step, visit, took=True)

    async def _rung(self, asked: HandOff) -> Taken:
        """What came of ringing, which is brought to an end whatever happens here."""
        ringing = asyncio.ensure_future(self._transfers.hand_over(asked))
        self._ringing = ringing
        try:
            await asyncio.wait({ringing}, timeout=_LONGEST_RING_SECONDS)
        finally:
            self._ringing = None
            ringing.cancel()
            await asyncio.wait({ringing}, timeout=_STOP_SECONDS)
        if not ringing.done() or ringing.cancelled():
            return Taken(False)
        problem = ringing.exception()
        if problem is not None:
            log_fault(logger, "a transfer failed", problem)
            return Taken(False)
        return ringing.result()
