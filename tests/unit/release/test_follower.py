"""A follower: what is new is taken within one poll, and nothing that a store does loses a call."""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from docker_registry import DockerRegistry
from faulty_proxy import Fault, FaultyProxy
from prometheus_client import CollectorRegistry, generate_latest
from shop import NOW

from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.follower import Follower
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.release.metrics import FleetMetrics
from trunkline_runtime.release.pace import Pace
from trunkline_runtime.table.registry.address import read_address


@dataclass
class Place:
    """A machine that follows a store: its cache, its board, its clock."""

    shop: Any
    cache: Path
    now: datetime = NOW
    board: PinBoard = field(default_factory=PinBoard)

    def follower(self, *tenants: str, **more: Any) -> Follower:
        more.setdefault("keys", ())
        made = Follower(
            self.shop.source,
            self.cache,
            self.board,
            tenants or ("acme", "birch"),
            clock=lambda: self.now,
            **more,
        )
        made.restore()
        return made

    def takes(self) -> dict[str, str]:
        return {
            f"{row.release.tenant} {channel}": row.release.tag
            for row in self.board.standings()
            for channel in row.channels
        }


both = pytest.mark.parametrize("place", ["folder", "registry"], indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest, shop: Any, tmp_path: Path) -> Place:
    """A machine that follows a folder, or with `both` a registry as well."""
    if getattr(request, "param", "folder") == "registry":
        shop.place = request.getfixturevalue("registry")
    return Place(shop, tmp_path / "cache")


@both
def test_a_change_is_taken_within_one_poll(place: Place) -> None:
    shop = place.shop
    shop.publish()
    follower = place.follower()
    assert place.takes() == {}
    assert follower.policy() is None
    assert follower.poll() is None
    assert place.takes() == {"acme stable": "v1", "birch stable": "v1"}
    first = follower.policy()
    assert first is not None
    shop.say("acme", "Bye.")
    shop.change(policy={"accepted.yaml": {"schema_version": 1, "accepted": []}})
    shop.publish()
    follower.poll()
    assert place.takes() == {"acme stable": "v2", "birch stable": "v1"}
    newer = follower.policy()
    assert newer is not None
    assert (newer.sequence, first.sequence) == (2, 1)
    shop.channels = {"acme": {"stable": {"release": "v1"}}}
    shop.publish()
    follower.poll()
    assert place.takes() == {"acme stable": "v1", "birch stable": "v1"}
    assert follower.policy() is newer


def test_a_poll_that_finds_nothing_new_asks_once_for_each(
    shop: Any, registry: str, proxy: FaultyProxy, tmp_path: Path
) -> None:
    shop.place = registry.replace(read_address(registry).host, proxy.host)
    shop.publish()
    follower = Place(shop, tmp_path).follower()
    follower.poll()
    proxy.lines()
    follower.poll()
    with proxy.lock:
        seen = [(each.line.rsplit("/", 3)[1:], each.status) for each in proxy.seen]
    assert sorted(seen) == [
        (["acme", "manifests", "channels"], 304),
        (["birch", "manifests", "channels"], 304),
        (["trunkline_policy", "manifests", "channels"], 304),
    ]


@both
def test_a_release_that_changes_one_flow_loads_one_table(place: Place) -> None:
    """The tables that stay are the same objects: memory is paid once."""
    shop = place.shop
    one = shop.compiled.tables["acme", "bill"]
    more = {("acme", f"flow-{n}"): {**one, "flow": f"flow-{n}"} for n in range(20)}
    shop.change(tables={**shop.compiled.tables, **more})
    shop.publish()
    follower = place.follower("acme")
    follower.poll()
    old = place.board.take("acme", "flow-1").release
    shop.say("acme", "Bye.")
    shop.publish()
    follower.poll()
    new = place.board.take("acme", "flow-1").release
    assert (old.tag, new.tag) == ("v1", "v2")
    shared = [flow for flow in new.tables if new.tables[flow] is old.tables[flow]]
    assert len(shared) == 20
    assert new.tables["bill"] is not old.tables["bill"]
    assert new.entries["get_invoice"] is old.entries["get_invoice"]


