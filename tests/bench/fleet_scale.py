"""Releases at scale, over Debian's docker-registry on loopback: each figure beside its floor.

`.venv/bin/python tests/bench/fleet_scale.py [FLOWS] [TENANTS] [SECONDS]` (1000, 1000 and 20 unless
it is said). Wall time depends on who else uses the machine, so processor time of this process
stands beside it; what the registry itself takes is in neither.
"""

import gc
import hashlib
import itertools
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]
sys.path.insert(0, str(TOP / "tests" / "fleet"))

import httpx  # noqa: E402 - the fleet's folder must be known first
from docker_registry import DockerRegistry  # noqa: E402
from shop import NOW, HandMade, Shop, tenant  # noqa: E402

from trunkline.compile import compile_repository  # noqa: E402
from trunkline.release.signing import Signing  # noqa: E402
from trunkline_runtime.call.rehearsal import Rehearsal  # noqa: E402
from trunkline_runtime.release.board import PinBoard  # noqa: E402
from trunkline_runtime.release.follower import Follower  # noqa: E402
from trunkline_runtime.release.pace import Pace  # noqa: E402
from trunkline_runtime.table.artifact import MANIFEST_TYPE  # noqa: E402
from trunkline_runtime.table.trust.keys import new_key  # noqa: E402

MB = 1e6


