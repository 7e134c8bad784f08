"""The pin that a call holds, shown to this machine for as long as the call runs.

Each call has a process of its own, and its report beside the cache keeps the release from being
collected; the kernel takes the report back if the process dies.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.board import Standing
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.loaded import Pin
from trunkline_runtime.release.workers import WorkerReport

logger = logging.getLogger("trunkline.worker")

_EVERY_SECONDS = 15.0


@contextlib.asynccontextmanager
async def holding(cache: Path, pin: Pin) -> AsyncIterator[None]:
    """Reports the pin while the block runs. Raises OSError if the cache can't be written."""
    with WorkerReport(cache) as report:
        report.write([_standing(cache, pin)], datetime.now(UTC))
        refreshing = asyncio.create_task(_refresh(cache, pin, report))
        try:
            yield
        finally:
            refreshing.cancel()


async def _refresh(cache: Path, pin: Pin, report: WorkerReport) -> None:
    """A channel may leave the release meanwhile: then the report says that it drains."""
    while True:
        await asyncio.sleep(_EVERY_SECONDS)
        try:
            report.write([_standing(cache, pin)], datetime.now(UTC))
        except OSError as error:
            logger.warning("the report of this call can't be written: %s", error.strerror)


def _standing(cache: Path, pin: Pin) -> Standing:
    release = pin.release
    try:
        found = held(cache, release.tenant)
    except Refused:
        found = None
    live = found.live if found is not None else {}
    channels = tuple(sorted(name for name, tag in live.items() if tag == release.tag))
    return Standing(release, channels, 1, {})
