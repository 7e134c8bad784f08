"""What the ledger could not take: it waits on this machine's disk, and is put there later.

A number that is not to be called again must not be lost with a database that is down for a minute.
Each waits in a file of its own, readable by its owner only: it holds a number. Delivering one twice
does no harm: an opt-out is there or not, and a contact that counts twice only makes caps stricter.
"""

import contextlib
import json
import logging
import os
import secrets
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.gate.request import (
    ContactRecord,
    DialRequest,
    Gate,
    OptOut,
    PutOff,
    ToolRequest,
)
from trunkline_runtime.table.durable import make_folder, sync_folder

logger = logging.getLogger("trunkline.gate")

_FOLDER = "pending"


class PendingGate:
    """A gate that keeps below `state` what its ledger does not take. Else it is the gate within."""

    def __init__(self, gate: Gate, state: Path) -> None:
        self._gate = gate
        self._folder = state / _FOLDER

    async def decide(self, request: ToolRequest) -> Decision:
        return await self._gate.decide(request)

    async def decide_dial(self, request: DialRequest) -> Decision:
        return await self._gate.decide_dial(request)

    async def settle(self, decision: Decision, ending: Ending, micros: int | None = None) -> None:
        await self._gate.settle(decision, ending, micros)

    async def record_opt_out(self, opt_out: OptOut) -> None:
        """Raises PutOff if it waits on this disk, or what the gate raised if not even that."""
        try:
            await self._gate.record_opt_out(opt_out)
        except Exception as problem:
            self._put_off("opt_out", opt_out, problem)

    async def record_contact(self, contact: ContactRecord) -> None:
        """Raises PutOff if it waits on this disk, or what the gate raised if not even that."""
        try:
            await self._gate.record_contact(contact)
        except Exception as problem:
            self._put_off("contact", contact, problem)

    def _put_off(self, kind: str, what: OptOut | ContactRecord, problem: Exception) -> None:
        document = {"what": kind, "said": {**asdict(what), "now": what.now.isoformat()}}
        try:
            _write(self._folder, json.dumps(document).encode())
        except OSError:
            raise problem from None
        raise PutOff from None

    async def deliver(self) -> int:
        """Puts on the ledger what waits; what it does not take waits on. Returns how many waits."""
        for path in sorted(self._folder.glob("*.json")):
            try:
                document = json.loads(path.read_bytes())
                await self._put(document)
            except FileNotFoundError:
                continue  # another process was first
            except Exception as problem:
                logger.warning("%s still waits (%s)", path.name, type(problem).__name__)
                continue
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
            logger.info("%s: what had waited is on the ledger", path.name)
        return len(list(self._folder.glob("*.json")))

    async def _put(self, document: dict[str, Any]) -> None:
        said = {**document["said"], "now": datetime.fromisoformat(document["said"]["now"])}
        if document["what"] == "opt_out":
            await self._gate.record_opt_out(OptOut(**said))
        else:
            await self._gate.record_contact(ContactRecord(**said))


def _write(folder: Path, data: bytes) -> None:
    """A new file that survives a power cut. Raises OSError."""
    make_folder(folder)
    name = f"{secrets.token_hex(8)}.json"
    made = folder / f".{name}"
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    made.rename(folder / name)
    sync_folder(folder)
