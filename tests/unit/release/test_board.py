"""The board: one pin per call, whatever is adopted meanwhile; and what workers report of it."""

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.load import load_release
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.release.opened import tags
from trunkline_runtime.release.workers import WorkerReport, holds

NOW = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)


@pytest.fixture
def releases(shop: Any) -> Callable[[str], Release]:
    """A release of acme by tag: v1 says Goodbye, v2 says Bye."""
    shop.publish()
    shop.say("acme", "Bye.")
    shop.publish()
    listed = tags(shop.source, "acme")
    loaded = {tag: load_release(shop.source, "acme", tag, named) for tag, named in listed.items()}
    return loaded.__getitem__


def rows(board: PinBoard) -> list[tuple[str, bool, int]]:
    return [(row.release.tag, row.current, row.calls) for row in board.standings()]


def test_a_call_keeps_its_pin_when_a_newer_release_comes(releases: Any) -> None:
    board = PinBoard()
    board.adopt(releases("v1"))
    old = board.take("acme", "bill")
    board.adopt(releases("v2"))
    new = board.take("acme", "bill")
    assert (old.tag, new.tag) == ("v1", "v2")
    assert old.digest != new.digest
    assert rows(board) == [("v1", False, 1), ("v2", True, 1)]
    board.drop(old)
    assert rows(board) == [("v2", True, 1)]
    board.drop(new)
    assert rows(board) == [("v2", True, 0)]


def test_a_block_gives_its_pin_back_even_when_it_fails(releases: Any) -> None:
    board = PinBoard()
    board.adopt(releases("v1"))

    def fail() -> None:
        with board.held("acme", "bill"):
            assert rows(board) == [("v1", True, 1)]
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert rows(board) == [("v1", True, 0)]


def test_a_link_stays_in_the_release(releases: Any) -> None:
    board = PinBoard()
    board.adopt(releases("v1"))
    pin = board.take("acme", "bill")
    board.adopt(releases("v2"))
    assert pin.linked("bill").release is releases("v1")


def test_going_back_makes_the_held_release_current_again(releases: Any) -> None:
    board = PinBoard()
    board.adopt(releases("v1"))
    board.take("acme", "bill")
    board.adopt(releases("v2"))
    board.adopt(releases("v1"))
    assert rows(board) == [("v1", True, 1)]
    assert board.current("acme") is releases("v1")


def test_what_is_not_there_is_said(releases: Any) -> None:
    board = PinBoard()
    assert board.current("acme") is None
    with pytest.raises(FatalError, match="no release of acme is loaded"):
        board.take("acme", "bill")
    board.adopt(releases("v1"))
    with pytest.raises(FatalError, match="acme v1 has no flow 'sell'"):
        board.take("acme", "sell")
    assert rows(board) == [("v1", True, 0)]


def test_a_pin_is_given_back_once(releases: Any) -> None:
    board = PinBoard()
    board.adopt(releases("v1"))
    pin = board.take("acme", "bill")
    board.drop(pin)
    with pytest.raises(ValueError, match="no call holds acme v1"):
        board.drop(pin)


def test_pins_are_whole_while_releases_come_in(releases: Any) -> None:
    """Four threads take and drop 10,000 pins while a fifth adopts releases without a pause."""
    board = PinBoard()
    each = {
        f"v{n}": replace(releases("v1"), tag=f"v{n}", sequence=n, digest=f"sha256:{n}")
        for n in range(1, 50)
    }
    board.adopt(each["v1"])
    mixed: list[str] = []
    done = threading.Event()

    def adopt() -> None:
        chosen = random.Random(1)
        while not done.is_set():
            board.adopt(each[f"v{chosen.randrange(1, 50)}"])

    def call() -> None:
        for _ in range(2_500):
            with board.held("acme", "bill") as pin:
                if each[pin.tag] is not pin.release:
                    mixed.append(pin.tag)

    threads = [threading.Thread(target=call) for _ in range(4)]
    adopting = threading.Thread(target=adopt)
    adopting.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    adopting.join()
    assert mixed == []
    assert [(current, calls) for _, current, calls in rows(board)] == [(True, 0)]


def test_a_living_worker_reports_its_calls(releases: Any, tmp_path: Path) -> None:
    board = PinBoard()
    board.adopt(releases("v1"))
    board.take("acme", "bill")
    board.adopt(releases("v2"))
    with WorkerReport(tmp_path) as report:
        assert holds(tmp_path) == ()
        report.write(board.standings(), NOW)
        found = [(hold.tag, hold.current, hold.calls, hold.at) for hold in holds(tmp_path)]
        assert found == [("v1", False, 1, NOW), ("v2", True, 0, NOW)]
        assert {hold.worker for hold in holds(tmp_path)} == {report.worker}
    assert holds(tmp_path) == ()
    assert list((tmp_path / ".workers").iterdir()) == []


def test_the_report_of_a_killed_worker_does_not_count(releases: Any, tmp_path: Path) -> None:
    script = (
        "import sys, time; from datetime import UTC, datetime; from pathlib import Path\n"
        "from trunkline_runtime.release.workers import WorkerReport\n"
        "with WorkerReport(Path(sys.argv[1])) as report:\n"
        "    report.write([], datetime.now(UTC)); print('up', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert worker.stdout is not None
    assert worker.stdout.readline() == b"up\n"
    (report,) = (tmp_path / ".workers").glob("*.json")
    row = b'{"calls":3,"channels":["stable"],"digest":"sha256:1","tag":"v1","tenant":"acme"}'
    report.write_bytes(report.read_bytes().replace(b"[]", b"[" + row + b"]"))
    assert [(hold.tenant, hold.calls) for hold in holds(tmp_path)] == [("acme", 3)]
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    assert holds(tmp_path) == ()


def test_a_report_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    with WorkerReport(tmp_path) as report:
        (tmp_path / ".workers" / f"{report.worker}.json").write_bytes(b'{"holds": 7}')
        assert holds(tmp_path) == ()
