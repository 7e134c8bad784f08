"""A Do-Not-Call list of hundreds of millions of numbers as one immutable, memory-mapped file.

One bit for each number that can exist in an area code, area codes one after the other. Processes
share the pages; nothing is copied and nothing is read before it is asked for. The header holds a
digest of every block, and the list's own digest is that of the header: opening costs nothing, and a
block is checked against it the first time that it is looked into.
"""

import hashlib
import json
import mmap
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from trunkline_runtime.table.canonical import canonical_bytes

MAGIC = b"TLDNC001"
SCHEMA = "trunkline/dnc-generation/v1"
# Exchanges begin at 200: seven digits from 2000000 on, one bit each.
FIRST_NUMBER = 2_000_000
BLOCK_BYTES = (10_000_000 - FIRST_NUMBER) // 8
PAGE = 4096
# Blocks begin at pages, so that looking at one touches no other.
STRIDE = -(-BLOCK_BYTES // PAGE) * PAGE
_PREFIX_BYTES = len(MAGIC) + 8
_LARGEST_HEADER = 1 << 20


class UnusableGeneration(ValueError):
    """A file that is no generation, is cut short, or whose bytes do not match its digests."""


@dataclass(frozen=True)
class Header:
    """What a generation says of itself. `complete`: an area code that is not in it has no number
    on the list; otherwise nobody knows about such an area code.
    """

    areas: tuple[str, ...]
    blocks: tuple[str, ...]
    count: int
    complete: bool
    sources: tuple[Mapping[str, Any], ...]

    @property
    def data(self) -> bytes:
        """The bytes of the file up to its first block's padding."""
        body = canonical_bytes(
            {
                "schema": SCHEMA,
                "areas": list(self.areas),
                "blocks": list(self.blocks),
                "count": self.count,
                "complete": self.complete,
                "sources": list(self.sources),
            }
        )
        return MAGIC + len(body).to_bytes(8, "little") + body

    @property
    def digest(self) -> str:
        """What `sha256` in dnc.yaml names."""
        return hashlib.sha256(self.data).hexdigest()


def first_block_at(header: bytes) -> int:
    """Where the first block begins, after a header of these bytes."""
    return -(-len(header) // PAGE) * PAGE


def is_generation(path: Path) -> bool:
    """Whether a file begins like one. Raises OSError."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class Generation:
    """An open generation. It stays what it was, even if the file's name gets a newer one."""

    def __init__(self, header: Header, mapped: mmap.mmap, start: int) -> None:
        self.header = header
        self.digest = header.digest
        self._map = mapped
        self._start = start
        self._place = [-1] * 1000
        for number, area in enumerate(header.areas):
            self._place[int(area)] = number
        self._checked = bytearray(len(header.areas))

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens a file without reading its blocks. Raises UnusableGeneration or OSError."""
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            size = os.fstat(handle).st_size
            if size < _PREFIX_BYTES:
                raise UnusableGeneration("the file is cut short")
            mapped = mmap.mmap(handle, 0, prot=mmap.PROT_READ)
        finally:
            os.close(handle)
        header = _header(mapped)
        start = first_block_at(header.data)
        if size != start + STRIDE * len(header.areas):
            raise UnusableGeneration("the file is cut short or has bytes that do not belong to it")
        return cls(header, mapped, start)

    def knows(self, number: int) -> bool:
        """Whether the list can say anything about a ten-digit number."""
        return self.header.complete or self._place[number // 10_000_000] >= 0

    def holds(self, number: int) -> bool:
        """Whether a ten-digit number is on the list. Raises UnusableGeneration for a block whose
        bytes are not those that the header names.
        """
        place = self._place[number // 10_000_000]
        if place < 0:
            return False
        if not self._checked[place]:
            self._check(place)
        bit = number % 10_000_000 - FIRST_NUMBER
        if bit < 0:
            return False
        return bool(self._map[self._start + place * STRIDE + (bit >> 3)] >> (bit & 7) & 1)

    def block(self, area: str) -> bytes:
        """The bits of an area code, checked. Raises UnusableGeneration or KeyError."""
        place = self._place[int(area)]
        if place < 0:
            raise KeyError(area)
        self._check(place)
        at = self._start + place * STRIDE
        return self._map[at : at + BLOCK_BYTES]

    def _check(self, place: int) -> None:
        at = self._start + place * STRIDE
        with memoryview(self._map) as view, view[at : at + BLOCK_BYTES] as bits:
            found = hashlib.sha256(bits).hexdigest()
        if found != self.header.blocks[place]:
            raise UnusableGeneration(f"area code {self.header.areas[place]} does not match")
        self._checked[place] = 1


def _header(mapped: mmap.mmap) -> Header:
    if mapped[: len(MAGIC)] != MAGIC:
        raise UnusableGeneration("this is no generation of a list")
    length = int.from_bytes(mapped[len(MAGIC) : _PREFIX_BYTES], "little")
    if length > min(_LARGEST_HEADER, len(mapped) - _PREFIX_BYTES):
        raise UnusableGeneration("the file is cut short")
    body = mapped[_PREFIX_BYTES : _PREFIX_BYTES + length]
    try:
        document = json.loads(body)
        header = Header(
            areas=_areas(document["areas"]),
            blocks=tuple(document["blocks"]),
            count=document["count"],
            complete=document["complete"] is True,
            sources=tuple(document["sources"]),
        )
        same = document["schema"] == SCHEMA and header.data[_PREFIX_BYTES:] == body
    except (ValueError, KeyError, TypeError):
        raise UnusableGeneration("the header cannot be read") from None
    if not same or len(header.areas) != len(header.blocks):
        raise UnusableGeneration("the header cannot be read")
    return header


def _areas(written: Sequence[Any]) -> tuple[str, ...]:
    areas = tuple(str(area) for area in written)
    if len(set(areas)) != len(areas) or not all(
        len(area) == 3 and area.isascii() and area.isdigit() for area in areas
    ):
        raise ValueError("area codes")
    return areas