def main(flows: int, tenants: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        registry = DockerRegistry(folder / "registry").start()
        try:
            one_tenant(folder / "one", registry, flows)
            many_tenants(folder / "many", registry, tenants)
            pins(folder / "pins", registry, seconds)
        finally:
            registry.kill()


@contextmanager
def timed(what: str, note: Callable[[], str] = lambda: "") -> Iterator[None]:
    gc.collect()
    began, worked = time.perf_counter(), time.process_time()
    yield
    took, worked = time.perf_counter() - began, time.process_time() - worked
    print(f"  {what:<58} {took:7.2f} s  ({worked:6.2f} s of processor)  {note()}", flush=True)


def one_tenant(folder: Path, registry: DockerRegistry, flows: int) -> None:
    """A tenant with many real flows: published, pulled, and one of them changed."""
    shop = real_shop(folder, flows)
    shop.place = f"oci://{registry.host}/one"
    nodes = sum(len(table["nodes"]) for table in shop.compiled.tables.values())
    print(f"A tenant with {flows:,} flows of {nodes / flows:.0f} nodes, signed")
    with timed("published first"):
        shop.publish()
    cache, keys = folder / "cache", [shop.signing.signer.public_key]
    before = resident()
    board = PinBoard()
    follower = Follower(shop.source, cache, board, ["acme"], keys=keys, clock=lambda: NOW)
    with timed("pulled, proven, loaded, self-tested, swapped in"):
        follower.poll()
    first = board.current("acme")
    assert first is not None
    floors(registry, "one/acme", cache)
    size = resident() - before
    print(
        f"  memory of the loaded release: {size / MB:.0f} MB ({size / flows / 1e3:.0f} kB a flow)"
    )
    held = [board.take("acme", f"flow-{n % flows}", f"call-{n}") for n in range(10_000)]
    print(f"  … with 10,000 calls pinned to it: {(resident() - before) / MB:.0f} MB")
    with timed("rehearsed: each expression compiled, each agent built"):
        assert list(Rehearsal()(first)) == []
    with timed("restored from disk by a second process's follower"):
        other = PinBoard()
        Follower(shop.source, cache, other, ["acme"], keys=keys, clock=lambda: NOW).restore()
        assert other.current("acme") is not None
    del other
    say(shop, "flow-0", "Something else.")
    with timed("published with one flow changed"):
        shop.publish()
    blobs = count(cache)
    before = resident()
    with timed("followed", lambda: f"{count(cache) - blobs} blobs came (table, config, …)"):
        follower.poll()
    second = board.current("acme")
    assert second is not None
    assert second.tag == "v2"
    shared = sum(second.tables[flow] is first.tables[flow] for flow in first.tables)
    print(f"  tables shared with the release before: {shared:,} of {flows:,};", end=" ")
    print(f"memory more: {(resident() - before) / MB:.1f} MB")
    with timed("polled with nothing new"):
        follower.poll()
    for pin in held:
        board.drop(pin)


def floors(registry: DockerRegistry, repository: str, cache: Path) -> None:
    """What nobody can do without: the bytes hashed, and fetched one after the other."""
    paths = list((cache / "acme/blobs/sha256").iterdir())
    data = [path.read_bytes() for path in paths]
    size = sum(map(len, data))
    with timed(f"floor: {len(data):,} blobs of {size / MB:.1f} MB hashed"):
        for each in data:
            hashlib.sha256(each).hexdigest()
    with (
        httpx.Client(base_url=f"http://{registry.host}") as client,
        timed("floor: as many blobs fetched, one after the other"),
    ):
        for path in paths:
            client.get(f"/v2/{repository}/blobs/sha256:{path.name}")


def many_tenants(folder: Path, registry: DockerRegistry, tenants: int) -> None:
    """Many small tenants, followed by one process."""
    names = [f"tenant-{n}" for n in range(tenants)]
    shop = small_shop(folder, names)
    shop.place = f"oci://{registry.host}/many"
    print(f"{tenants:,} tenants with one flow each")
    with timed("published first"):
        shop.publish()
    with timed("published with nothing new"):
        shop.publish()
    before = resident()
    board = PinBoard()
    follower = Follower(shop.source, folder / "cache", board, names, keys=(), clock=lambda: NOW)
    with timed("followed for the first time"):
        follower.poll()
    print(f"  memory of all of them: {(resident() - before) / MB:.0f} MB")
    assert all(board.current(name) is not None for name in names)
    with timed("polled with nothing new, 8 at a time"):
        follower.poll()
    bare_polls(registry, "many", names)
    shop.compiled = replace(
        shop.compiled, tables={**shop.compiled.tables, **spoken("tenant-7", "Bye.")}
    )
    shop.tenants = ["tenant-7"]
    shop.publish()
    with timed("polled with one tenant changed"):
        follower.poll()
    changed = board.current("tenant-7")
    assert changed is not None
    assert changed.tag == "v2"


def bare_polls(registry: DockerRegistry, prefix: str, names: list[str]) -> None:
    with httpx.Client(base_url=f"http://{registry.host}") as client:

        def ask(name: str) -> None:
            path = f"/v2/{prefix}/{name}/manifests/channels"
            headers = {"accept": MANIFEST_TYPE, "if-none-match": marks[name]}
            assert client.get(path, headers=headers).status_code == 304

        marks = {}
        for name in names:
            path = f"/v2/{prefix}/{name}/manifests/channels"
            marks[name] = client.head(path, headers={"accept": MANIFEST_TYPE}).headers["etag"]
        what = "floor: as many bare requests that answer 304, 8 at a time"
        with timed(what), ThreadPoolExecutor(8) as pool:
            list(pool.map(ask, names))


def pins(folder: Path, registry: DockerRegistry, seconds: float) -> None:
    """Calls begin and end without a pause while a release a second comes in."""
    names = [f"flow-{n}" for n in range(20)]
    shop = small_shop(folder, ["acme"], names)
    shop.place = f"oci://{registry.host}/pins"
    shop.publish()
    board, stop = PinBoard(), threading.Event()
    follower = Follower(shop.source, folder / "cache", board, ["acme"], keys=(), clock=lambda: NOW)
    follower.poll()
    mixed, taken, seen = [], itertools.count(), set()

    def call(seed: int) -> None:
        chance = random.Random(seed)
        while not stop.is_set():
            with board.held("acme", chance.choice(names), f"call-{next(taken)}") as pin:
                words = {pin.release.tables[name].document["nodes"]["bye"]["say"] for name in names}
                seen.add(pin.tag)
                # Every flow of a release says which release it is of.
                if words != {f"This is {pin.tag}."}:
                    mixed.append((pin.tag, words))
            time.sleep(0.001)

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(8)]
    threads.append(threading.Thread(target=follower.run, args=(stop, Pace(0.5), lambda: None)))
    for thread in threads:
        thread.start()
    until, version = time.monotonic() + seconds, 1
    while time.monotonic() < until:
        began, version = time.monotonic(), version + 1
        for name in names:
            shop.compiled = replace(
                shop.compiled,
                tables={**shop.compiled.tables, **spoken("acme", f"This is v{version}.", name)},
            )
        shop.publish()
        time.sleep(max(0.0, 1 - (time.monotonic() - began)))
    stop.set()
    for thread in threads:
        thread.join()
    count_taken = next(taken)
    print(f"{count_taken:,} pins taken and dropped in {seconds:.0f} s while {version - 1} releases")
    print(f"  came in; {len(seen)} of them were seen by calls; mixed: {len(mixed)}")
    left = [(row.release.tag, row.calls) for row in board.standings()]
    print(f"  held at the end: {left}")
    if mixed or count_taken < 10_000 or len(left) != 1:
        sys.exit("a call saw a mix, or a release was not let go of")


