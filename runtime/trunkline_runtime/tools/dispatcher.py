"""The one way to a tool: grant, arguments, gate, runner, result, in this order for every call.

LiveKit has no hook before a tool, so each compiled tool is a closure that calls `Dispatcher.run`;
there is no other place that knows the runners. The gate's decision is on record before the runner
starts, and a tool that the gate does not allow does not run.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import ToolCall, ToolOutcome
from trunkline_runtime.call.rules import start_call
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.gate.request import FactRecord, Gate, ToolRequest
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import (
    Unusable,
    assembled,
    attempt_key,
    bound_slots,
)
from trunkline_runtime.tools.limited import Finished, run_limited
from trunkline_runtime.tools.provenance import private_arguments, spoken_as_required
from trunkline_runtime.tools.result import Started, apply_result, subject_of
from trunkline_runtime.tools.runner import Runner

logger = logging.getLogger("trunkline.tools")

# Facts can fall while the gate decides; the decision is then asked for anew, this often at most.
_MOST_DECISIONS = 3


@dataclass(frozen=True)
class Place:
    """Where a call of a tool comes from: the node, its visit, and the tools granted there."""

    node: str
    visit: int
    granted: frozenset[str]


@dataclass(frozen=True)
class Report:
    """What became of a call. `words` are for the model; `result` is set only for `done`."""

    outcome: ToolOutcome
    words: str
    result: Json = None


class Dispatcher:
    """Runs the tools of one call. `runners` are by kind: `http`, `python`, `subagent`."""

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
        self._running: set[asyncio.Task[Any]] = set()

    async def settled(self) -> None:
        """Returns when no tool of this call runs any more; each has its own time limit."""
        others = self._running - {asyncio.current_task()}
        if others:
            await asyncio.wait(others)

    async def run(self, use: ToolUse, chosen: Mapping[str, Json], place: Place) -> Report:
        """One call of a tool, for the model or after the call. Never raises for what may happen."""
        call, state = self._call, self._call.state
        entry = call.entries.get(use.id)
        index = len(state.tools)
        state.tools.append(
            ToolCall(use.id, place.node, place.visit, call.now(), dict(chosen), "running", "")
        )
        task = asyncio.current_task()
        if task is not None:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        try:
            report = await self._run(entry, use, chosen, place, index)
        except asyncio.CancelledError:
            self._note(index, "error", "cancelled")
            raise
        except Exception:
            # A bug of ours must not take the call down: the model hears that the tool failed.
            logger.exception("the dispatcher failed on %s", use.id)
            report = Report("error", "The tool failed.")
        self._note(index, report.outcome, report.words, report.result)
        if report.outcome == "done":
            state.visit.failed.pop(use.id, None)
        elif report.outcome != "refused" and state.visit.number == place.visit:
            state.visit.failed[use.id] = report.outcome
        state.unsettled = True
        return report

    async def _run(
        self,
        entry: ToolEntry | None,
        use: ToolUse,
        chosen: Mapping[str, Json],
        place: Place,
        index: int,
    ) -> Report:
        call, state = self._call, self._call.state
        if entry is None or use.id not in place.granted or state.visit.number != place.visit:
            return Report("refused", f"There is no tool {use.id!r} at {state.node}.")
        counted = f"{state.flow}/{place.node}/{use.id}"
        if state.calls.get(counted, 0) >= use.max_calls:
            return Report("used_up", f"{use.id} was called as often as it may be in this call.")
        try:
            args = assembled(entry, use, chosen, call.conditions, call.values())
        except Unusable as unusable:
            return Report("refused", unusable.words)
        attempt = self._attempt(use.id, args)
        state.tools[index] = replace(
            state.tools[index],
            args=args,
            private=private_arguments(call, entry, use, args),
            attempt=attempt,
        )
        decision = await self._decide(entry, use, args, place, attempt)
        self._note_decision(index, decision)
        if not decision.allowed:
            reasons = " ".join(reason.message for reason in decision.reasons)
            return Report("denied", f"Not allowed. {reasons}".strip())
        if state.visit.number != place.visit:
            await self._gate.settle(decision, "withdrawn")
            return Report("refused", f"The call has moved on to {state.node}.")
        state.calls[counted] = state.calls.get(counted, 0) + 1
        rests_on = bound_slots(use, call.conditions)
        spoken = spoken_as_required(call, entry, use)
        tick = start_call(state, entry.revokes, use.sets)
        started = Started(tick, place.node, rests_on, spoken, state.links)
        finished = await self._ran(entry, args, decision, index)
        if finished.failure is not None:
            return Report(finished.failure, finished.words)
        apply_result(call, entry, use, args, finished.value, started)
        words = json.dumps(finished.value, ensure_ascii=False)
        return Report("done", words, finished.value)

    async def _decide(
        self,
        entry: ToolEntry,
        use: ToolUse,
        args: Mapping[str, Json],
        place: Place,
        attempt: str,
    ) -> Decision:
        """The gate's decision, on facts that still hold when it is there."""
        state = self._call.state
        for _ in range(_MOST_DECISIONS):
            facts = dict(state.facts)
            decision = await self._gate.decide(
                self._request(entry, use, args, place, attempt, subject_of(self._call, entry, args))
            )
            if not decision.allowed or facts == state.facts:
                return decision
            await self._gate.settle(decision, "withdrawn")
        return replace(decision, allowed=False)

    def _request(
        self,
        entry: ToolEntry,
        use: ToolUse,
        args: Mapping[str, Json],
        place: Place,
        attempt: str,
        subject: str | None,
    ) -> ToolRequest:
        call, state = self._call, self._call.state
        return ToolRequest(
            call_id=state.call_id,
            tenant=state.tenant,
            flow=state.flow,
            node=place.node,
            pin_digest=call.pin.digest,
            tool=entry,
            tool_id=use.id,
            granted=place.granted,
            args=args,
            bound=frozenset(use.bind),
            attempt=attempt,
            facts={name: FactRecord(fact.subject) for name, fact in state.facts.items()},
            subject=subject,
            party=state.party,
            address=self._address,
            purpose=call.table.purpose or "",
            direction=state.direction,
            now=call.clock.now(),
            disclosed=frozenset(state.disclosed),
            consents=frozenset(state.consents),
        )

    def _attempt(self, tool: str, args: Mapping[str, Json]) -> str:
        done = sum(
            1
            for earlier in self._call.state.tools
            if earlier.tool == tool and earlier.outcome == "done" and earlier.args == args
        )
        return attempt_key(self._call.state.call_id, tool, args, done)

    async def _ran(
        self, entry: ToolEntry, args: Mapping[str, Json], decision: Decision, index: int
    ) -> Finished:
        began = asyncio.get_running_loop().time()
        ending: Ending = "unknown"
        try:
            finished = await run_limited(
                self._runners,
                entry,
                args,
                call_id=self._call.state.call_id,
                tenant=self._call.settings,
                idempotency_key=self._call.state.tools[index].attempt,
                language=self._call.table.language,
            )
            ending = finished.ending
            return finished
        finally:
            # shielded: a call that is cut off still says how its tools ended
            await asyncio.shield(self._gate.settle(decision, ending))
            took = asyncio.get_running_loop().time() - began
            tools = self._call.state.tools
            tools[index] = replace(tools[index], seconds=round(took, 3))

    def _note(self, index: int, outcome: ToolOutcome, words: str, result: Json = None) -> None:
        tools = self._call.state.tools
        tools[index] = replace(tools[index], outcome=outcome, words=words, result=result)

    def _note_decision(self, index: int, decision: Decision) -> None:
        tools = self._call.state.tools
        tools[index] = replace(
            tools[index],
            decision=decision.id,
            allowed=decision.allowed,
            rules=tuple(decision.rules),
            reasons=tuple(f"{reason.kind}: {reason.message}" for reason in decision.reasons),
        )
