"""The hash chain of the record: how a line is linked, and whether a whole record verifies."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from trunkline_runtime.table.canonical import Json, canonical_bytes

# Of decisions and, in a folder of their own, of calls: both records are chained alike.
_SEGMENT = re.compile(r"(?:decisions|calls)-(\d{8})\.jsonl")
_HASHED = "hash"


class Damaged(Exception):
    """A record whose end cannot be trusted; the message says where. Nothing is appended to it."""


@dataclass(frozen=True)
class ChainLink:
    """One line's place: counted from 1, and the hash that the next line names."""

    sequence: int
    hash: str


GENESIS = ChainLink(0, "sha256:" + "0" * 64)


@dataclass(frozen=True)
class Fault:
    """Where a record does not verify, and why."""

    file: str
    line: int
    message: str


@dataclass(frozen=True)
class Verified:
    """How many lines verify, and the first that does not (None: all do)."""

    lines: int
    last: ChainLink
    fault: Fault | None


def spelled(record: Mapping[str, Json]) -> dict[str, bytes]:
    """The canonical spelling of each member, so that nobody waits while it is made."""
    return {name: _member(name, value) for name, value in record.items()}


def linked_line(members: Mapping[str, bytes], before: ChainLink) -> tuple[bytes, ChainLink]:
    """A line of these `spelled` members with its newline, and its place after `before`."""
    place = before.sequence + 1
    body = {**members, **spelled({"seq": place, "prev": before.hash})}
    hash = "sha256:" + hashlib.sha256(_object(body)).hexdigest()
    return _object({**body, **spelled({_HASHED: hash})}) + b"\n", ChainLink(place, hash)


def _member(name: str, value: Json) -> bytes:
    return _spelled_name(name) + b":" + canonical_bytes(value)


@lru_cache(maxsize=256)
def _spelled_name(name: str) -> bytes:
    return canonical_bytes(name)


def _object(members: Mapping[str, bytes]) -> bytes:
    # Names are ASCII here, so this is the order that RFC 8785 asks for.
    return b"{" + b",".join(members[name] for name in sorted(members)) + b"}"


def link_of(line: bytes) -> ChainLink:
    """The place of a line, once its own hash has been checked. Raises ValueError."""
    body = json.loads(line)
    if not isinstance(body, dict) or not isinstance(body.get("seq"), int):
        raise ValueError("it is no line of this record")
    claimed = body.pop(_HASHED, None)
    if claimed != _hash_of(body):
        raise ValueError("its content does not match its hash")
    return ChainLink(body["seq"], claimed)


def _hash_of(body: Mapping[str, Json]) -> str:
    return "sha256:" + hashlib.sha256(canonical_bytes(body)).hexdigest()


def segment_paths(folder: Path) -> list[Path]:
    """The files of a record, oldest first; none if there is no record."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _SEGMENT.fullmatch(path.name))


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
    """
    last, count = GENESIS, 0
    reached: dict[int, str] = {}
    wanted = _head(head)
    for path, number, line in lines_of(folder):
        try:
            link = link_of(line)
        except ValueError as problem:
            return Verified(count, last, Fault(path.name, number, str(problem)))
        before = json.loads(line).get("prev")
        if link.sequence != last.sequence + 1 or before != last.hash:
            return Verified(
                count, last, Fault(path.name, number, "a line before it was removed or altered")
            )
        last, count = link, count + 1
        if wanted is not None and link.sequence == wanted.sequence:
            reached[link.sequence] = link.hash
    if wanted is not None and reached.get(wanted.sequence) != wanted.hash and wanted != GENESIS:
        paths = segment_paths(folder)
        name = paths[-1].name if paths else "decisions"
        return Verified(count, last, Fault(name, count + 1, "lines at the end were removed"))
    return Verified(count, last, None)


def _head(text: str | None) -> ChainLink | None:
    if text is None:
        return None
    sequence, _, hash = text.strip().partition(" ")
    return ChainLink(int(sequence), hash) if sequence.isdigit() and hash else None
