"""Each scenario as a pytest item: `pytest -p trunkline.scenario.pytest_plugin flows`.

A failure is told as `trunkline test` tells it. With pytest-xdist each worker compiles once. The
runtime is loaded when the first scenario is collected: a run of other tests need not wait for it.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from trunkline.scenario.result import Result

if TYPE_CHECKING:
    from trunkline.scenario.stage import Stage
    from trunkline.scenario.suite import Suite


class ScenarioFailed(Exception):
    """A scenario did not come out as its file says."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.name)
        self.result = result


class _Stages:
    """The stage of each repository whose scenarios are run, kept until the session ends."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._stages: dict[Path, Stage] = {}

    def of(self, root: Path) -> "Stage":
        from trunkline.compile import compile_repository
        from trunkline.scenario.stage import Scenery, stage

        if root not in self._stages:
            compiled = compile_repository(root)
            scenery = Scenery.of(compiled, set(compiled.tenants))
            self._stages[root] = self._open.enter_context(stage(scenery))
        return self._stages[root]

    def close(self) -> None:
        self._open.close()
        self._stages.clear()


_stages = _Stages()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Takes flows/<tenant>/scenarios/<flow>.yaml."""
    parts = file_path.parts
    mine = len(parts) > 4 and parts[-2] == "scenarios" and parts[-4] == "flows"
    if mine and file_path.suffix == ".yaml":
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


def pytest_sessionfinish() -> None:
    """Closes the sandboxes."""
    _stages.close()


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator["ScenarioItem"]:
        from trunkline.scenario.suite import suites_of
        from trunkline.source.repository import read_repository

        root = self.path.parents[3]
        path = self.path.relative_to(root).as_posix()
        for suite in suites_of(read_repository(root)):
            if suite.path == path:
                if suite.fault is not None:
                    raise self.CollectError(f"{path}: {suite.fault}")
                for index, scenario in enumerate(suite.scenarios):
                    if scenario.is_scripted:
                        yield ScenarioItem.from_parent(
                            self, name=scenario.label, root=root, suite=suite, index=index
                        )


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, root: Path, suite: "Suite", index: int, **given: Any) -> None:
        super().__init__(**given)
        self._root, self._suite, self._index = root, suite, index

    def runtest(self) -> None:
        result = _stages.of(self._root).play(self._suite, self._index)
        if not result.passed:
            raise ScenarioFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *given: Any) -> Any:
        if isinstance(excinfo.value, ScenarioFailed):
            from trunkline.report.scenarios import story

            return "\n".join(line.plain for line in story(excinfo.value.result))
        return super().repr_failure(excinfo, *given)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self._suite.lines[self._index] - 1, self.name