@both
def test_a_call_keeps_its_release_through_any_number_of_newer_ones(place: Place) -> None:
    shop = place.shop
    shop.publish()
    follower = place.follower("acme")
    follower.poll()
    pin = place.board.take("acme", "bill", "call-1")
    for number in range(5):
        shop.say("acme", f"Bye {number}.")
        shop.publish()
        follower.poll()
    assert pin.table.document["nodes"]["bye"]["say"] == "Goodbye."
    states = [(row.release.tag, row.current, row.calls) for row in place.board.standings()]
    assert states == [("v1", False, 1), ("v6", True, 0)]
    place.board.drop(pin)
    assert [row.release.tag for row in place.board.standings()] == ["v6"]


def test_the_canary_by_call_id(place: Place) -> None:
    shop = place.shop
    shop.publish()
    shop.channels = {
        "acme": {"stable": {"release": "v1"}, "canary": {"release": "next", "percent": 30}}
    }
    shop.say("acme", "Bye.")
    shop.publish()
    follower = place.follower("acme")
    follower.poll()
    counts = Counter(place.board.take("acme", "bill", f"call-{n}").tag for n in range(1_000))
    assert 250 < counts["v2"] < 350
    assert counts["v1"] + counts["v2"] == 1_000
    assert place.board.take("acme", "bill").tag == "v1"
    assert place.board.take("acme", "bill", channel="canary").tag == "v2"


def test_a_restart_with_the_store_gone_starts_on_the_last_good_release(
    shop: Any, registry_folder: Path, tmp_path: Path, caplog: Any
) -> None:
    own = DockerRegistry(registry_folder).start()
    shop.place = f"oci://{own.host}/fleet"
    shop.publish()
    place = Place(shop, tmp_path / "cache")
    place.follower().poll()
    own.kill()
    again = Place(shop, tmp_path / "cache")
    follower = again.follower()
    assert again.takes() == {"acme stable": "v1", "birch stable": "v1"}
    assert follower.policy() is not None
    caplog.set_level(logging.WARNING)
    follower.poll()
    follower.poll()
    assert again.takes() == {"acme stable": "v1", "birch stable": "v1"}
    said = [record.message for record in caplog.records if record.message.startswith("acme")]
    assert len(said) == 1  # once, though it failed twice
    assert "what was current still is: the registry can't be read: 127.0.0.1 can't be re" in said[0]
    own.start()
    shop.say("acme", "Bye.")
    shop.publish()
    follower.poll()
    assert again.takes()["acme stable"] == "v2"
    assert follower.fault("acme") is None
    own.kill()


@both
def test_an_expired_channel_is_kept_and_said(place: Place) -> None:
    place.shop.publish()
    follower = place.follower("acme")
    follower.poll()
    place.now = NOW + timedelta(days=31)
    follower.poll()
    assert place.takes() == {"acme stable": "v1"}
    assert follower.fault("acme") == (
        "the channel stable of acme expired on 2026-12-31 15:00 UTC; publishing again renews it"
    )
    again = Place(place.shop, place.cache, place.now)
    again.follower("acme").poll()
    assert again.takes() == {"acme stable": "v1"}
    place.shop.now = place.now
    place.shop.publish()
    follower.poll()
    assert follower.fault("acme") is None


def test_what_a_rehearsal_refuses_is_not_taken(place: Place) -> None:
    def rehearse(release: Release) -> Iterator[str]:
        if release.tag == "v2":
            yield "flow bill: node hello has no agent"

    place.shop.publish()
    follower = place.follower("acme", rehearse=rehearse)
    follower.poll()
    place.shop.say("acme", "Bye.")
    place.shop.publish()
    follower.poll()
    assert place.takes() == {"acme stable": "v1"}
    assert follower.fault("acme") == "acme v2 can't be used: flow bill: node hello has no agent"
    assert current_release(place.cache, "acme", ()).tag == "v1"
    place.shop.say("acme", "Ciao.")
    place.shop.publish()
    follower.poll()
    assert place.takes() == {"acme stable": "v3"}


def test_a_bug_in_one_tenant_does_not_end_the_following_of_others(place: Place) -> None:
    def rehearse(release: Release) -> Iterator[str]:
        if release.tenant == "acme":
            raise ZeroDivisionError
        yield from ()

    place.shop.publish()
    follower = place.follower(rehearse=rehearse)
    follower.poll()
    assert place.takes() == {"birch stable": "v1"}
    assert follower.fault("acme") == "this is a bug of Trunkline (ZeroDivisionError)"
    assert follower.fault("birch") is None


