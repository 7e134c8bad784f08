"""A run with real models, each scenario several times: what is steady, flaky or broken."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trunkline.compile import compile_repository
from trunkline.failure import FatalError
from trunkline.scenario.live import is_live, play_live
from trunkline.scenario.result import Result
from trunkline.scenario.run import Progress, performed
from trunkline.scenario.stage import Scenery
from trunkline.scenario.suite import suites_of
from trunkline.scenario.usage import Usage
from trunkline.source.repository import read_repository
from trunkline_runtime.call.model_here import model_here
from trunkline_runtime.failure import FatalError as Unusable
from trunkline_runtime.table.settings import TenantSettings

Steadiness = Literal["steady", "flaky", "broken"]


@dataclass(frozen=True)
class LiveResult:
    """All runs of one scenario, in order."""

    runs: tuple[Result, ...]

    @property
    def name(self) -> str:
        return self.runs[0].name

    @property
    def passed(self) -> int:
        return sum(run.passed for run in self.runs)

    @property
    def steadiness(self) -> Steadiness:
        """`flaky` if some runs passed and some did not."""
        if self.passed == len(self.runs):
            return "steady"
        return "flaky" if self.passed else "broken"

    @property
    def usage(self) -> Usage:
        return sum((run.usage for run in self.runs), Usage())

    @property
    def seconds(self) -> float:
        return sum(run.seconds for run in self.runs)


def run_live(
    root: Path,
    names: Sequence[str],
    *,
    repeat: int = 1,
    processes: int = 1,
    progress: Progress = lambda done, of: None,
) -> tuple[LiveResult, ...]:
    """Plays each scenario that has `instructions` and `agent_expectations` `repeat` times.

    Raises FatalError if no model is set up, and if no scenario can be played so.
    """
    suites = [suite for suite in suites_of(read_repository(root), names) if suite.fault is None]
    compiled = compile_repository(root)
    for tenant in sorted({suite.tenant for suite in suites} & compiled.tenants.keys()):
        try:
            model_here(TenantSettings.from_document(compiled.tenants[tenant]))
        except Unusable as problem:
            raise FatalError(str(problem)) from None
    jobs = [
        (suite, index)
        for suite in suites
        for index, scenario in enumerate(suite.scenarios)
        if is_live(scenario)
        for _ in range(repeat)
    ]
    if not jobs:
        raise FatalError("no scenario has both `instructions` and `agent_expectations`")
    scenery = Scenery.of(compiled, {suite.tenant for suite in suites})
    results: list[Result] = []
    for result in performed(scenery, jobs, processes, play_live):
        results.append(result)
        progress(len(results), len(jobs))
    return tuple(
        LiveResult(tuple(results[start : start + repeat]))
        for start in range(0, len(results), repeat)
    )
