"""Killed with SIGKILL: at every step of a publish and a pull, and at random moments."""

import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import pytest

from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.pull import pull
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.release.verify import verify

NOW = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)
# A blob takes three steps (open, sync, rename): every fourth step meets each of them. All are met
# by `make soak`.
STRIDE = 1 if "TRUNKLINE_KILLS" in os.environ else 4
_STEPS = {"os.rename", "os.mkdir", "os.remove"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def ends(action: Callable[[], object], step: int) -> bool:
    """Runs `action` in a child that is killed before its `step`-th change; True if it ended."""
    child = os.fork()
    if child == 0:
        _die_at(step)
        _run_and_leave(action)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFEXITED(status)


def _run_and_leave(action: Callable[[], object]) -> NoReturn:
    """Ends this child without running what belongs to its parent."""
    try:
        action()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _die_at(step: int) -> None:
    """Kills this process at the `step`-th change to the disk, or sync, from now on."""
    left = step

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _STEPS or (event == "open" and arguments[2] & _WRITING):
            count()

    sync = os.fsync

    def counted_sync(handle: int) -> None:
        count()
        sync(handle)

    os.fsync = counted_sync
    sys.addaudithook(audit)


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def faults(folder: Path) -> list[str]:
    """Everything wrong with the releases that a store or cache lists."""
    if not any(FolderSource(folder).holds(path.name) for path in folder.glob("*")):
        return []  # killed before the first layout was begun
    return [fault for verdict in verify(FolderSource(folder)) for fault in verdict.faults]


@pytest.mark.parametrize("already", [False, True], ids=["first", "next"])
def test_a_killed_publish_leaves_the_old_or_the_new_and_the_next_run_finishes(
    shop: Any, tmp_path: Path, already: bool
) -> None:
    if already:
        shop.publish()
        for tenant in ("acme", "birch"):
            shop.say(tenant, "Bye.")
        shop.change(policy={"accepted.yaml": {"schema_version": 1, "accepted": []}})
    before = tmp_path / "before"
    before.mkdir()
    if already:
        shutil.copytree(shop.store, before, dirs_exist_ok=True)
    finished = tmp_path / "finished"
    shutil.copytree(before, finished)
    _publish_to(shop, finished)

    step, killed = 1, 0
    while True:
        shop.store = tmp_path / f"killed-at-{step}"
        shutil.copytree(before, shop.store)
        if ends(shop.publish, step):
            break
        killed += 1
        assert faults(shop.store) == []
        left = files(shop.store)
        assert all(left[name] == data for name, data in files(before).items() if "blobs" in name)
        shop.publish()
        assert files(shop.store) == files(finished)
        shutil.rmtree(shop.store)
        step += STRIDE
    assert files(shop.store) == files(finished)
    assert killed > 40 // STRIDE


def _publish_to(shop: Any, store: Path) -> None:
    kept, shop.store = shop.store, store
    shop.publish()
    shop.store = kept


@pytest.mark.parametrize("already", [False, True], ids=["first", "next"])
def test_a_killed_pull_leaves_the_old_or_the_new_and_the_next_run_finishes(
    shop: Any, tmp_path: Path, already: bool
) -> None:
    before = tmp_path / "before"
    before.mkdir()
    shop.publish()
    if already:
        pull(shop.source, before, "acme", None, NOW)
        shop.say("acme", "Bye.")
        shop.change(policy={"accepted.yaml": {"schema_version": 1, "accepted": []}})
        shop.publish()
    allowed = {"v1", "v2"} if already else {None, "v1"}
    newest = "v2" if already else "v1"

    step, seen = 1, set()
    while True:
        cache = tmp_path / f"killed-at-{step}"
        shutil.copytree(before, cache)

        def once(cache: Path = cache) -> object:
            return pull(shop.source, cache, "acme", None, NOW)

        if ends(once, step):
            break
        found = held(cache, "acme")
        tag = found.tag if found else None
        seen.add(tag)
        assert faults(cache) == []
        if tag is not None:
            assert current_release(cache, "acme").tag == tag
        once()
        assert current_release(cache, "acme").tag == newest
        assert not list(cache.rglob("*.partial"))
        shutil.rmtree(cache)
        step += STRIDE
    assert step > 30
    assert seen == allowed or (STRIDE > 1 and seen < allowed)


def test_killed_at_random_moments_of_a_large_pull(shop: Any, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    shop.say("acme", "Word " * 100_000)
    shop.publish()
    pull(shop.source, cache, "acme", None, NOW)
    shop.say("acme", "Other " * 1_000_000)
    shop.publish()
    before = tmp_path / "before"
    cache.rename(before)

    def timed(cache: Path) -> float:
        shutil.copytree(before, cache)
        began = time.monotonic()
        pull(shop.source, cache, "acme", None, NOW)
        return time.monotonic() - began

    whole = timed(tmp_path / "whole")
    moments = random.Random(20261201)
    for turn in range(int(os.environ.get("TRUNKLINE_KILLS", "6"))):
        cache = tmp_path / f"turn-{turn}"
        shutil.copytree(before, cache)
        child = os.fork()
        if child == 0:
            _run_and_leave(lambda cache=cache: pull(shop.source, cache, "acme", None, NOW))
        time.sleep(moments.uniform(0, whole))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert current_release(cache, "acme").tag in ("v1", "v2")
        assert pull(shop.source, cache, "acme", None, NOW).tag == "v2"
        assert current_release(cache, "acme").tag == "v2"
        shutil.rmtree(cache)
