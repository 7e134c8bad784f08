"""What the workers of this machine hold, as each reports it in a file beside the cache.

A report counts only while its worker lives: the worker holds a lock on a file of its own, and the
kernel drops the lock with the process.
"""

import fcntl
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from trunkline_runtime.release.board import Standing
from trunkline_runtime.table.artifact import ArtifactError, read_json
from trunkline_runtime.table.canonical import Json, canonical_bytes
from trunkline_runtime.table.durable import make_folder, place

WORKERS_FOLDER = ".workers"
_FORMAT = "trunkline/worker-report/v1"


@dataclass(frozen=True)
class Hold:
    """One release in one worker: the channels that take it there, none if it is draining.

    `calls` is how many calls held it at `at`.
    """

    worker: str
    tenant: str
    tag: str
    digest: str
    channels: tuple[str, ...]
    calls: int
    at: datetime

    @property
    def current(self) -> bool:
        return bool(self.channels)


class WorkerReport:
    """This process's report in a cache. Use it as a context manager: leaving removes it."""

    def __init__(self, cache: Path) -> None:
        self.worker = f"{socket.gethostname()}-{os.getpid()}"
        self._folder = cache / WORKERS_FOLDER
        self._alive: int | None = None

    def __enter__(self) -> "WorkerReport":
        """Raises OSError if the cache can't be written."""
        make_folder(self._folder)
        self._alive = os.open(_alive_file(self._folder, self.worker), os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(self._alive, fcntl.LOCK_EX)
        return self

    def write(self, standings: Sequence[Standing], now: datetime) -> None:
        """Replaces the report. It is news, not a record: losing it in a power cut is no loss."""
        rows: list[Json] = [
            {
                "tenant": row.release.tenant,
                "tag": row.release.tag,
                "digest": row.release.digest,
                "channels": list(row.channels),
                "calls": row.calls,
            }
            for row in standings
        ]
        at = now.astimezone(UTC).isoformat(timespec="seconds")
        report = canonical_bytes({"schema": _FORMAT, "at": at, "holds": rows})
        place(_report_file(self._folder, self.worker), report)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _report_file(self._folder, self.worker).unlink(missing_ok=True)
        _alive_file(self._folder, self.worker).unlink(missing_ok=True)
        if self._alive is not None:
            os.close(self._alive)
            self._alive = None


def holds(cache: Path) -> tuple[Hold, ...]:
    """What the living workers of a cache hold, by worker, tenant and tag."""
    folder = cache / WORKERS_FOLDER
    found: list[Hold] = []
    for path in sorted(folder.glob("*.json")):
        if _is_alive(_alive_file(folder, path.stem)):
            found += _read(path)
    return tuple(found)


def _read(path: Path) -> list[Hold]:
    """The rows of one report; none if its worker is leaving, or wrote another format."""
    try:
        report = read_json(path.read_bytes(), str(path))
        at = datetime.fromisoformat(report["at"])
        return [
            Hold(
                path.stem,
                row["tenant"],
                row["tag"],
                row["digest"],
                tuple(map(str, row["channels"])),
                int(row["calls"]),
                at,
            )
            for row in report["holds"]
        ]
    except (ArtifactError, OSError, KeyError, TypeError, ValueError):
        return []


def _is_alive(path: Path) -> bool:
    """True if some process holds the lock on a worker's file."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _alive_file(folder: Path, worker: str) -> Path:
    return folder / f"{worker}.alive"


def _report_file(folder: Path, worker: str) -> Path:
    return folder / f"{worker}.json"
