"""The record of decisions: append-only JSON lines, each chained to the one before by its hash.

A line is on disk before `append` returns. Any number of processes may append; a lock of the kernel
orders them and dies with its holder. A line that a crash tore was never acknowledged: it is cut
off, and the chain says so. Lines are split over files of bounded size; the chain runs through them.

Nothing is ever appended to a file that does not verify. Whoever finds one leaves it as it is, says
so loudly, and goes on in a new file whose first line names the damage: a decision is still on
record before its tool runs, and nobody who alters a line can stop the calls of everybody.
"""

import contextlib
import fcntl
import hashlib
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from trunkline_runtime.gate.chain import (
    REMOVED_AT_END,
    Fault,
    head_of,
    segment_number,
    segment_path,
    segment_paths,
)
from trunkline_runtime.gate.link import DAMAGE, GENESIS, ChainLink, linked_line, spelled
from trunkline_runtime.gate.segment import Segment, last_line
from trunkline_runtime.policy.clock import instant_text
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.durable import make_folder, sync_folder

# Each call has a process of its own, which checks the newest file before it appends, while others
# wait: 12 ms for a megabyte.
LARGEST_SEGMENT = 4 * 1024 * 1024
HEAD_FILE = "head"
_LOCK_FILE = "lock"

logger = logging.getLogger("trunkline.gate")


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
        self._open: Segment | None = None

    def append(self, record: Mapping[str, Json]) -> ChainLink:
        """Puts one record on disk and returns its place in the chain.

        Raises OSError if it could not be written.
        """
        members = spelled(record)
        with self._within, self._exclusive():
            current = self._current()
            if current.size >= self._largest:
                current = self._next_segment(current.path, current.last)
            link = self._write(current, members)
        self._appended()
        return link

    def look(self) -> None:
        """Checks the newest file of the record, as the first `append` would. Raises OSError."""
        with self._within:
            if segment_paths(self.folder) or (self.folder / HEAD_FILE).exists():
                with self._exclusive():
                    self._current()

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        make_folder(self.folder)
        lock = os.open(self.folder / _LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _write(self, current: Segment, members: Mapping[str, bytes]) -> ChainLink:
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
        current.lines += 1
        current.last = link
        self._note_head(link)
        return link

    def _current(self) -> Segment:
        known = self._open
        if known is not None and known.is_newest():
            size = os.fstat(known.handle).st_size
            if size >= known.size:
                return known if size == known.size else self._checked(known)
        self._forget()
        return self._opened(segment_paths(self.folder))

    def _opened(self, paths: list[Path]) -> Segment:
        if not paths:
            head = self._head()
            if head == GENESIS:
                return self._start(1, GENESIS)
            return self._beyond(Fault(f"{self._of}-*.jsonl", 1, REMOVED_AT_END), head, None)
        path = paths[-1]
        if len(paths) > 1 and path.stat().st_size == 0:
            # Begun by somebody who then could not write; the file before it decides what follows.
            path.unlink()
            return self._opened(paths[:-1])
        before = last_line(paths[-2]) if len(paths) > 1 else None
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        self._open = Segment(path, handle, 0, before.link if before is not None else GENESIS)
        return self._checked(self._open)

    def _checked(self, current: Segment) -> Segment:
        """The file to append to, once everything in `current` that is new here was looked at."""
        size, torn = current.without_torn_end()
        fault = current.check(size)
        head = self._head()
        if fault is None and head.sequence > current.last.sequence:
            fault = Fault(current.path.name, current.lines + 1, REMOVED_AT_END)
        if fault is not None:
            # The head names the last line that was acknowledged, whatever became of it.
            last = max(head, current.last, key=lambda link: link.sequence)
            return self._beyond(fault, last, current)
        if torn:
            digest = hashlib.sha256(torn).hexdigest()
            cut: dict[str, Json] = {"kind": "torn", "bytes": len(torn), "sha256": digest}
            self._write(current, spelled(cut))
        return current

    def _beyond(self, fault: Fault, last: ChainLink, damaged: Segment | None) -> Segment:
        """A new file, whose first line says what is wrong with the one before it."""
        noted: dict[str, Json] = {
            "kind": DAMAGE,
            "at": instant_text(datetime.now(UTC).replace(microsecond=0)),
            "file": fault.file,
            "line": fault.line,
            "message": fault.message,
            "sha256": damaged.digest() if damaged is not None else None,
        }
        started = (
            self._start(1, last) if damaged is None else self._next_segment(damaged.path, last)
        )
        self._write(started, spelled(noted))
        where = f"{fault.file} line {fault.line}: {fault.message}"
        logger.error("the record is damaged: %s; it goes on in %s", where, started.path.name)
        return started

    def _next_segment(self, path: Path, last: ChainLink) -> Segment:
        self._forget()
        return self._start(segment_number(path) + 1, last)

    def _start(self, number: int, last: ChainLink) -> Segment:
        path = segment_path(self.folder, self._of, number)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        handle = os.open(path, flags, 0o600)
        sync_folder(self.folder)
        self._open = Segment(path, handle, 0, last)
        return self._open

    def _forget(self) -> None:
        if self._open is not None:
            os.close(self._open.handle)
            self._open = None

    def _head(self) -> ChainLink:
        """How far the chain went as far as is known: at least to its beginning."""
        try:
            text = (self.folder / HEAD_FILE).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):
            return GENESIS
        return head_of(text) or GENESIS

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
