"""The hash chain of the record: its files, its lines, and whether all of it verifies."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trunkline_runtime.gate.link import DAMAGE, GENESIS, ChainLink, Line, line_of

# Of decisions and, in a folder of their own, of calls: both records are chained alike.
_SEGMENT = re.compile(r"(?:decisions|calls)-(\d{8})\.jsonl")

REMOVED_BEFORE = "a line before it was removed or altered"
REMOVED_AT_END = "lines at the end were removed"


@dataclass(frozen=True)
class Fault:
    """Where a record does not verify, and why; `before` lines verify up to there. `noted` is the
    file whose first line says that this damage was found, if a worker has found it.
    """

    file: str
    line: int
    message: str
    before: int = 0
    noted: str | None = None


@dataclass(frozen=True)
class Verified:
    """How many lines verify, the last of them, and every place at which the chain is broken."""

    lines: int
    last: ChainLink
    faults: tuple[Fault, ...] = ()

    @property
    def fault(self) -> Fault | None:
        """The first place that does not verify. None: all do."""
        return self.faults[0] if self.faults else None


def segment_paths(folder: Path) -> list[Path]:
    """The files of a record, oldest first; none if there is no record."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _SEGMENT.fullmatch(path.name))


def segment_path(folder: Path, of: str, number: int) -> Path:
    """Where the segment of that number lies, counted from 1; `of` is decisions or calls."""
    return folder / f"{of}-{number:08d}.jsonl"


def segment_number(path: Path) -> int:
    """The number in a segment's name."""
    match = _SEGMENT.fullmatch(path.name)
    assert match is not None
    return int(match[1])


def lines_of(folder: Path) -> Iterator[tuple[Path, int, bytes]]:
    """Every whole line with its file and its number in it. A torn last line is left out."""
    for path in segment_paths(folder):
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n"):
                    yield path, number, line.rstrip(b"\n")


def records(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Every record, oldest first. Lines that are no JSON are left out; `verify` finds them."""
    for _, _, line in lines_of(folder):
        try:
            body = json.loads(line)
        except ValueError:
            continue
        if isinstance(body, dict):
            yield body


def verify(folder: Path, head: str | None = None) -> Verified:
    """Checks every line, its place after the one before, and that none is missing at the end.

    `head` is what the file `head` says (`<sequence> <hash>`): the chain reached at least there.
    After a fault the chain goes on where a line notes the damage; what is between is not trusted.
    """
    walk = _Walk()
    wanted = head_of(head)
    reached = wanted is None or wanted == GENESIS
    path: Path | None = None
    for path, number, raw in lines_of(folder):
        walk.take(path.name, number, raw)
        reached = reached or walk.last == wanted
    if not reached and not walk.lost:
        walk.faults.append(
            Fault(path.name if path else "decisions", walk.lines + 1, REMOVED_AT_END, walk.lines)
        )
    return Verified(walk.lines, walk.last, tuple(walk.faults))


def head_of(text: str | None) -> ChainLink | None:
    """What a file `head` says; None if it says nothing that can be read."""
    if text is None:
        return None
    sequence, _, hash = text.strip().partition(" ")
    return ChainLink(int(sequence), hash) if sequence.isdecimal() and hash else None


class _Walk:
    """Follows the chain. `lost` after a fault, until a line notes the damage."""

    def __init__(self) -> None:
        self.last = GENESIS
        self.lines = 0
        self.faults: list[Fault] = []
        self.lost = False
        self._place = ("decisions", 0)

    def take(self, file: str, number: int, raw: bytes) -> None:
        line: Line | None = None
        why = REMOVED_BEFORE
        try:
            line = line_of(raw)
        except ValueError as problem:
            why = str(problem)
        if line is not None and not self.lost and line.follows(self.last):
            self._accept(line)
        elif line is not None and number == 1 and line.kind == DAMAGE:
            if not self.lost:
                before, at = self._place
                self.faults.append(Fault(before, at + 1, REMOVED_AT_END, self.lines))
            self.faults[-1] = replace(self.faults[-1], noted=file)
            self.lost = False
            self._accept(line)
        elif not self.lost:
            self.faults.append(Fault(file, number, why, self.lines))
            self.lost = True
        self._place = (file, number)

    def _accept(self, line: Line) -> None:
        self.last = line.link
        self.lines += 1
