"""Makes a generation of a Do-Not-Call list out of the registry's files."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.policy.registry_files import BadLine, RegistryFile
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


@dataclass
class Building:
    """A list in memory: the bits of each area code, and what was read to get there."""

    blocks: dict[str, bytearray] = field(default_factory=dict)
    sources: list[dict[str, str | int]] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    added: int = 0
    deleted: int = 0


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
    except (OSError, UnusableGeneration) as problem:
        raise FatalError(f"{path}: it cannot be built upon ({problem})") from None
    return Building(blocks, [{"name": path.name, "sha256": generation.digest, "lines": 0}])


def read_file(building: Building, file: RegistryFile) -> None:
    """Adds or deletes what a file says. Raises FatalError if it cannot be read."""
    for entries in file:
        if entries.action == "add":
            building.added += _add(building.blocks, entries.numbers)
        else:
            building.deleted += _delete(building.blocks, entries.numbers)
    building.bad += file.bad
    source = file.source
    building.sources.append({"name": source.name, "sha256": source.sha256, "lines": source.lines})


def _add(blocks: dict[str, bytearray], numbers: Sequence[tuple[bytes, bytes]]) -> int:
    last, block = b"", bytearray()
    for area, digits in numbers:
        if area != last:
            last, block = area, blocks.setdefault(area.decode(), bytearray(BLOCK_BYTES))
        bit = int(digits) - FIRST_NUMBER
        block[bit >> 3] |= 1 << (bit & 7)
    return len(numbers)


def _delete(blocks: dict[str, bytearray], numbers: Sequence[tuple[bytes, bytes]]) -> int:
    for area, digits in numbers:
        block = blocks.get(area.decode())
        if block is not None:
            bit = int(digits) - FIRST_NUMBER
            block[bit >> 3] &= ~(1 << (bit & 7)) & 0xFF
    return len(numbers)


def write_generation(building: Building, path: Path, complete: bool) -> Built:
    """Puts the list in place in one step: whoever has the old one open keeps it whole.

    Raises FatalError; then nothing has changed.
    """
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
