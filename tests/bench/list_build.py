"""What it takes to build a Do-Not-Call list of the registry's size out of its text.

Run it: `.venv/bin/python tests/bench/list_build.py [MILLIONS] [FOLDER]` (25 unless it is said;
the whole registry has some 250, which need 3.5 GB in FOLDER). The floor is reading the file once.
"""

import hashlib
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from trunkline.policy.list_build import Building, read_file, write_generation
from trunkline.policy.registry_files import RegistryFile
from trunkline_runtime.policy.list_generation import Generation
from trunkline_runtime.policy.numbering import plan

AREAS = sorted(plan("nanp").areas)[:357]


def main(millions: float, folder: Path) -> None:
    per_area = int(millions * 1_000_000 / len(AREAS))
    path = folder / "registry.txt"
    numbers = write_text(path, per_area)
    lines = per_area * len(AREAS)
    print(f"text: {lines:,} lines, {path.stat().st_size / 1e9:.2f} GB")
    began = time.perf_counter()
    with path.open("rb") as file:
        hashlib.file_digest(file, "sha256")
    floor = time.perf_counter() - began
    print(f"floor, read and hashed once: {floor:.1f} s")
    began, worked = time.perf_counter(), time.process_time()
    building = Building()
    read_file(building, RegistryFile(path))
    built = write_generation(building, folder / "registry.dnc", complete=True)
    took, worked = time.perf_counter() - began, time.process_time() - worked
    print(
        f"built: {took:.1f} s ({worked:.1f} s of one core, {worked / lines * 1e9:.0f} ns a line), "
        f"{built.size / 1e6:.0f} MB"
    )
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory: {most:.0f} MB")
    assert built.count == lines
    assert not building.bad
    generation = Generation.open(built.path)
    held = set(numbers)
    for area in (AREAS[0], AREAS[-1]):
        sample = [*numbers[:2_000], *range(2_000_000, 2_004_000)]
        base = int(area) * 10_000_000
        assert all(generation.holds(base + one) == (one in held) for one in sample)


def write_text(path: Path, per_area: int) -> list[int]:
    """The same numbers in every area code, in order as the registry has them; returns them."""
    dice = random.Random(1)
    numbers = sorted(dice.sample(range(2_000_000, 10_000_000), per_area))
    text = b"".join(b"000,%07d\r\n" % number for number in numbers)
    with path.open("wb") as file:
        for area in AREAS:
            file.write(text.replace(b"000,", area.encode() + b","))
    return numbers


if __name__ == "__main__":
    millions = float(sys.argv[1]) if len(sys.argv) > 1 else 25
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as made:
        main(millions, Path(made))
