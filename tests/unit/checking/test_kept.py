"""What is kept is never trusted: damage, kills and checks side by side change no finding."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from trunkline.checking import kept as kept_module
from trunkline.checking.check import check_repository
from trunkline.checking.kept import Kept
from trunkline.commands.main import run
from trunkline.compile import compile_repository
from trunkline.finding import Finding

DAY = date(2026, 11, 29)


@pytest.fixture
def found(flow: Callable[..., None], repository: Path, kept: Path) -> tuple[Finding, ...]:
    """The findings of a repository with a fault, which are kept."""
    for number in range(6):
        flow(
            f"flow-{number}",
            "kind: end, outcome: nowhere" if number % 2 else "kind: end, outcome: done, say: Bye.",
        )
    told = check_repository(repository, DAY)
    assert len(told) == 3
    assert {file.name for file in kept.iterdir()} == {"whole.json", "parts.json"}
    return told


@pytest.mark.parametrize("name", ["whole.json", "parts.json"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data.replace(b"TL103", b"TL104"),
        lambda data: b"\0" * len(data),
        lambda data: data.split(b"\n", 1)[1],
        lambda data: b"{}",
    ],
    ids=["empty", "half", "short", "edited", "zeros", "bare", "other"],
)
def test_damage_is_computed_again(
    repository: Path,
    kept: Path,
    found: tuple[Finding, ...],
    name: str,
    damage: Callable[[bytes], bytes],
) -> None:
    good = (kept / name).read_bytes()
    (kept / name).write_bytes(damage(good))
    if name == "parts.json":
        (kept / "whole.json").unlink()
    assert check_repository(repository, DAY) == found
    assert (kept / name).read_bytes() == good


def test_no_folder_and_no_permission_cost_time_only(
    repository: Path, cache: Path, found: tuple[Finding, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = cache.parent / "file"
    in_the_way.write_text("in the way")
    monkeypatch.setenv("TRUNKLINE_CACHE_DIR", str(in_the_way))
    assert check_repository(repository, DAY) == found


def test_what_is_kept_hides_nothing_from_publish(
    repository: Path,
    kept: Path,
    found: tuple[Finding, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever can write to the cache can make `check` blind, and still gets nothing released."""
    whole = Kept(repository).read("whole.json")
    Kept(repository).write("whole.json", {**whole, "findings": []})
    assert check_repository(repository, DAY) == ()
    store = tmp_path / "store"
    assert run(["-C", str(repository), "publish", "--to", str(store)]) == 1
    assert "nothing was published" in capsys.readouterr().err
    assert run(["-C", str(repository), "check", "--clean", "--today", "2026-11-29"]) == 1


def test_a_killed_check_leaves_nothing_false(
    repository: Path, kept: Path, flow: Callable[..., None]
) -> None:
    chance = random.Random(7)
    for turn in range(6):
        for number in range(10):
            flow(f"flow-{number}", f"kind: end, outcome: nowhere_{turn}_{number}")
        process = start(repository)
        time.sleep(chance.random() * 0.5)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    told = check_repository(repository, DAY)
    assert told == compile_repository(repository, DAY).findings
    assert len(told) == 10


def test_checks_side_by_side_find_the_same(repository: Path, found: tuple[Finding, ...]) -> None:
    expected = [finding.message for finding in found]
    running = [start(repository) for _ in range(4)]
    for process in running:
        out, _ = process.communicate(timeout=60)
        assert [each["message"] for each in json.loads(out)["findings"]] == expected
    assert check_repository(repository, DAY) == found


def start(repository: Path) -> "subprocess.Popen[bytes]":
    command = [
        *(sys.executable, "-c", "from trunkline.commands.main import main; main()"),
        *("-C", str(repository), "check", "--format", "json", "--today", "2026-11-29"),
    ]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )


def test_a_file_that_changes_during_the_check_is_not_remembered(
    repository: Path, kept: Path, flow: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    from trunkline.checking import changed

    flow("one")
    real = changed._base

    def base(state: object) -> object:
        flow("one", "kind: end, outcome: nowhere")
        return real(state)  # type: ignore[arg-type]

    monkeypatch.setattr(changed, "_base", base)
    assert len(check_repository(repository, DAY)) == 1
    assert not kept.exists()


def test_old_repositories_and_files_that_nobody_finished_are_swept_away(
    repository: Path, kept: Path, found: tuple[Finding, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    left = kept / f"parts.json.1{kept_module._PARTIAL}"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    monkeypatch.setattr(kept_module, "MOST_REPOSITORIES", 3)
    for number in range(5):
        Kept(repository / str(number)).write("whole.json", {})
    Kept(repository).write("whole.json", {})
    assert not left.exists()
    assert len(list(kept.parent.iterdir())) <= 4
