"""How long `trunkline check` takes, beside its floors: cold, with nothing changed, with one change.

`.venv/bin/python tests/bench/check_speed.py [SIZE …] [--pipecat PYTHON]`; 100, 1000 and 10000 flows
unless it is said. PYTHON is one that has pipecat-ai 1.14 installed; without it that floor is left
out. Every figure is processor time of the whole process and of those that it starts (wall time in
brackets), the least of a few rounds that take turns, because a machine that others use only ever
adds to it. Ratios are within one run.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from made_repository import dumped, flow_text, made_flow, make_repository
from pipecat_flow import pipecat_flow

HERE = Path(__file__).parent
CHECK = "from trunkline.commands.main import main; main()"
IMPORTS = "import click, yaml, jsonschema, rich"
LANGGRAPH = "import langgraph.graph"
ROUNDS = 5
SAMPLE = 1000  # flows that the floors are measured on


@dataclass(frozen=True)
class Took:
    """Seconds of processor and of wall, and the most memory of one process, in MB."""

    processor: float
    wall: float
    memory: float

    def __str__(self) -> str:
        return f"{self.processor:8.2f} s ({self.wall:7.2f} s)"


def run(command: Sequence[str], folder: Path, processors: int | None = None) -> Took:
    """One process to its end, on so many processors."""

    def bind() -> None:
        if processors is not None:
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:processors])

    environment = {**os.environ, "TRUNKLINE_CACHE_DIR": str(folder / "cache")}
    began = time.perf_counter()
    process = subprocess.Popen(command, env=environment, preexec_fn=bind, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, command
    return Took(used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / 1024)


def cold(repository: Path, folder: Path, processors: int) -> Took:
    """A check of which nothing was ever kept."""
    shutil.rmtree(folder / "cache", ignore_errors=True)
    return run(check(repository), folder, processors)


def check(repository: Path) -> list[str]:
    return [sys.executable, "-c", CHECK, "-C", str(repository), "check"]


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def least(rounds: int, *kinds: Callable[[], Took]) -> list[Took]:
    """The least that each kind took; the kinds take turns, so that all meet the same neighbours."""
    found = [[kind() for kind in kinds] for _ in range(rounds)]
    return [min(each, key=lambda took: took.processor) for each in zip(*found, strict=True)]


def measure(size: int, folder: Path, start: Took) -> float:
    """Prints the rows of one size; returns the milliseconds of a flow, cold on one processor, above
    what the check of a single flow takes.
    """
    repository = make_repository(folder / f"of-{size}", size)
    few = 3 if size <= 100 else 1
    one, two = least(few, lambda: cold(repository, folder, 1), lambda: cold(repository, folder, 2))
    each = (one.processor - start.processor) * 1000 / (size - 1)
    row(f"{size:,} flows, cold, one processor", one, f"{each:.1f} ms a flow; {one.memory:.0f} MB")
    row(f"{size:,} flows, cold, two", two, f"wall {one.wall / two.wall:.2f} times as fast as one")
    number = iter(range(1, 1000))

    def changed() -> Took:
        file = repository / "flows/tenant-0/flow-3.yaml"
        file.write_text(flow_text(3, next(number)), "utf-8")
        return run(check(repository), folder)

    rounds = ROUNDS if size <= 1000 else 3
    base, graph, single, warm = least(
        rounds,
        lambda: run(python(IMPORTS), folder),
        lambda: run(python(LANGGRAPH), folder),
        changed,
        lambda: run(check(repository), folder),
    )
    ratio = warm.processor / base.processor
    row(
        f"{size:,} flows, nothing changed",
        warm,
        f"{ratio:.2f} times the imports; {warm.memory:.0f} MB",
    )
    above = (single.processor - graph.processor) / base.processor
    row(
        f"{size:,} flows, one changed",
        single,
        f"langgraph's import + {above:.2f} times the imports",
    )
    return each


def floors(folder: Path, pipecat: str | None) -> None:
    """Compose, validate and compile; and what pipecat-ai takes to load; beside a check of each."""
    repository = make_repository(folder / "floors", SAMPLE)
    theirs = folder / "pipecat"
    theirs.mkdir()
    for number in range(SAMPLE):
        (theirs / f"{number:03}.yaml").write_text(dumped(pipecat_flow(made_flow(number))), "utf-8")
    commands = {
        "ours": [sys.executable, str(HERE / "check_floor.py"), "ours", str(repository)],
        "floor": [sys.executable, str(HERE / "check_floor.py"), "floor", str(repository)],
    }
    if pipecat:
        commands["pipecat"] = [pipecat, str(HERE / "pipecat_load.py"), str(theirs)]
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(3):
        for name, command in commands.items():
            environment = {**os.environ, "TRUNKLINE_CACHE_DIR": str(folder / "floor-cache")}
            told = subprocess.run(
                command, check=True, env=environment, stdout=-1, stderr=subprocess.DEVNULL
            )
            found[name].append(float(told.stdout))
    ours, floor = min(found["ours"]), min(found["floor"])
    print(f"a flow of 20 nodes, cold, without the imports: {ours:.1f} ms")
    print(f"  compose, schema, LangGraph of the same: {floor:.1f} ms; ratio {ours / floor:.2f}")
    if pipecat:
        load = min(found["pipecat"])
        print(f"  pipecat-ai's FlowConfig.from_file: {load:.1f} ms; ratio {ours / load:.2f}")


def row(what: str, took: Took, note: str) -> None:
    print(f"{what:36} {took}  {note}", flush=True)


def main(sizes: Sequence[int], pipecat: str | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        load = os.getloadavg()[0]
        print(f"{os.cpu_count()} processors, load {load:.1f}; processor time, wall in brackets")
        floors(folder, pipecat)
        imports, langgraph = least(
            ROUNDS, lambda: run(python(IMPORTS), folder), lambda: run(python(LANGGRAPH), folder)
        )
        row(IMPORTS, imports, "")
        row(LANGGRAPH, langgraph, "")
        single = make_repository(folder / "single", 1)
        (start,) = least(ROUNDS, lambda: cold(single, folder, 1))
        row("one flow, cold", start, f"{start.memory:.0f} MB")
        each = [measure(size, folder, start) for size in sizes]
        if len(each) > 1:
            print(f"a flow costs between {min(each):.1f} and {max(each):.1f} ms, whatever the size")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[100, 1000, 10000])
    parser.add_argument("--pipecat", help="a Python that has pipecat-ai")
    given = parser.parse_args()
    main(given.sizes, given.pipecat)
