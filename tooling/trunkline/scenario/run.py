"""Plays suites of scenarios: in this process if they are few, in several if they are many."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from trunkline.compile import compile_repository
from trunkline.scenario.coverage import Coverage, coverage_of
from trunkline.scenario.result import Fault, Result, Way
from trunkline.scenario.rules import rules_reached
from trunkline.scenario.stage import Scenery, Stage, stage
from trunkline.scenario.suite import Suite, suites_of
from trunkline.source.repository import read_repository

# Starting a process and a sandbox in it takes about as long as playing so many scenarios.
_FEW = 24
# A suite, and the place of a scenario in it.
Job = tuple[Suite, int]
# Told after each scenario: how many are done, and of how many.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Tested:
    """A run: the results by file and place, and what the scenarios reached of each flow."""

    results: tuple[Result, ...]
    coverage: tuple[Coverage, ...]

    @property
    def failed(self) -> int:
        return sum(not result.passed for result in self.results)


def run_scenarios(
    root: Path,
    names: Sequence[str] = (),
    *,
    processes: int | None = None,
    progress: Progress = lambda done, of: None,
) -> Tested:
    """Compiles the working tree and plays the scenarios of `names` (tenants, flows; all of none).

    Raises FatalError for a name that there is not and for a repository without scenarios.
    """
    sources = read_repository(root)
    suites = suites_of(sources, names)
    compiled = compile_repository(root)
    scenery = Scenery.of(compiled, {suite.tenant for suite in suites})
    results = [_unplayable(suite) for suite in suites if suite.fault is not None]
    jobs = [
        (suite, index)
        for suite in suites
        for index, scenario in enumerate(suite.scenarios)
        if scenario.is_scripted
    ]
    several = processes or os.cpu_count() or 1
    for result in performed(scenery, jobs, several if len(jobs) >= _FEW else 1):
        results.append(result)
        progress(len(results), len(jobs))
    reached = {suite.tenant: _reached(results, suite.tenant) for suite in suites}
    chosen = {(suite.tenant, suite.flow) for suite in suites}
    ground = {key: spots for key, spots in scenery.ground.items() if key in chosen}
    rules = rules_reached(sources, frozenset().union(*reached.values()))
    ordered = sorted(results, key=lambda result: (result.path, result.line))
    return Tested(tuple(ordered), (*coverage_of(ground, reached), *rules))


def performed(
    scenery: Scenery,
    jobs: Sequence[Job],
    processes: int,
    how: Callable[[Stage, Suite, int], Result] = Stage.play,
) -> Iterator[Result]:
    """The results of (suite, place in it), in their order."""
    if processes < 2 or len(jobs) < 2:
        with stage(scenery) as here:
            for suite, index in jobs:
                yield how(here, suite, index)
        return
    # A fork shares the compiled releases with its parent; where there is none, they are sent.
    start = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with ProcessPoolExecutor(
        min(processes, len(jobs)),
        mp_context=multiprocessing.get_context(start),
        initializer=_begin,
        initargs=(scenery, how),
    ) as pool:
        yield from pool.map(_perform, jobs, chunksize=1 if len(jobs) < 100 else 8)


# A process of the pool has one stage until it ends.
_stages: list[tuple[Stage, Callable[[Stage, Suite, int], Result]]] = []
_open = ExitStack()


def _begin(scenery: Scenery, how: Callable[[Stage, Suite, int], Result]) -> None:
    _stages.append((_open.enter_context(stage(scenery)), how))


def _perform(job: Job) -> Result:
    here, how = _stages[0]
    return how(here, *job)


def _reached(results: Sequence[Result], tenant: str) -> frozenset[Way]:
    return frozenset().union(*(each.reached for each in results if each.tenant == tenant))


def _unplayable(suite: Suite) -> Result:
    fault = Fault("script", "a file that can be read", suite.fault or "")
    return Result(
        suite.tenant, suite.flow, suite.path, suite.fault_line, "(the file)", 0.0, (fault,)
    )
