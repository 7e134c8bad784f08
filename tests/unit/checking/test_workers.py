"""Two processors: the same findings, also if a process is killed or a check is at fault."""

import os
import signal
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from trunkline.checking import work, workers
from trunkline.checking.check import check_repository
from trunkline.checking.work import Bench
from trunkline.compile import compile_repository

DAY = date(2026, 11, 29)


@pytest.fixture
def many(flow: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> int:
    """As many flows as are worth two processes, each with a fault; and two processors."""
    monkeypatch.setattr(workers, "_processors", lambda: 2)
    count = workers.WORTH_A_PROCESS + 6
    for number in range(count):
        flow(f"flow-{number}", "kind: end, outcome: nowhere")
    return count


def test_two_processes_find_what_one_does(repository: Path, many: int) -> None:
    found = check_repository(repository, DAY)
    assert len(found) == many
    assert found == compile_repository(repository, DAY).findings
    assert check_repository(repository, DAY, clean=True) == found


def test_the_share_of_a_killed_process_is_done_by_the_first(
    repository: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, real = os.getpid(), Bench.do

    def do(bench: Bench, item: work.Item) -> work.Done:
        if os.getpid() != here and item.paths[0].endswith("/flow-40.yaml"):
            os.kill(os.getpid(), signal.SIGKILL)
        return real(bench, item)

    monkeypatch.setattr(Bench, "do", do)
    assert len(check_repository(repository, DAY)) == many


def test_a_bug_in_a_process_is_told_as_one(
    repository: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def do(bench: Bench, item: work.Item) -> work.Done:
        raise LookupError("a bug")

    monkeypatch.setattr(Bench, "do", do)
    with pytest.raises(LookupError, match="a bug"):
        check_repository(repository, DAY)
