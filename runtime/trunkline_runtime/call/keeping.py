"""What is kept of a call while it runs and when it is over: checkpoints, its trace, its record."""

import logging
from pathlib import Path

from opentelemetry.trace import TracerProvider

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.checkpoint import Checkpoints
from trunkline_runtime.call.record import record_of
from trunkline_runtime.call.traces import CallTrace
from trunkline_runtime.gate.decision_log import DecisionLog
from trunkline_runtime.table.canonical import Json

logger = logging.getLogger("trunkline.call")

_FOLDER = "calls"


def call_log(state: Path) -> DecisionLog:
    """The record of calls below a state folder: a line for each call, chained, on disk at once."""
    return DecisionLog(state / _FOLDER, of="calls")


class Keeping:
    """Keeps one call. Without `checkpoints` another process can't go on with it."""

    def __init__(
        self,
        call: Call,
        log: DecisionLog,
        checkpoints: Checkpoints | None = None,
        provider: TracerProvider | None = None,
    ) -> None:
        self._call = call
        self._log = log
        self._checkpoints = checkpoints
        self._trace = CallTrace(call, provider)
        self._unsaved = False

    def changed(self) -> None:
        """Something was said, called or moved. Never raises: a full disk must not end a call."""
        self._trace.changed()
        if self._checkpoints is None:
            return
        try:
            self._checkpoints.save(self._call.state)
            self._unsaved = False
        except (OSError, ValueError) as problem:
            if not self._unsaved:
                logger.error("a checkpoint can't be written (%s)", type(problem).__name__)
            self._unsaved = True

    def complete(self) -> dict[str, Json]:
        """The record of a call that is over, once it is on disk; only then its checkpoint goes.

        Raises OSError if it is not: the checkpoint stays, and who looks after calls that were cut
        off completes the record later.
        """
        self._trace.end()
        record = record_of(self._call)
        self._log.append(record)
        if self._checkpoints is not None:
            self._checkpoints.forget(self._call.state.tenant, self._call.state.call_id)
        return record
