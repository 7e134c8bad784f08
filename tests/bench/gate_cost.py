"""What the gate costs per tool call, with 250 million numbers on a list and a ledger under load.

Run it by hand: `.venv/bin/python tests/bench/gate_cost.py [FOLDER]`. It needs 400 MB in FOLDER and
takes about a minute. Each figure stands beside its floor: the same look-up, the same SQL alone.
"""

import importlib.util
import mmap
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from trunkline.policy.list_build import Building, write_generation
from trunkline_runtime.policy.list_folder import ListFolder
from trunkline_runtime.policy.list_generation import BLOCK_BYTES, STRIDE, Generation, first_block_at
from trunkline_runtime.policy.numbering import plan

GATE_TESTS = Path(__file__).parents[1] / "unit" / "gate"
AREAS = sorted(plan("nanp").areas)[:357]
LOOKUPS, DECISIONS, LOADERS = 200_000, 400, 2


def main(folder: Path) -> None:
    path = folder / "registry.dnc"
    began = time.perf_counter()
    digest, count = random_list(path)
    print(f"list: {count:,} numbers, {path.stat().st_size / 1e6:.0f} MB,", end=" ")
    print(f"made in {time.perf_counter() - began:.0f} s (random bits, not the registry's files)")
    look_up(path)
    decide(folder, path, digest)


def random_list(path: Path) -> tuple[str, int]:
    """About 250 million numbers: each bit set with a probability of 1/12."""
    building = Building()
    dice = random.Random(1)
    for area in AREAS:
        quarter = [dice.getrandbits(BLOCK_BYTES * 8) for _ in range(5)]
        bits = quarter[0] & quarter[1] & quarter[2] & (quarter[3] | quarter[4] >> 1)
        building.blocks[area] = bytearray(bits.to_bytes(BLOCK_BYTES, "little"))
    built = write_generation(building, path, complete=True)
    return built.digest, built.count


def look_up(path: Path) -> None:
    dice = random.Random(2)
    numbers = [
        int(dice.choice(AREAS)) * 10_000_000 + dice.randrange(2_000_000, 10_000_000)
        for _ in range(LOOKUPS)
    ]
    began = time.perf_counter()
    generation = Generation.open(path)
    generation.holds(numbers[0])
    print(f"open and first look-up: {(time.perf_counter() - began) * 1e3:.1f} ms")
    for area in AREAS:
        generation.block(area)  # each block is checked once in the life of a process
    place = {int(area): number for number, area in enumerate(AREAS)}
    start = first_block_at(generation.header.data)
    with path.open("rb") as file:
        bare = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def floor(number: int) -> bool:
        bit = number % 10_000_000 - 2_000_000
        at = start + place[number // 10_000_000] * STRIDE + (bit >> 3)
        return bool(bare[at] >> (bit & 7) & 1)

    tell("look-up, bare mmap", [timed(floor, number) for number in numbers], 1e6, "µs")
    tell("look-up, generation", [timed(generation.holds, number) for number in numbers], 1e6, "µs")
    assert [floor(number) for number in numbers] == [generation.holds(n) for n in numbers]
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory of this process: {mine:.0f} MB, of which the list's pages are shared")


def decide(folder: Path, path: Path, digest: str) -> None:
    state = folder / "state"
    state.mkdir()
    world = world_at(state)
    world.lists = ListFolder(folder)
    world.documents["dnc.yaml"] = {
        "schema_version": 1,
        "lists": [
            {
                "id": "registry",
                "uri": path.name,
                "sha256": digest,
                "source": "random",
                "obtained_at": "2026-12-01T00:00:00Z",
                "max_age": "31d",
            }
        ],
    }
    world.change_policy(
        spend={
            "schema_version": 1,
            "caps": [
                {
                    "id": f"spend-per-{per}",
                    "level": "mandatory",
                    "per": per,
                    "limit": {"micros": 10**15, "currency": "USD"},
                }
                for per in ("call", "day", "month")
            ],
        }
    )
    settings = world.settings("northwind-energy")  # a worker holds them in memory
    world.gate._standing._tenant = lambda tenant: settings
    party = unlisted(path)
    lookup, link = world.entry("lookup_crm"), world.entry("send_payment_link")

    def requests(tool: Any, name: str) -> list[Any]:
        return [
            world.request(tool, attempt=f"{name}-{n}", call_id=f"{name}-{n}", party=party)
            for n in range(DECISIONS)
        ]

    def run(name: str) -> None:
        for tool in (lookup, link):
            asked = requests(tool, f"{name}-{tool.id}")
            taken = [timed(world.gate._decide, request) for request in asked]
            tell(f"gate, {tool.id}, {name}", taken, 1e3, "ms")

    tell("floor: the SQL alone", floor_sql(folder / "floor.sqlite3"), 1e3, "ms")
    run("alone")
    nursery = subprocess.Popen(
        [sys.executable, str(GATE_TESTS / "spender.py"), str(state)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert nursery.stdin is not None
    for number in range(LOADERS):
        nursery.stdin.write(f"load-{number} 1500\n".encode())
    nursery.stdin.flush()
    time.sleep(2)
    beside = f"beside {LOADERS} processes that spend"
    # On a file of its own: what the load alone costs, without waiting for the turn of others.
    tell(f"floor: the SQL alone, {beside}", floor_sql(folder / "beside.sqlite3"), 1e3, "ms")
    run(beside)
    nursery.stdin.close()
    nursery.wait()


def floor_sql(path: Path) -> list[float]:
    """A guarded update over three caps and a row for the hold, in one synced transaction."""
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE buckets (key TEXT PRIMARY KEY, spent INTEGER, reserved INTEGER);"
        "CREATE TABLE holds (id TEXT PRIMARY KEY, amount INTEGER);"
        "INSERT INTO buckets VALUES ('call', 0, 0), ('day', 0, 0), ('month', 0, 0);"
    )

    def reserve(number: int) -> None:
        database.execute("BEGIN IMMEDIATE")
        for key in ("call", "day", "month"):
            database.execute(
                "UPDATE buckets SET reserved = reserved + 1 "
                "WHERE key = ? AND spent + reserved + 1 <= 1000000",
                (key,),
            )
        database.execute("INSERT INTO holds VALUES (?, 1)", (str(number),))
        database.execute("COMMIT")

    return [timed(reserve, number) for number in range(DECISIONS)]


def unlisted(path: Path) -> str:
    generation = Generation.open(path)
    line = next(n for n in range(100, 200) if not generation.holds(212_555_0000 + n))
    return f"+1{212_555_0000 + line}"


def timed(function: Callable[[Any], object], argument: Any) -> float:
    began = time.perf_counter()
    function(argument)
    return time.perf_counter() - began


def tell(what: str, seconds: list[float], factor: float, unit: str) -> None:
    ordered = sorted(seconds)
    p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    print(f"{what}: p50 {p50 * factor:.2f} {unit}, p99 {p99 * factor:.2f} {unit}")


def world_at(state: Path) -> Any:
    spec = importlib.util.spec_from_file_location("gate_conftest", GATE_TESTS / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gate_conftest"] = module
    spec.loader.exec_module(module)
    return module.World(state)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as made:
        main(Path(made))
