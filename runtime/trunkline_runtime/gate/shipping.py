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
    make_folder(copy)
    files = copied = 0
    lock = os.open(copy / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Read before the lines: the copy must hold at least what its head says.
        head = (record / HEAD_FILE).read_bytes() if (record / HEAD_FILE).exists() else None
        paths = segment_paths(record)
        for path in paths:
            if path != paths[-1] and _whole(path, copy / path.name):
                continue
            more = _append(path, copy / path.name)
            files += more > 0
            copied += more
        if head is not None:
            replace_durably(copy / HEAD_FILE, head)
    finally:
        os.close(lock)
    return Shipped(files, copied)


def _whole(source: Path, target: Path) -> bool:
    """Whether an older file has been copied to its end; nothing is appended to it any more."""
    return target.exists() and target.stat().st_size == source.stat().st_size


def _append(source: Path, target: Path) -> int:
    """Copies the whole lines that the target lacks; returns how many bytes."""
    made = not target.exists()
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    handle = os.open(target, flags, 0o600)
    try:
        with source.open("rb") as file:
            done = _agreeing(file.read(os.fstat(handle).st_size), handle, target)
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
    return copied


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