def real_shop(folder: Path, flows: int) -> Shop:
    """One tenant with copies of the starter tenants' largest flow, each a little different."""
    compiled = compile_repository(TOP)
    (owner, _), table = max(compiled.tables.items(), key=lambda item: len(item[1]["nodes"]))
    settings = {**compiled.tenants[owner], "id": "acme", "inbound": {}}
    tables = {}
    for n in range(flows):
        nodes = dict(table["nodes"])
        end = next(name for name, node in nodes.items() if node.get("kind") == "end")
        nodes[end] = {**nodes[end], "say": f"Goodbye from flow {n}."}
        tables["acme", f"flow-{n}"] = {
            **table,
            "tenant": "acme",
            "flow": f"flow-{n}",
            "nodes": nodes,
        }
    made = HandMade(
        tables,
        compiled.entries,
        {"acme": settings},
        compiled.policy,
        compiled.facts,
        compiled.outcomes,
    )
    folder.mkdir(parents=True)
    signer = new_key()[1]
    signing = Signing(signer, (signer.public_key,))
    return Shop(folder, folder / "store", made, tenants=["acme"], signing=signing)


def say(shop: Shop, flow: str, words: str) -> None:
    table = shop.compiled.tables["acme", flow]
    end = next(name for name, node in table["nodes"].items() if node.get("kind") == "end")
    nodes = {**table["nodes"], end: {**table["nodes"][end], "say": words}}
    shop.change(tables={**shop.compiled.tables, ("acme", flow): {**table, "nodes": nodes}})


def small_shop(folder: Path, tenants: list[str], flows: list[str] | None = None) -> Shop:
    tables: dict[tuple[str, str], Any] = {}
    for name in tenants:
        for flow in flows or ["bill"]:
            tables |= spoken(name, "This is v1.", flow)
    settings = {name: {**tenant(name), "inbound": {}, "connections": {}} for name in tenants}
    folder.mkdir(parents=True)
    return Shop(folder, folder / "store", HandMade(tables, {}, settings, {}), tenants=tenants)


def spoken(owner: str, words: str, flow: str = "bill") -> dict[tuple[str, str], Any]:
    """A flow of one node that says these words."""
    nodes = {"bye": {"kind": "end", "say": words, "outcome": "no_action"}}
    document = {
        "schema": "trunkline/node-table/v1",
        "tenant": owner,
        "flow": flow,
        "direction": "inbound",
        "language": "en-US",
        "start": "bye",
        "nodes": nodes,
        "tools": {},
    }
    return {(owner, flow): document}


def count(cache: Path) -> int:
    return sum(1 for _ in (cache / "acme/blobs/sha256").iterdir())


def resident() -> int:
    """Bytes of memory that this process has now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    given = [float(each) for each in sys.argv[1:]]
    flows_, tenants_, seconds_ = (*given, *(1000, 1000, 20)[len(given) :])
    main(int(flows_), int(tenants_), seconds_)
