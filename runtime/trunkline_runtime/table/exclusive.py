"""An exclusive lock on a folder, which the kernel drops when its holder dies."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK_FILE = ".lock"


class Busy(Exception):
    """Another process holds the lock."""


@contextmanager
def exclusive(folder: Path, wait_seconds: float = 0.0) -> Iterator[None]:
    """Holds `folder` for as long as the block runs. Raises Busy after `wait_seconds`, or OSError.

    A killed holder leaves no stale lock: the file stays, the lock does not.
    """
    handle = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _acquire(handle, time.monotonic() + wait_seconds)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, until: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise Busy from None
            time.sleep(0.05)
        else:
            return
