"""Where a running call is kept so that another process can go on with it: one file for each call.

A checkpoint holds what the caller said. It is readable by its owner only, it is replaced in one
step that survives a power cut, and it goes as soon as the call's record is complete. A lock of the
kernel says whether a call is running; it goes with the process that holds it. Two tenants may give
their calls the same id: a checkpoint belongs to a tenant's call.
"""

import contextlib
import fcntl
import hashlib
import json
import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path

from trunkline_runtime.call.state import CallState
from trunkline_runtime.table.durable import PARTIAL, make_folder, sync_folder

logger = logging.getLogger("trunkline.call")

_FOLDER = "running"
_NOWHERE = ""
_LOOKS, _LOOK_SECONDS = 10, 0.005


class Running(Exception):
    """Another process holds this very call. `where` is the line that it holds it on, if it said."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


class Checkpoints:
    """The checkpoints below a state folder."""

    def __init__(self, state: Path) -> None:
        self._folder = state / _FOLDER

    @contextlib.contextmanager
    def holding(self, tenant: str, call_id: str, where: str) -> Iterator[None]:
        """Holds a call for as long as the block runs. Raises Running if it is held, or OSError."""
        make_folder(self._folder)
        with _held(self._path(tenant, call_id), where):
            yield

    def save(self, state: CallState) -> None:
        """On disk when it returns. Raises OSError; then the checkpoint before it is still there."""
        make_folder(self._folder)
        path = self._path(state.tenant, state.call_id)
        prepared = path.with_name(f".{path.name}.{os.getpid()}{PARTIAL}")
        data = json.dumps(state.to_json(), ensure_ascii=False).encode("utf-8", "surrogatepass")
        handle = os.open(prepared, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            written = 0
            while written < len(data):
                written += os.write(handle, data[written:])
            os.fsync(handle)
        finally:
            os.close(handle)
        prepared.replace(path)
        sync_folder(self._folder)

    def load(self, tenant: str, call_id: str) -> CallState | None:
        """The state of a call that was cut off; None if there is none.

        Raises ValueError for a file that can't be read back.
        """
        return _read(self._path(tenant, call_id))

    def forget(self, tenant: str, call_id: str) -> None:
        """The record of the call is complete. Raises OSError."""
        self._path(tenant, call_id).unlink(missing_ok=True)
        sync_folder(self._folder)

    def cut_off(self, older_than: float = 0.0) -> Iterator[CallState]:
        """The calls that no process holds at this moment, each held while it is looked at.

        What changed within `older_than` seconds is left out. What can't be read back is said in the
        log, once, and kept under another name.
        """
        for path in sorted(self._folder.glob("*.json")):
            with contextlib.suppress(OSError, Running), _held(path, _NOWHERE):
                if time.time() - path.stat().st_mtime < older_than:
                    continue
                state = _readable(path)
                if state is not None:
                    yield state

    def _path(self, tenant: str, call_id: str) -> Path:
        # An id may be anything; a name of a file may not.
        whole = f"{tenant}/{call_id}".encode("utf-8", "surrogatepass")
        name = hashlib.sha256(whole).hexdigest()[:40]
        return self._folder / f"{name}.json"


@contextlib.contextmanager
def _held(path: Path, where: str) -> Iterator[None]:
    """Holds the lock beside a checkpoint; it goes with the checkpoint. Raises Running, OSError."""
    lock = path.with_suffix(".lock")
    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = _holder_in(handle)
            os.close(handle)
            raise Running(said) from None
        if _is_at(handle, lock):
            break
        os.close(handle)  # its holder has removed it meanwhile
    try:
        os.truncate(handle, 0)
        os.write(handle, f"{where}\n".encode("utf-8", "surrogatepass"))
        yield
    finally:
        if not path.exists():
            lock.unlink(missing_ok=True)
        os.close(handle)


def _holder_in(handle: int) -> str:
    """What the holder of a lock wrote into it; it may have taken the lock this very moment."""
    for _ in range(_LOOKS):
        data = os.pread(handle, 4096, 0)
        if data.endswith(b"\n"):
            return data.decode("utf-8", "surrogatepass").rstrip("\n")
        time.sleep(_LOOK_SECONDS)
    return _NOWHERE


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.fstat(handle).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False


def _readable(path: Path) -> CallState | None:
    """What a checkpoint says; None, and its file is put aside, if it can't be read back."""
    try:
        return _read(path)
    except ValueError:
        aside = path.with_suffix(".damaged")
        path.replace(aside)
        logger.error("%s can't be read back: its call is on no record", aside)
        return None


def _read(path: Path) -> CallState | None:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    saved = json.loads(data.decode("utf-8", "surrogatepass"))
    if not isinstance(saved, dict):
        raise ValueError("this is no checkpoint")
    try:
        return CallState.from_json(saved)
    except (KeyError, TypeError) as problem:
        raise ValueError(f"this checkpoint can't be read back: {problem}") from None
