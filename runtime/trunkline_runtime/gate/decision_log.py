"""The record of decisions: append-only JSON lines, each chained to the one before by its hash.

A line is on disk before `append` returns. Any number of processes may append; a lock of the kernel
orders them and dies with its holder. A line that a crash tore was never acknowledged: it is cut
off, and the chain says so. Lines are split over files of bounded size; the chain runs through them.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trunkline_runtime.gate.chain import (
    GENESIS,
    ChainLink,
    Damaged,
    link_of,
    linked_line,
    segment_number,
    segment_paths,
    spelled,
)
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.durable import make_folder, sync_folder

LARGEST_SEGMENT = 64 * 1024 * 1024
HEAD_FILE = "head"
_LOCK_FILE = "lock"
_TAIL_BYTES = 64 * 1024


@dataclass
class _Open:
    """The file that is appended to, as this process last saw it."""

    path: Path
    handle: int
    size: int
    last: ChainLink


class DecisionLog:
    """Appends to the record in one folder. Safe for threads and for processes."""

    def __init__(
        self,
        folder: Path,
        largest: int = LARGEST_SEGMENT,
        appended: Callable[[], None] = lambda: None,
        of: Literal["decisions", "calls"] = "decisions",
    ) -> None:
        """`appended` is called after each line that is on disk; it must return at once. `of` names
        the files: the record of calls is kept alike.
        """
        self.folder = folder
        self._of = of
        self._largest = largest
        self._appended = appended
        self._within = threading.Lock()
        self._open: _Open | None = None

    def append(self, record: Mapping[str, Json]) -> ChainLink:
        """Puts one record on disk and returns its place in the chain.

        Raises OSError if it could not be written, and Damaged if the end of the record cannot be
        trusted: nothing is ever appended after a line that does not verify.
        """
        members = spelled(record)
        with self._within, self._exclusive():
            current = self._current()
            if current.size >= self._largest:
                current = self._next_segment(current)
            link = self._write(current, members)
        self._appended()
        return link

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        make_folder(self.folder)
        lock = os.open(self.folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _write(self, current: _Open, members: Mapping[str, bytes]) -> ChainLink:
        line, link = linked_line(members, current.last)
        written = 0
        try:
            while written < len(line):
                written += os.write(current.handle, line[written:])
            os.fdatasync(current.handle)
        except OSError:
            # What is on disk is not known now; the next append looks, and cuts off what is torn.
            self._forget()
            raise
        current.size += len(line)
        current.last = link
        self._note_head(link)
        return link

    def _current(self) -> _Open:
        newest = segment_paths(self.folder)
        if not newest:
            return self._start(1, GENESIS)
        known = self._open
        if known is not None and known.path == newest[-1]:
            status = os.fstat(known.handle)
            if status.st_size == known.size and status.st_ino == known.path.stat().st_ino:
                return known
        self._forget()
        return self._opened(newest[-1], newest[-2] if len(newest) > 1 else None)

    def _opened(self, path: Path, before: Path | None) -> _Open:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            size, torn = _whole_lines(handle)
            if torn:
                os.ftruncate(handle, size)
                os.fsync(handle)
            last = _last_link(path, handle, size)
            if last is None:
                last = GENESIS if before is None else _end_of(before)
            self._open = _Open(path, handle, size, last)
        except BaseException:
            os.close(handle)
            raise
        if torn:
            digest = hashlib.sha256(torn).hexdigest()
            cut: dict[str, Json] = {"kind": "torn", "bytes": len(torn), "sha256": digest}
            self._write(self._open, spelled(cut))
        return self._open

    def _next_segment(self, current: _Open) -> _Open:
        number = segment_number(current.path) + 1
        last = current.last
        self._forget()
        return self._start(number, last)

    def _start(self, number: int, last: ChainLink) -> _Open:
        path = self.folder / f"{self._of}-{number:08d}.jsonl"
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        handle = os.open(path, flags, 0o600)
        sync_folder(self.folder)
        self._open = _Open(path, handle, 0, last)
        return self._open

    def _forget(self) -> None:
        if self._open is not None:
            os.close(self._open.handle)
            self._open = None

    def _note_head(self, link: ChainLink) -> None:
        """Remembers how far the chain goes, so that lines cut off its end show.

        Not synced: after a power cut it may lag behind, which proves less and denies nothing.
        """
        with contextlib.suppress(OSError):
            handle = os.open(
                self.folder / HEAD_FILE, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600
            )
            try:
                os.pwrite(handle, f"{link.sequence:020d} {link.hash}\n".encode(), 0)
            finally:
                os.close(handle)


def _whole_lines(handle: int) -> tuple[int, bytes]:
    """How many bytes of the file are whole lines, and what follows them."""
    size = os.fstat(handle).st_size
    end, tail = size, b""
    while end > 0:
        start = max(0, end - _TAIL_BYTES)
        tail = os.pread(handle, end - start, start) + tail
        cut = tail.rfind(b"\n")
        if cut >= 0:
            return start + cut + 1, tail[cut + 1 :]
        end = start
    return 0, tail


def _last_link(path: Path, handle: int, size: int) -> ChainLink | None:
    """The place in the chain of the last line, which must verify by itself. None: no line."""
    if size == 0:
        return None
    end, tail = size, b""
    while end > 0 and tail.count(b"\n") < 2:
        start = max(0, end - _TAIL_BYTES)
        tail = os.pread(handle, end - start, start) + tail
        end = start
    line = tail.rstrip(b"\n").rpartition(b"\n")[2]
    try:
        return link_of(line)
    except (ValueError, json.JSONDecodeError) as problem:
        raise Damaged(f"{path.name}: the last line does not verify: {problem}") from None


def _end_of(path: Path) -> ChainLink:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        link = _last_link(path, handle, _whole_lines(handle)[0])
    finally:
        os.close(handle)
    if link is None:
        raise Damaged(f"{path.name}: the file is empty, and another follows it")
    return link
