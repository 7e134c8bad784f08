"""Taking a number off the list of those who are called: written down once, and never forgotten.

It is owed from the moment on which the outcome is decided. A caller who hangs up before the words,
and a process that is lost before it has written, change nothing about that.
"""

import asyncio

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.kept import kept
from trunkline_runtime.gate.request import Gate, OptOut


class OptingOut:
    """The opt-out of one call."""

    def __init__(self, call: Call, gate: Gate) -> None:
        self._call = call
        self._gate = gate
        self._writing: asyncio.Task[None] | None = None

    @property
    def owed(self) -> bool:
        """Whether the outcome takes a number off the list, and that is not written down."""
        state = self._call.state
        decided = state.outcome is not None and self._call.suppresses(state.outcome)
        written = state.opt_out in ("yes", "pending")
        return decided and state.party is not None and not written

    async def written(self) -> None:
        """Returns when it is written down, or could not be: the state says which.

        Whoever waits may stop waiting; what is being written goes on. A call without a number has
        nothing to write down.
        """
        if self.owed and (self._writing is None or self._writing.done()):
            self._writing = asyncio.create_task(self._write())
        if self._writing is not None:
            await asyncio.shield(self._writing)

    async def _write(self) -> None:
        state = self._call.state
        assert state.party is not None  # it was owed
        entry = self._call.pin.release.outcomes.get(state.outcome or "", {})
        opt_out = OptOut(
            call_id=state.call_id,
            tenant=state.tenant,
            number=state.party,
            now=self._call.clock.now(),
            scope="platform" if entry.get("suppress") == "platform" else "tenant",
        )
        state.opt_out = await kept(self._gate.record_opt_out(opt_out), "an opt-out")
