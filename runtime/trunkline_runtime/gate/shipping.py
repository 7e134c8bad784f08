"""Copies the record to a second place, so that a machine that is lost takes no decision with it.

The copy has the same files with the same bytes; how long a file is there says how far it got. A
copy that stops in the middle goes on from there the next time: at least once, in order, and never a
line that was not whole.
"""

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from trunkline_runtime.gate.chain import segment_paths
from trunkline_runtime.gate.decision_log import HEAD_FILE
from trunkline_runtime.table.durable import make_folder, replace_durably, sync_folder

_PIECE = 1 << 20


class CopyDiffers(Exception):
    """The copy holds bytes that the record does not: one of the two was altered."""


@dataclass(frozen=True)
class Shipped:
    """What one run copied."""

    files: int
    bytes: int


def ship(record: Path, copy: Path) -> Shipped:
    """Brings `copy` up to date with `record`. Durable when it returns.

    Raises CopyDiffers, or OSError: then the next run goes on where this one stopped.
    """
    return Shipment(record, copy).run()


class Shipment:
    """One record and its copy. What a run has compared, the next one need not read again."""

    def __init__(self, record: Path, copy: Path) -> None:
        self._record = record
        self._copy = copy
        self._compared: dict[str, int] = {}

    def run(self) -> Shipped:
        """See `ship`. A file that differs stops none of the others from being copied."""
        make_folder(self._copy)
        files = copied = 0
        lock = os.open(self._copy / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Read before the lines: the copy must hold at least what its head says.
            head = self._record / HEAD_FILE
            reached = head.read_bytes() if head.exists() else None
            paths = segment_paths(self._record)
            differing: CopyDiffers | None = None
            for path in paths:
                target = self._copy / path.name
                if path != paths[-1] and _whole(path, target):
                    continue
                try:
                    more = self._append(path, target)
                except CopyDiffers as problem:
                    differing = differing or problem
                    continue
                files += more > 0
                copied += more
            told = self._copy / HEAD_FILE
            if reached is not None and not (told.exists() and told.read_bytes() == reached):
                replace_durably(told, reached)
        finally:
            os.close(lock)
        if differing is not None:
            raise differing
        return Shipped(files, copied)

    def _append(self, source: Path, target: Path) -> int:
        """Copies the whole lines that the target lacks; returns how many bytes."""
        made = not target.exists()
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        handle = os.open(target, flags, 0o600)
        try:
            with source.open("rb") as file:
                done = os.fstat(handle).st_size
                if done != self._compared.get(target.name):
                    done = _agreeing(file.read(done), handle, target)
                file.seek(done)
                copied = 0
                rest = b""
                while piece := file.read(_PIECE):
                    whole, cut, rest = (rest + piece).rpartition(b"\n")
                    _write(handle, whole + cut)
                    copied += len(whole) + len(cut)
            os.fsync(handle)
        finally:
            os.close(handle)
        if made:
            sync_folder(target.parent)
        self._compared[target.name] = done + copied
        return copied


def _whole(source: Path, target: Path) -> bool:
    """Whether an older file has been copied to its end; nothing is appended to it any more."""
    return target.exists() and target.stat().st_size == source.stat().st_size


def _agreeing(source: bytes, handle: int, target: Path) -> int:
    """How far the copy agrees with the record; cuts off a line that an earlier run tore."""
    size = os.fstat(handle).st_size
    there = os.pread(handle, size, 0)
    whole = there.rfind(b"\n") + 1
    if there[:whole] != source[:whole]:
        raise CopyDiffers(f"{target.name}: the copy differs from the record")
    if whole < size:
        os.ftruncate(handle, whole)
    return whole


def _write(handle: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        written += os.write(handle, data[written:])
