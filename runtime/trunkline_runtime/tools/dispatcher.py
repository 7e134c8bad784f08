"""The one way to a tool: grant, arguments, gate, runner, result, in this order for every call.

LiveKit has no hook before a tool, so each compiled tool is a closure that calls `Dispatcher.run`;
there is no other place that knows the runners. The gate's decision is on record before the runner
starts, and a tool that the gate does not allow does not run.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import ToolCall, ToolOutcome
from trunkline_runtime.call.moment import moment_of
from trunkline_runtime.call.rules import start_call
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.faults import log_fault
from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.gate.request import Gate
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import attempt_key, bound_slots
from trunkline_runtime.tools.asking import ask_gate
from trunkline_runtime.tools.checked import Place, Ready, Report, checked, gone, used_up
from trunkline_runtime.tools.limited import Finished, run_limited
from trunkline_runtime.tools.provenance import private_arguments, spoken_as_required
from trunkline_runtime.tools.result import Started, apply_result
from trunkline_runtime.tools.runner import FailureKind, Runner, ToolFailed

logger = logging.getLogger("trunkline.tools")

Allowed = Callable[[], Awaitable[None]]

# The flow and node at which the tool that runs was begun: a subagent works on while the call moves,
# and what it uses is counted there. Each tool runs in a task, and so in a context, of its own.
_BEGUN_AT: ContextVar[tuple[str, str]] = ContextVar("begun_at")


class Dispatcher:
    """Runs the tools of one call. `runners` are by kind: `http`, `python`, `subagent`.

    `address` is where the other party is, if the job says so; the gate reads it.
    """

    def __init__(
        self,
        call: Call,
        gate: Gate,
        runners: Mapping[str, Runner],
        address: Mapping[str, Json] | None = None,
    ) -> None:
        self._call = call
        self._gate = gate
        self._runners = runners
        self._address = address
        # Called when a tool is about to start: what comes after a process that is lost must know.
        self.changed: Callable[[], None] = lambda: None
        # for one that works in the background, the tool's id
        self._running: dict[asyncio.Task[Any], str | None] = {}

    async def run(
        self,
        use: ToolUse,
        chosen: Mapping[str, Json],
        place: Place,
        *,
        allowed: Allowed | None = None,
        background: bool = False,
    ) -> Report:
        """One call of a tool, for the model or after the call. Never raises for what may happen.

        `allowed` is awaited when the gate has said yes and before the tool starts. A tool that
        works in the `background` is stopped when the call is over: what it thinks about is for
        nobody then.
        """
        state = self._call.state
        index, visit = len(state.tools), state.visit.number
        now = self._call.now()
        known = moment_of(self._call)
        wanted = ToolCall(use.id, place.node, visit, now, dict(chosen), "running", "", known=known)
        state.tools.append(wanted)
        # At once, so that the calls of a batch see what was known when each was made.
        ready = checked(self._call, use, chosen, place)
        running = asyncio.ensure_future(self._noted(use, ready, place, index, allowed))
        self._running[running] = use.id if background else None
        running.add_done_callback(self._running.pop)
        try:
            # Shielded: LiveKit may give up waiting, but what has begun is brought to an end.
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            if running.cancelled():
                return Report("error", "It was stopped.", stopped=True)
            raise

    async def for_subagent(self, entry: ToolEntry, tool: str, args: Mapping[str, Json]) -> Json:
        """A tool for a subagent, past the gate like any other. Raises ToolFailed."""
        calls = entry.nested_calls
        flow, node = _BEGUN_AT.get((self._call.state.flow, self._call.state.node))
        place = Place(f"{node}/{entry.id}", None, frozenset(calls), flow=flow)
        report = await self.run(ToolUse(tool, {}, {}, max_calls=calls.get(tool, 0)), args, place)
        if report.outcome != "done":
            raise ToolFailed(report.words, _kind(report.outcome))
        return report.result

    @property
    def busy(self) -> bool:
        """Whether a tool of this call runs at this moment."""
        return bool(self._running)

    async def settled(self) -> None:
        """Returns when no tool of this call runs any more; each has its own time limit."""
        while self._running:
            await asyncio.wait(list(self._running))

    def stop_background(self) -> None:
        """The call is over: what works in the background stops, the rest comes to its end."""
        for running, background in self._running.items():
            if background is not None:
                running.cancel()

    def stop(self, tool: str) -> bool:
        """Stops what a tool does in the background. False if it does nothing."""
        found = [running for running, id in self._running.items() if id == tool]
        for running in found:
            running.cancel()
        return bool(found)

    async def _noted(
        self,
        use: ToolUse,
        ready: Report | Ready,
        place: Place,
        index: int,
        allowed: Allowed | None,
    ) -> Report:
        """Runs a call and keeps the record of it. Raises nothing but CancelledError."""
        state = self._call.state
        try:
            report = (
                ready
                if isinstance(ready, Report)
                else await self._run(use, ready, place, index, allowed)
            )
        except asyncio.CancelledError:
            self._note(index, outcome="error", words="It was stopped.")
            raise
        except Exception as error:
            # A bug of ours must not take the call down: the model hears that the tool failed.
            log_fault(logger, f"the dispatcher failed on {use.id}", error)
            report = Report("error", "The tool failed.")
        self._note(index, outcome=report.outcome, words=report.words, result=report.result)
        if place.visit == state.visit.number:
            if report.outcome == "done":
                state.visit.failed.pop(use.id, None)
            elif report.outcome != "refused":
                state.visit.failed[use.id] = report.outcome
        state.unsettled = True
        return report

    async def _run(
        self,
        use: ToolUse,
        ready: Ready,
        place: Place,
        index: int,
        allowed: Allowed | None,
    ) -> Report:
        call, state = self._call, self._call.state
        entry, args = ready.entry, ready.args
        rests_on = bound_slots(use, call.conditions)
        spoken = spoken_as_required(call, entry, use)
        decision = await self._decided(entry, use, args, place, index)
        if not decision.allowed:
            reasons = " ".join(reason.message for reason in decision.reasons)
            return Report("denied", f"Not allowed. {reasons}".strip())
        # Calls of one batch were all checked before the first of them was counted.
        left = gone(call, place, use) or used_up(call, ready.counted, use)
        if left is not None:
            await self._gate.settle(decision, "withdrawn")
            return left
        state.calls[ready.counted] = state.calls.get(ready.counted, 0) + 1
        tick = start_call(state, entry.revokes, use.sets)
        started = Started(ready.seen, tick, place.node, rests_on, spoken, state.links)
        self.changed()
        _BEGUN_AT.set((place.flow or state.flow, place.node))
        finished = await self._ran(entry, args, decision, index, allowed)
        if finished.failure is not None:
            return Report(finished.failure, finished.words)
        apply_result(call, entry, use, args, finished.value, started)
        return Report("done", json.dumps(finished.value, ensure_ascii=False), finished.value)

    async def _decided(
        self, entry: ToolEntry, use: ToolUse, args: Mapping[str, Json], place: Place, index: int
    ) -> Decision:
        call = self._call
        before = [tool for tool in call.state.tools if tool.tool == use.id]
        done = sum(_ended(entry, tool) and tool.args == args for tool in before)
        attempt = attempt_key(call.state.tenant, call.state.call_id, use.id, args, done)
        private = private_arguments(call, entry, use, args)
        self._note(index, args=args, private=private, attempt=attempt)
        bound = frozenset(use.bind)
        decision = await ask_gate(
            self._gate, call, entry, args, bound, attempt, place, self._address
        )
        self._note(
            index,
            decision=decision.id,
            allowed=decision.allowed,
            rules=tuple(decision.rules),
            reasons=tuple(f"{reason.kind}: {reason.message}" for reason in decision.reasons),
        )
        return decision

    async def _ran(
        self,
        entry: ToolEntry,
        args: Mapping[str, Json],
        decision: Decision,
        index: int,
        allowed: Allowed | None,
    ) -> Finished:
        began = asyncio.get_running_loop().time()
        thinks = "subagent" in entry.run
        ending: Ending = "done" if thinks else "unknown"
        try:
            if allowed is not None:
                await allowed()
            finished = await run_limited(
                self._runners,
                entry,
                args,
                call_id=self._call.state.call_id,
                tenant=self._call.settings,
                idempotency_key=self._call.state.tools[index].attempt,
                language=self._call.table.language,
            )
            # Nothing is left of a thought that has ended, however it did, but what it cost: what it
            # used has endings of its own.
            ending = "done" if thinks and finished.ending == "unknown" else finished.ending
            return finished
        finally:
            took = asyncio.get_running_loop().time() - began
            self._note(index, seconds=round(took, 3), ending=ending)
            # shielded: a call that is cut off still says how its tools ended
            await asyncio.shield(self._gate.settle(decision, ending))

    def _note(self, index: int, **changes: Any) -> None:
        tools = self._call.state.tools
        tools[index] = replace(tools[index], **changes)


def _ended(entry: ToolEntry, tool: ToolCall) -> bool:
    """Whether the same wish after this call is a new one."""
    return tool.outcome == "done" or ("subagent" in entry.run and tool.ending == "done")


def _kind(outcome: ToolOutcome) -> FailureKind:
    return outcome if outcome == "timeout" or outcome == "denied" else "error"
