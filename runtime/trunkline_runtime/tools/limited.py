"""Runs a tool for as long as it may take, and checks what it answers against the catalogue."""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass

import jsonschema

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.faults import log_fault
from trunkline_runtime.gate.decision import Ending
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.runner import FailureKind, Runner, ToolContext, ToolFailed, doubt

logger = logging.getLogger("trunkline.tools")

# Time for the pauses between the tries of a tool that may be tried again.
_PAUSES_SECONDS = 1.0
# A runner that keeps its own deadline says better than we could what became of its call.
_GRACE_SECONDS = 0.25


@dataclass(frozen=True)
class Finished:
    """How a tool ended: a value, or a failure with words for the model.

    `ending` is what the gate hears: a tool that started and failed may have done its work.
    """

    value: Json = None
    failure: FailureKind | None = None
    words: str = ""
    ending: Ending = "unknown"


async def run_limited(
    runners: Mapping[str, Runner],
    entry: ToolEntry,
    args: Mapping[str, Json],
    *,
    call_id: str,
    tenant: TenantSettings,
    idempotency_key: str,
    language: str,
) -> Finished:
    """Runs one tool. Raises nothing but CancelledError, and then the tool is cancelled too."""
    runner = runners.get(next(iter(entry.run), ""))
    if runner is None:
        return Finished(failure="error", words=f"{entry.id} cannot run here.", ending="failed")
    seconds = seconds_allowed(entry)
    deadline = asyncio.get_running_loop().time() + seconds
    context = ToolContext(call_id, tenant, idempotency_key, deadline, language)
    running = asyncio.ensure_future(runner.run(entry, args, context))
    try:
        await asyncio.wait({running}, timeout=seconds + _GRACE_SECONDS)
    except asyncio.CancelledError:
        running.cancel()
        raise
    if not running.done():
        # Not awaited: a runner that does not let itself be cancelled must not hold the call.
        running.add_done_callback(_forget)
        running.cancel()
        words = f"{entry.id} did not answer in time.{doubt(entry.idempotent)}"
        return Finished(failure="timeout", words=words)
    try:
        value = running.result()
    except ToolFailed as failed:
        ending: Ending = "failed" if failed.nothing_done else "unknown"
        return Finished(failure=failed.kind, words=failed.message_for_model, ending=ending)
    except Exception as error:
        log_fault(logger, f"the runner of {entry.id} failed", error)
        return Finished(failure="error", words=f"{entry.id} failed.{doubt(entry.idempotent)}")
    if not is_json(value) or misfits(entry, value):
        logger.error("%s gave a result that its catalogue entry does not allow", entry.id)
        words = f"{entry.id} gave an answer that makes no sense.{doubt(entry.idempotent)}"
        return Finished(failure="error", words=words)
    return Finished(value, ending="done")


def seconds_allowed(entry: ToolEntry) -> float:
    """How long all tries of one call may take together; an entry's time-out is for one try."""
    tries = 1 + (entry.retries if entry.idempotent else 0)
    return entry.timeout_seconds * tries + (_PAUSES_SECONDS if tries > 1 else 0.0)


def is_json(value: object) -> bool:
    """Whether a value can be written as JSON in UTF-8 and read back.

    Python takes more: a number that is none or beyond all bounds, half a character, a date, a list
    in a list in a list.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def misfits(entry: ToolEntry, value: Json) -> bool:
    """Whether a result breaks the entry's own schema."""
    return not jsonschema.Draft7Validator(entry.result).is_valid(value)


def _forget(running: "asyncio.Future[Json]") -> None:
    if not running.cancelled():
        running.exception()  # read, so that the loop does not complain about it
