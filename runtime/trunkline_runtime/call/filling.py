"""Enums from a tenant's data (`x-enum-from`): the tools that list the values run as a call begins.

They run beside the first words, so that nobody waits for them in silence; a node that has a tool
with such an argument waits, for a moment. Each goes past the gate like any other tool. One that
brings no values leaves the tools that need them without: they are not offered, and the record says
why.
"""

import asyncio

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.conditions import uses
from trunkline_runtime.call.history import ToolCall
from trunkline_runtime.call.moment import moment_of
from trunkline_runtime.catalogue.entry import with_needed
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import unfilled
from trunkline_runtime.tools.checked import Place
from trunkline_runtime.tools.dispatcher import Dispatcher

# Where these calls stand in the record: they belong to no node.
CALL_START = "call_start"
# What a caller bears before the node speaks without its tool; it is offered as soon as it can be.
_PATIENCE_SECONDS = 2.0


class Filling:
    """Fills the enums of one call, of each flow once."""

    def __init__(self, call: Call, dispatcher: Dispatcher) -> None:
        self._call = call
        self._dispatcher = dispatcher
        self._running: dict[str, asyncio.Task[None]] = {}
        self._flows: set[str] = set()

    def begin(self) -> None:
        """Starts the tools that this flow's enums are filled from, if it has not been done."""
        call = self._call
        if call.state.flow in self._flows or call.state.over:
            return
        self._flows.add(call.state.flow)
        granted = with_needed(call.entries, {use.id for use in uses(call.table)})
        needing = [call.entries[tool] for tool in sorted(granted) if tool in call.entries]
        by_source: dict[str, list[str]] = {}
        for entry in needing:
            for source in unfilled(entry, call.state.results).values():
                by_source.setdefault(source.partition(".")[0], []).append(entry.id)
        for tool, waiting in by_source.items():
            filling = self._fill(tool, tuple(dict.fromkeys(waiting)))
            self._running[tool] = asyncio.get_running_loop().create_task(filling)

    async def ready(self) -> None:
        """Returns when the node that the call stands on has its enums, or must do without."""
        self.begin()
        node, entries = self._call.node, self._call.entries
        if not self._running or not isinstance(node, TalkNode):
            return
        needed = with_needed(entries, {use.id for use in node.tools})
        waiting = [task for tool, task in self._running.items() if tool in needed]
        if any(not task.done() for task in waiting):
            await asyncio.wait(waiting, timeout=_PATIENCE_SECONDS)

    async def _fill(self, tool: str, waiting: tuple[str, ...]) -> None:
        place = Place(CALL_START, None, frozenset({tool}))
        await self._dispatcher.run(ToolUse(tool, {}, {}), {}, place, background=True)
        for name in waiting:
            self._note_unfilled(name)

    def _note_unfilled(self, tool: str) -> None:
        """Puts on record that a tool is not offered, and which values it lacks."""
        call, state = self._call, self._call.state
        missing = unfilled(call.entries[tool], state.results)
        if not missing or state.over:
            return
        why = tuple(f"unfilled: {name} has no values in {missing[name]}" for name in missing)
        state.tools.append(
            ToolCall(
                tool,
                CALL_START,
                state.visit.number,
                call.now(),
                {},
                "refused",
                "Not offered: its values are not known.",
                reasons=why,
                known=moment_of(call),
            )
        )