def test_a_registry_that_asks_for_time_gets_it(
    shop: Any, registry: str, proxy: FaultyProxy, tmp_path: Path
) -> None:
    shop.place = registry.replace(read_address(registry).host, proxy.host)
    shop.publish()
    place = Place(shop, tmp_path)
    follower = place.follower("acme")
    proxy.lines()
    with proxy.failing(Fault("GET ", status=429, headers={"retry-after": "90"})):
        assert follower.poll() == 90
        assert len(proxy.lines()) == 2  # one for the policy, one for acme; none was tried again
    assert Pace(every=15).next(90) == 90
    assert Pace(every=15, longest=60).next(90_000) == 60
    assert follower.poll() is None
    assert place.takes() == {"acme stable": "v1"}


def test_rounds_are_spread_and_never_late() -> None:
    pace = Pace(every=10, jitter=0.3)
    waits = [pace.next(None) for _ in range(500)]
    assert min(waits) >= 7
    assert max(waits) <= 10
    assert max(waits) - min(waits) > 2
    assert all(0 <= pace.first() <= 3 for _ in range(100))


@both
def test_it_runs_until_it_is_told_to_stop(place: Place) -> None:
    place.shop.publish()
    follower, stop, rounds = place.follower("acme"), threading.Event(), threading.Semaphore(0)
    thread = threading.Thread(
        target=follower.run, args=(stop, Pace(every=0.05), lambda: rounds.release())
    )
    thread.start()
    assert rounds.acquire(timeout=20)
    place.shop.say("acme", "Bye.")
    place.shop.publish()
    until = time.monotonic() + 20
    while place.takes() != {"acme stable": "v2"} and time.monotonic() < until:
        rounds.acquire(timeout=1)
    stop.set()
    thread.join(timeout=10)
    assert not thread.is_alive()
    assert place.takes() == {"acme stable": "v2"}


def lines(registry: CollectorRegistry) -> dict[str, float]:
    text = generate_latest(registry).decode()
    rows = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in rows}


@both
def test_metrics(place: Place) -> None:
    registry = CollectorRegistry()
    place.shop.publish()
    follower = place.follower("acme", watch=FleetMetrics(place.board, registry))
    follower.poll()
    pin = place.board.take("acme", "bill")
    place.shop.say("acme", "Bye.")
    place.shop.publish()
    follower.poll()
    digest = place.board.take("acme", "bill").release.digest
    shown = lines(registry)
    takes = f'channel="stable",digest="{digest}",release="v2",tenant="acme"'
    assert shown[f"trunkline_channel_release_info{{{takes}}}"] == 1
    assert shown['trunkline_release_calls{release="v1",state="draining",tenant="acme"}'] == 1
    assert shown['trunkline_release_calls{release="v2",state="current",tenant="acme"}'] == 1
    assert shown['trunkline_swap_seconds_count{tenant="acme"}'] == 2
    assert shown['trunkline_swap_seconds_count{tenant="_policy"}'] == 1
    assert shown['trunkline_last_poll_timestamp_seconds{tenant="acme"}'] == NOW.timestamp()
    expires = (NOW + timedelta(days=30)).timestamp()
    name = 'trunkline_channel_expires_timestamp_seconds{channel="stable",tenant="acme"}'
    assert shown[name] == expires
    assert 'trunkline_channel_release_age_seconds{channel="stable",tenant="acme"}' in shown
    place.board.drop(pin)
    place.now = NOW + timedelta(days=40)
    follower.poll()
    shown = lines(registry)
    assert shown['trunkline_release_refusals_total{tenant="acme"}'] == 1
    assert not any('state="draining"' in name for name in shown)


def test_metrics_of_a_store_that_can_not_be_read(
    shop: Any, registry: str, proxy: FaultyProxy, tmp_path: Path
) -> None:
    shop.place = registry.replace(read_address(registry).host, proxy.host)
    shop.publish()
    place, counts = Place(shop, tmp_path), CollectorRegistry()
    follower = place.follower("acme", watch=FleetMetrics(place.board, counts))
    with proxy.failing(Fault("channels", status=404, times=0), Fault("/acme/", status=401)):
        follower.poll()
    shown = lines(counts)
    assert shown['trunkline_pull_failures_total{tenant="acme"}'] == 1
    assert 'trunkline_pull_failures_total{tenant="_policy"}' not in shown
