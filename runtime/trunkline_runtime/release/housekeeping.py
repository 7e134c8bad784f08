"""What is done between two polls: the report is written, and old releases are collected."""

import logging
from datetime import datetime, timedelta
from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.collect import AUDIT, collect, names_in
from trunkline_runtime.release.workers import WorkerReport, holds

logger = logging.getLogger("trunkline.release")

_BETWEEN = timedelta(hours=1)  # collections; the first is made at once


class Housekeeping:
    """Keeps a worker's report fresh and its cache small. Never raises for what a disk can do."""

    def __init__(
        self, cache: Path, board: PinBoard, report: WorkerReport, audit: timedelta = AUDIT
    ) -> None:
        self._cache = cache
        self._board = board
        self._report = report
        self._audit = audit
        self._next: datetime | None = None

    def round(self, now: datetime) -> None:
        """Writes the report, and collects if it is time to."""
        try:
            self._report.write(self._board.standings(), now)
        except OSError as error:
            logger.warning("the report of this worker can't be written: %s", error.strerror)
        if self._next is None or now >= self._next:
            self._next = now + _BETWEEN
            self._collect(now)

    def _collect(self, now: datetime) -> None:
        in_use = {hold.digest for hold in holds(self._cache)}
        in_use |= {row.release.digest for row in self._board.standings()}
        for name in names_in(self._cache):
            try:
                found = collect(self._cache, name, now, in_use, self._audit)
            except (FatalError, OSError) as problem:
                logger.warning("%s was not cleared: %s", name, problem)
                continue
            if found.tags or found.blobs:
                logger.info(
                    "%s: %s collected, %d blobs, %d bytes",
                    name,
                    ", ".join(found.tags) or "no release",
                    found.blobs,
                    found.bytes,
                )
