"""A call that its process did not bring to an end: what it left is settled, and goes on record."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.checkpoint import Checkpoints
from trunkline_runtime.call.clock import WallClock
from trunkline_runtime.call.ending import HUNG_UP, after_call, keep_contact
from trunkline_runtime.call.keeping import Keeping, call_log
from trunkline_runtime.call.state import CallState
from trunkline_runtime.failure import FatalError
from trunkline_runtime.faults import log_fault
from trunkline_runtime.gate.chain import records
from trunkline_runtime.gate.request import Gate
from trunkline_runtime.policy.clock import instant_text
from trunkline_runtime.release.choose import from_cache
from trunkline_runtime.release.loaded import Pin, PolicySnapshot
from trunkline_runtime.tools.kinds import dispatcher_of
from trunkline_runtime.worker.station import Station

logger = logging.getLogger("trunkline.worker")

LOST = "the worker of this call was lost"
_MAY_HAVE_RUNG = "the worker was lost before it could say whether it rang"
# A job may come again and go on with its call within this time.
GRACE_SECONDS = 600.0


def resumed(station: Station, saved: CallState, policy: PolicySnapshot) -> Call:
    """The call of a checkpoint, on the very release that it is pinned to.

    A tool that ran when its process was lost may have done its work: it counts as not known.
    Raises FatalError if that release is not here any more.
    """
    saved.tools = [
        replace(tool, outcome="timeout", words=f"{LOST} while the tool ran.", ending="unknown")
        if tool.outcome == "running"
        else tool
        for tool in saved.tools
    ]
    for tool in saved.tools:
        if tool.words.startswith(LOST) and tool.visit == saved.visit.number:
            saved.visit.failed[tool.tool] = tool.outcome
    release = from_cache(station.cache, saved.tenant, saved.pin.tag).release
    return Call.resume(Pin(release, saved.flow), WallClock(), policy, saved)


def give_up(call: Call) -> None:
    """Nobody goes on with this call: its outcome is decided, unless it was."""
    state = call.state
    began = state.visit.number > 0
    answered = began or (state.dial or {}).get("ending") == "answered"
    state.outcome = state.outcome or (HUNG_UP if answered else "failed")
    if not began and state.direction == "outbound" and state.dial is None:
        state.dial = {"ending": "unknown", "why": _MAY_HAVE_RUNG}
    state.failures.append(LOST)
    state.closing = state.over = True


async def complete_lost(
    station: Station,
    gate: Gate,
    policy: Callable[[], PolicySnapshot],
    older_than: float = GRACE_SECONDS,
) -> int:
    """Brings to an end what no process goes on with. Returns how many calls that were.

    Their `after_call` runs past the gate and their record is completed. Never raises for one.
    """
    checkpoints, log, count = Checkpoints(station.state), call_log(station.state), 0
    for saved in checkpoints.cut_off(older_than):
        if _is_on_record(log.folder, saved):
            # it was killed between its record and its end
            checkpoints.forget(saved.tenant, saved.call_id)
            continue
        try:
            call = resumed(station, saved, policy())
            give_up(call)
            keeping = Keeping(call, log, checkpoints)
            async with dispatcher_of(call, gate) as dispatcher:
                # This process may be lost as well: the next must know what it has begun.
                dispatcher.changed = keeping.changed
                await after_call(call, dispatcher)
            await keep_contact(call, gate)
            keeping.complete()
            count += 1
        except (FatalError, OSError) as problem:
            logger.error("a call that was cut off can't be completed: %s", problem)
        except Exception as problem:
            log_fault(logger, "a call that was cut off can't be completed", problem)
    return count


def _is_on_record(folder: Path, saved: CallState) -> bool:
    started = instant_text(saved.started)
    mine = saved.tenant, saved.call_id, started
    return any(
        (record.get("tenant"), record.get("call_id"), record.get("started")) == mine
        for record in records(folder)
    )
