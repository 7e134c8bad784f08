"""Whether scenarios notice when a flow goes wrong: each mutant is compiled, checked and played."""

import json
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from trunkline.compile import compile_repository
from trunkline.scenario.mutants import Mutant, mutants_of
from trunkline.scenario.run import Progress
from trunkline.scenario.stage import Scenery, Stage, stage
from trunkline.scenario.suite import Suite, suites_of
from trunkline.source.repository import read_repository
from trunkline.source.tree import Tree, WorkingTree

# `check`: it has an error, and is never published. `same`: the table means what it meant.
Fate = Literal["check", "same", "caught", "survived"]


@dataclass(frozen=True)
class Mutation:
    """What became of one mutant; `by` is a code of `check` or the label of a scenario."""

    tenant: str
    flow: str
    what: str
    fate: Fate
    by: str = ""


@dataclass(frozen=True)
class _Tree:
    """The files of one tenant and what all share, with another text for one of them."""

    tree: Tree
    tenant: str
    path: str
    data: bytes

    def paths(self) -> list[str]:
        return [path for path in self.tree.paths() if self._is_needed(path)]

    def _is_needed(self, path: str) -> bool:
        parts = path.split("/")
        return parts[0] != "flows" or parts[1] in (self.tenant, "shared")

    def read(self, path: str) -> bytes:
        return self.data if path == self.path else self.tree.read(path)


_Job = tuple[Path, Suite, Mutant]


def mutate(
    root: Path,
    names: Sequence[str] = (),
    *,
    every: int = 1,
    progress: Progress = lambda done, of: None,
) -> Iterator[Mutation]:
    """What became of every mutant of the flows that `names` says, or of each `every`-th one.

    The scenarios must all pass on the flows as they are. Raises FatalError as `run_scenarios`.
    """
    sources = read_repository(root)
    flows = {document.path: document for document in sources.of_kind("flow")}
    jobs: list[_Job] = []
    for suite in suites_of(sources, names):
        document = flows.get(f"flows/{suite.name}.yaml")
        if document is not None and suite.fault is None:
            found = list(mutants_of(document.data))[::every]
            jobs += [(root, suite, mutant) for mutant in found]
    how = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with ProcessPoolExecutor(
        min(os.cpu_count() or 1, max(1, len(jobs))),
        mp_context=multiprocessing.get_context(how),
        initializer=_begin,
    ) as pool:
        for done, mutation in enumerate(pool.map(_mutation, jobs), start=1):
            progress(done, len(jobs))
            yield mutation


# A process of the pool has one stage until it ends.
_stages: list[Stage] = []
_open = ExitStack()


def _begin() -> None:
    _stages.append(_open.enter_context(stage(Scenery.empty())))


def _mutation(job: _Job) -> Mutation:
    root, suite, mutant = job
    path = f"flows/{suite.name}.yaml"
    told = (suite.tenant, suite.flow, mutant.what)
    # JSON is YAML, and its scalars are read alike by every reader.
    data = json.dumps(mutant.document, ensure_ascii=False).encode()
    compiled = compile_repository(_Tree(WorkingTree(root), suite.tenant, path, data))
    errors = [finding for finding in compiled.findings if finding.severity == "error"]
    if errors:
        return Mutation(*told, "check", errors[0].code)
    if compiled.digests[suite.tenant, suite.flow] == _digest(root, suite.tenant, suite.flow):
        return Mutation(*told, "same")
    here = _stages[0].on(Scenery.of(compiled, {suite.tenant}))
    for index, scenario in enumerate(suite.scenarios):
        if scenario.is_scripted and not here.play(suite, index).passed:
            return Mutation(*told, "caught", scenario.label)
    return Mutation(*told, "survived")


@cache
def _digest(root: Path, tenant: str, flow: str) -> str:
    """What the flow says as it stands."""
    path, tree = f"flows/{tenant}/{flow}.yaml", WorkingTree(root)
    return compile_repository(_Tree(tree, tenant, path, tree.read(path))).digests[tenant, flow]
