"""An exclusive lock on a folder, which the kernel drops when its holder dies."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator, Sequence
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
    handle = _held(folder / LOCK_FILE, time.monotonic() + wait_seconds)
    try:
        yield
    finally:
        os.close(handle)


def take_away(folder: Path, made: Sequence[Path]) -> None:
    """Removes a folder of which nothing came, and those of `made` above it, if they are empty.

    Call it while holding `folder`: the lock goes with it, and who waits for it makes another.
    """
    if any(path.name != LOCK_FILE for path in folder.iterdir()):
        return
    with contextlib.suppress(OSError):
        if folder in made:
            (folder / LOCK_FILE).unlink()
        for empty in reversed(made):
            empty.rmdir()


def _held(path: Path, until: float) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            _acquire(handle, until)
            # Whoever held it before may have taken the folder away, and this file with it.
            if _is_there(path, handle):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _is_there(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


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
