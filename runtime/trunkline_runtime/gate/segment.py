"""The file of the record that is appended to, as one process knows it."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from trunkline_runtime.gate.chain import REMOVED_BEFORE, Fault, segment_number, segment_path
from trunkline_runtime.gate.link import DAMAGE, ChainLink, Line, line_of

_TAIL_BYTES = 64 * 1024


@dataclass
class Segment:
    """An open file of the record. Up to `size` its `lines` were checked; `last` is their end."""

    path: Path
    handle: int
    size: int
    last: ChainLink
    lines: int = 0

    def is_newest(self) -> bool:
        """Whether it is still in its place, and nobody has begun the next one. Lists no folder: a
        record of years has thousands of files.
        """
        of, _, _ = self.path.name.partition("-")
        try:
            in_place = self.path.stat().st_ino == os.fstat(self.handle).st_ino
        except FileNotFoundError:
            return False
        following = segment_path(self.path.parent, of, segment_number(self.path) + 1)
        return in_place and not following.exists()

    def check(self, size: int) -> Fault | None:
        """Checks what was appended up to `size`, line by line, and goes on to there. None: all of
        it verifies.
        """
        with self.path.open("rb") as file:
            file.seek(self.size)
            while self.size < size:
                raw = file.readline()
                fault = self._take(raw)
                if fault is not None:
                    return Fault(self.path.name, self.lines + 1, fault)
                self.size += len(raw)
                self.lines += 1
        return None

    def _take(self, raw: bytes) -> str | None:
        try:
            line = line_of(raw.rstrip(b"\n"))
        except ValueError as problem:
            return str(problem)
        # What is before a line that notes damage is told there and not again.
        if not line.follows(self.last) and not (self.lines == 0 and line.kind == DAMAGE):
            return REMOVED_BEFORE
        self.last = line.link
        return None

    def without_torn_end(self) -> tuple[int, bytes]:
        """Cuts off what a crash left of a line: how many bytes are whole lines now, and the rest
        that was cut.
        """
        size, torn = _whole_lines(self.handle)
        if torn:
            os.ftruncate(self.handle, size)
            os.fsync(self.handle)
        return size, torn

    def digest(self) -> str:
        """The SHA-256 of the whole file, as it is now."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def last_line(path: Path) -> Line | None:
    """The last whole line of a file, or None if there is none that holds by itself."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        end = _whole_lines(handle)[0]
        tail = b""
        while end > 0 and tail.count(b"\n") < 2:
            start = max(0, end - _TAIL_BYTES)
            tail = os.pread(handle, end - start, start) + tail
            end = start
    finally:
        os.close(handle)
    try:
        return line_of(tail.rstrip(b"\n").rpartition(b"\n")[2])
    except ValueError:
        return None


def _whole_lines(handle: int) -> tuple[int, bytes]:
    """How many bytes of the file are whole lines, and what follows them."""
    end, tail = os.fstat(handle).st_size, b""
    while end > 0:
        start = max(0, end - _TAIL_BYTES)
        tail = os.pread(handle, end - start, start) + tail
        cut = tail.rfind(b"\n")
        if cut >= 0:
            return start + cut + 1, tail[cut + 1 :]
        end = start
    return 0, tail
