"""Makes a generation of a Do-Not-Call list out of the registry's files."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.policy.registry_entries import BadLine
from trunkline.policy.registry_files import RegistryFile
from trunkline_runtime.policy.list_generation import (
    BLOCK_BYTES,
    FIRST_NUMBER,
    STRIDE,
    Generation,
    Header,
    UnusableGeneration,
    first_block_at,
)
from trunkline_runtime.table.durable import PARTIAL, sync_folder

_NUMBERS = 10_000_000
# Turning marks into bits takes as long as setting this many bits.
_MANY = 50_000


@dataclass
class Building:
    """A list in memory: the bits of each area code, and what was read to get there."""

    blocks: dict[str, bytearray] = field(default_factory=dict)
    sources: list[dict[str, str | int]] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    added: int = 0
    deleted: int = 0

    def block(self, area: str) -> bytearray:
        """The bits of an area code, to be changed in place."""
        return self.blocks.setdefault(area, bytearray(BLOCK_BYTES))


@dataclass(frozen=True)
class Built:
    """A generation on disk. `digest` is what dnc.yaml names; `size` in bytes."""

    path: Path
    digest: str
    count: int
    size: int


def read_base(path: Path) -> Building:
    """A list to go on from: an earlier generation. Raises FatalError."""
    try:
        generation = Generation.open(path)
        blocks = {area: bytearray(generation.block(area)) for area in generation.header.areas}
    except OSError as problem:
        raise FatalError(f"{path}: {problem.strerror or problem}") from None
    except UnusableGeneration as problem:
        raise FatalError(
            f"{path}: {problem}; --base takes a list that `policy dnc build` has written"
        ) from None
    return Building(blocks, [{"name": path.name, "sha256": generation.digest, "lines": 0}])


def read_file(building: Building, file: RegistryFile) -> None:
    """Adds or deletes what a file says. Raises FatalError if it cannot be read."""
    marks = Marks()
    for entries in file:
        if entries.area != marks.area:
            marks.move_to(building, entries.area)
        if entries.action == "add":
            building.added += len(entries.numbers)
            if len(entries.numbers) >= _MANY:
                marks.add(entries.numbers)
            else:
                _add(building.block(entries.area), entries.numbers)
        else:
            building.deleted += len(entries.numbers)
            marks.move_to(building, entries.area)
            if entries.area in building.blocks:
                _delete(building.blocks[entries.area], entries.numbers)
    marks.move_to(building, "")
    building.bad += file.bad
    source = file.source
    building.sources.append({"name": source.name, "sha256": source.sha256, "lines": source.lines})


class Marks:
    """The numbers of one area code, a byte for each: to set a byte takes a third of the time that a
    bit takes. They become bits when the next area code comes.
    """

    def __init__(self) -> None:
        self.area = ""
        self._bytes: bytearray | None = None

    def add(self, numbers: Sequence[int]) -> None:
        """Marks numbers of `area`."""
        marks = self._bytes = self._bytes or bytearray(_NUMBERS)
        for number in numbers:
            marks[number] = 1

    def move_to(self, building: Building, area: str) -> None:
        """Adds what was marked to the list, and goes on with another area code."""
        if self._bytes is not None:
            block = building.block(self.area)
            bits = int.from_bytes(block, "little")
            for bit in range(8):
                bits |= int.from_bytes(self._bytes[FIRST_NUMBER + bit :: 8], "little") << bit
            block[:] = bits.to_bytes(BLOCK_BYTES, "little")
            self._bytes = None
        self.area = area


def _add(block: bytearray, numbers: Sequence[int]) -> None:
    for number in numbers:
        bit = number - FIRST_NUMBER
        block[bit >> 3] |= 1 << (bit & 7)


def _delete(block: bytearray, numbers: Sequence[int]) -> None:
    for number in numbers:
        bit = number - FIRST_NUMBER
        block[bit >> 3] &= ~(1 << (bit & 7)) & 0xFF


def write_generation(building: Building, path: Path, complete: bool) -> Built:
    """Puts the list in place in one step: whoever has the old one open keeps it whole.

    Raises FatalError; then nothing has changed. A list without any number is one of them: to
    everybody who asks, it would say that nobody minds.
    """
    if path.is_dir():
        raise FatalError(f"{path}: this is a folder; --out names the file to write")
    if not any(any(block) for block in building.blocks.values()):
        raise FatalError("the files hold no number, and an empty list would let every call through")
    areas = tuple(sorted(building.blocks))
    header = Header(
        areas=areas,
        blocks=tuple(hashlib.sha256(building.blocks[area]).hexdigest() for area in areas),
        count=sum(_bits(building.blocks[area]) for area in areas),
        complete=complete,
        sources=tuple(building.sources),
    )
    prepared = path.with_name(f".{path.name}.{os.getpid()}{PARTIAL}")
    data = header.data
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with prepared.open("wb") as file:
            file.write(data.ljust(first_block_at(data), b"\0"))
            for area in areas:
                file.write(building.blocks[area])
                file.write(bytes(STRIDE - BLOCK_BYTES))
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        prepared.replace(path)
        sync_folder(path.parent)
    except OSError as problem:
        prepared.unlink(missing_ok=True)
        raise FatalError(f"{path}: it cannot be written ({problem.strerror})") from None
    return Built(path, header.digest, header.count, size)


def _bits(block: bytearray) -> int:
    return int.from_bytes(block, "little").bit_count()
