"""Collection: what left every channel goes after the audit period; what is needed never does."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from shop import NOW

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.collect import collect
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.housekeeping import Housekeeping
from trunkline_runtime.release.pull import pull
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.release.verify import verify
from trunkline_runtime.release.workers import WorkerReport, holds
from trunkline_runtime.table.exclusive import exclusive

AUDIT = timedelta(days=10)


@pytest.fixture
def cache(shop: Any, tmp_path: Path) -> Path:
    """A cache that took v1, v2 and v3 of acme, a day each."""
    path = tmp_path / "cache"
    for day in range(3):
        shop.say("acme", f"Bye {day}.")
        shop.publish()
        pull(shop.source, path, "acme", None, NOW + timedelta(days=day), ())
    return path


def releases(cache: Path) -> list[str]:
    found = held(cache, "acme")
    assert found is not None
    return list(found.releases)


def sound(cache: Path) -> None:
    verdicts = verify(FolderSource(cache), None, None, (), NOW)
    assert [verdict.faults for verdict in verdicts if verdict.faults] == []


def blobs(cache: Path) -> int:
    return sum(1 for _ in (cache / "acme/blobs/sha256").iterdir())


def test_a_release_goes_when_the_audit_period_after_its_last_channel_is_over(cache: Path) -> None:
    before = blobs(cache)
    found = collect(cache, "acme", NOW + timedelta(days=11) - timedelta(seconds=1), (), AUDIT)
    assert (found.tags, releases(cache)) == ((), ["v1", "v2", "v3"])
    found = collect(cache, "acme", NOW + timedelta(days=11), (), AUDIT)
    assert (found.tags, releases(cache)) == (("v1",), ["v2", "v3"])
    assert blobs(cache) < before
    sound(cache)
    found = collect(cache, "acme", NOW + timedelta(days=1_000), (), AUDIT)
    assert (found.tags, releases(cache)) == (("v2",), ["v3"])
    assert current_release(cache, "acme", ()).tag == "v3"
    sound(cache)


def test_a_release_that_a_call_holds_stays(cache: Path) -> None:
    found = held(cache, "acme")
    assert found is not None
    in_use = {found.entries["v1"].digest}
    assert collect(cache, "acme", NOW + timedelta(days=99), in_use, AUDIT).tags == ("v2",)
    assert releases(cache) == ["v1", "v3"]
    sound(cache)


def test_what_was_collected_is_fetched_again_and_its_sequence_is_remembered(
    shop: Any, cache: Path
) -> None:
    late = NOW + timedelta(days=20)
    shop.now = late
    shop.channels = {"acme": {"stable": {"release": "v1"}}}
    shop.publish()
    pull(shop.source, cache, "acme", None, late, ())
    assert collect(cache, "acme", late + timedelta(days=10), (), AUDIT).tags == ("v2", "v3")
    found = held(cache, "acme")
    assert found is not None
    assert (found.tag, found.highest) == ("v1", 3)
    shop.channels = {}
    shop.publish()
    assert pull(shop.source, cache, "acme", None, late, ()).tag == "v3"


def test_a_policy_is_collected_too(shop: Any, cache: Path) -> None:
    shop.change(policy={"accepted.yaml": {"schema_version": 1, "accepted": []}})
    shop.publish()
    pull(shop.source, cache, "acme", None, NOW, ())
    assert collect(cache, "_policy", NOW + AUDIT, (), AUDIT).tags == ("v1",)
    sound(cache)


def test_blobs_that_nothing_names_go_and_a_damaged_folder_loses_nothing(cache: Path) -> None:
    folder = cache / "acme/blobs/sha256"
    assert collect(cache, "acme", NOW, (), AUDIT).blobs == 4  # channels as they were before
    (folder / ("0" * 64)).write_bytes(b"left by a pull that was killed")
    assert collect(cache, "acme", NOW, (), AUDIT).blobs == 1
    found = held(cache, "acme")
    assert found is not None
    manifest = folder / found.current.digest.removeprefix("sha256:")
    manifest.write_bytes(b"{}")
    before = blobs(cache)
    with pytest.raises(Refused, match="is cut off"):
        collect(cache, "acme", NOW + timedelta(days=99), (), AUDIT)
    assert blobs(cache) == before


def test_a_pull_under_way_is_waited_for_and_not_disturbed(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trunkline_runtime.release.cache._WAIT_SECONDS", 0.1)
    with exclusive(cache / "acme"), pytest.raises(Refused, match="another pull of acme"):
        collect(cache, "acme", NOW + timedelta(days=99), (), AUDIT)
    assert releases(cache) == ["v1", "v2", "v3"]


def test_a_worker_keeps_its_report_and_its_cache(cache: Path) -> None:
    board = PinBoard()
    board.adopt(current_release(cache, "acme", ()))
    pin = board.take("acme", "bill")
    with WorkerReport(cache) as report:
        keeping = Housekeeping(cache, board, report, AUDIT)
        keeping.round(NOW + timedelta(days=11))
        assert [(hold.tag, hold.calls) for hold in holds(cache)] == [("v3", 1)]
        assert releases(cache) == ["v2", "v3"]
        board.drop(pin)
        keeping.round(NOW + timedelta(days=11, minutes=59))
        assert [(hold.tag, hold.calls) for hold in holds(cache)] == [("v3", 0)]
        keeping.round(NOW + timedelta(days=12))
        assert releases(cache) == ["v3"]
