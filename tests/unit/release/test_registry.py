"""A store that is a registry, Debian's docker-registry: what holds for a folder holds there."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from docker_registry import PASSWORD, USER, DockerRegistry
from faulty_proxy import Fault, FaultyProxy
from shop import NOW

from trunkline.failure import FatalError
from trunkline.release.claim import Claim, Tempo
from trunkline.release.publish import Publication
from trunkline.release.registry_store import RegistryStore
from trunkline.release.transport import HttpTransport
from trunkline_runtime.failure import Refused
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.pull import Pulled, pull
from trunkline_runtime.release.store import open_source
from trunkline_runtime.release.verify import verify
from trunkline_runtime.table.exclusive import Busy
from trunkline_runtime.table.registry import reading, writing
from trunkline_runtime.table.registry.address import read_address
from trunkline_runtime.table.registry.failure import Nonsense
from trunkline_runtime.table.registry.session import Session


@pytest.fixture
def at(shop: Any, registry: str) -> Any:
    """The shop, with its store in the registry."""
    shop.place = registry
    return shop


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def fetch(shop: Any, cache: Path, tag: str | None = None) -> Pulled:
    return pull(shop.source, cache, "acme", tag, NOW, ())


def goodbye(cache: Path) -> str:
    table = current_release(cache, "acme", ()).tables["bill"]
    return str(table.document["nodes"]["bye"]["say"])


def made(publication: Publication) -> dict[str, str]:
    rows = [publication.policy, *publication.releases] if publication.policy else []
    return {row.name: row.tag for row in rows if row is not None and row.new}


def state(shop: Any) -> dict[str, str]:
    """What each tag of each tenant names in the registry."""
    source = shop.source
    return {
        f"{name}:{tag}": source.find(name, tag).digest
        for name in ("_policy", "acme", "birch")
        for tag in source.tags(name)
    }


def test_a_registry_holds_what_a_folder_holds(at: Any, tmp_path: Path) -> None:
    assert made(at.publish()) == {"_policy": "v1", "acme": "v1", "birch": "v1"}
    in_registry = state(at)
    at.place = str(tmp_path / "folder")
    at.publish()
    assert in_registry == state(at)  # signatures aside, the same bytes under the same tags


def test_a_release_is_pulled_and_only_what_changed_is_fetched(at: Any, cache: Path) -> None:
    at.publish()
    assert fetch(at, cache).moved.blobs == 14
    assert fetch(at, cache).moved.blobs == 0
    at.say("acme", "Bye.")
    assert made(at.publish()) == {"acme": "v2"}
    assert fetch(at, cache).moved.blobs == 5  # manifest, config, one table; set and channel
    assert goodbye(cache) == "Bye."


def test_what_is_unchanged_writes_nothing(at: Any, proxy: FaultyProxy) -> None:
    at.place = at.place.replace(read_address(at.place).host, proxy.host)
    at.publish()
    proxy.lines()
    assert made(at.publish()) == {}
    writes = [line for line in proxy.lines() if line.split()[0] in ("PUT", "POST", "PATCH")]
    assert all("/trunkline_publish/" in line for line in writes)  # its own claim


def test_everything_in_a_registry_verifies(at: Any) -> None:
    at.publish()
    at.say("acme", "Bye.")
    at.publish()
    found = [(each.name, each.tag, each.faults) for each in verify(at.source, None, None, (), NOW)]
    assert found == [
        ("_policy", "v1", ()),
        ("_policy", "channel newest", ()),
        ("acme", "v1", ()),
        ("acme", "v2", ()),
        ("acme", "channel stable", ()),
        ("birch", "v1", ()),
        ("birch", "channel stable", ()),
    ]


def test_a_poll_that_finds_nothing_new_is_one_request_without_a_body(
    at: Any, proxy: FaultyProxy
) -> None:
    at.publish()
    source = open_source(at.place.replace(read_address(at.place).host, proxy.host))
    first = source.find("acme", "channels")
    proxy.lines()
    assert source.find("acme", "channels") == first
    (seen,) = proxy.seen
    assert (seen.status, seen.if_none_match) == (304, f'"{first.digest}"')
    at.say("acme", "Bye.")
    at.publish()
    assert source.find("acme", "channels") != first


def test_a_tag_is_never_moved(
    at: Any, registry: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who minds no claim puts a v2 between our look and our write."""
    at.publish()
    session = Session(HttpTransport(), read_address(registry))
    repository = session.address.repository("acme")
    found = reading.manifest(session, repository, "v1")
    assert isinstance(found, reading.Found)
    write = RegistryStore.write

    def late(self: RegistryStore, name: str, *arguments: Any) -> None:
        if name == "acme":
            writing.put_manifest(session, repository, "v2", found.data)
        write(self, name, *arguments)

    monkeypatch.setattr(RegistryStore, "write", late)
    at.say("acme", "Bye.")
    with pytest.raises(FatalError, match="v2 is there already, and a tag never moves"):
        at.publish()
    assert state(at)["acme:v2"] == state(at)["acme:v1"] == found.named.digest
    assert fetch(at, cache).tag == "v1"


@contextmanager
def a_publish_under_way(registry: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds its claim until it is killed."""
    script = (
        "import sys, time\n"
        "from trunkline.release.open_store import open_store\n"
        "with open_store(sys.argv[1]).writing():\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, registry], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.wait()


def test_of_two_publishes_one_wins_and_the_other_changes_nothing(at: Any, registry: str) -> None:
    at.publish()
    before = state(at)
    at.say("acme", "Bye.")
    with a_publish_under_way(registry) as other:
        with pytest.raises(Busy):
            at.publish()
        assert state(at) == before
        other.send_signal(signal.SIGKILL)
        other.wait()
        # Its claim is still there, and its process is not.
        assert made(at.publish()) == {"acme": "v2"}


def test_two_that_begin_together_do_not_both_go_on(registry: str) -> None:
    held = threading.Semaphore(1)
    results: list[str] = []

    def publish() -> None:
        session = Session(HttpTransport(), read_address(registry))
        try:
            with Claim(session).held():
                assert held.acquire(blocking=False), "two publishes hold the registry"
                time.sleep(0.3)
                held.release()
                results.append("won")
        except Busy:
            results.append("lost")

    threads = [threading.Thread(target=publish) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert "won" in results


def test_a_registry_that_loses_its_thread_is_asked_again(
    registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where claims come and go at once, docker's registry now and then answers 400."""
    put, answers = writing.put_manifest, iter([Nonsense("400 DIGEST_INVALID")] * 2)

    def confused(*arguments: Any) -> None:
        for answer in answers:
            raise answer
        put(*arguments)

    monkeypatch.setattr(writing, "put_manifest", confused)
    with Claim(Session(HttpTransport(), read_address(registry))).held():
        pass
    monkeypatch.setattr(writing, "put_manifest", lambda *arguments: _refuse())
    claim = Claim(Session(HttpTransport(), read_address(registry)))
    with pytest.raises(Nonsense), claim.held():
        pass


def _refuse() -> None:
    raise Nonsense("it answers with 400")


def test_a_claim_of_another_machine_counts_as_long_as_it_is_renewed(
    registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tempo = Tempo(lease=0.8, renew=0.1, look=0.05)
    address = read_address(registry)
    monkeypatch.setattr("trunkline.release.claim._machine", lambda: "elsewhere")
    other = Claim(Session(HttpTransport(), address), tempo)
    monkeypatch.undo()
    with other.held():
        mine = Claim(Session(HttpTransport(), address), tempo)
        with pytest.raises(Busy), mine.held():
            pass
        other._done.set()  # as if it had been killed: nothing is renewed and nothing withdrawn
        began = time.monotonic()
        with Claim(Session(HttpTransport(), address), tempo).held():
            assert time.monotonic() - began > tempo.lease * 0.5
    with Claim(Session(HttpTransport(), address), tempo).held():
        pass


def test_a_claim_that_can_not_be_renewed_stops_the_publish(
    registry: str, proxy: FaultyProxy
) -> None:
    address = read_address(registry.replace(read_address(registry).host, proxy.host))
    claim = Claim(Session(HttpTransport(), address), Tempo(lease=0.4, renew=0.05))
    with claim.held():
        claim.check()
        with proxy.failing(Fault("PUT .*claim-", status=400)):
            time.sleep(0.6)
            with pytest.raises(FatalError, match="could not be reached for too long"):
                claim.check()


def test_a_registry_that_deletes_nothing_is_published_to(
    shop: Any, registry_folder: Path, cache: Path
) -> None:
    own = DockerRegistry(registry_folder, deletes=False).start()
    try:
        shop.place = f"oci://{own.host}/fleet"
        shop.publish()
        shop.say("acme", "Bye.")
        assert made(shop.publish()) == {"acme": "v2"}
        assert fetch(shop, cache).tag == "v2"
    finally:
        own.kill()


def test_a_publish_killed_at_any_write_leaves_the_old_or_the_new(
    at: Any, proxy: FaultyProxy, registry: str, tmp_path: Path
) -> None:
    """Killed after a write, further on each time; the next run ends what was begun."""
    proxied = registry.replace(read_address(registry).host, proxy.host)
    at.change(policy={})
    at.tenants = ["acme"]
    at.publish()
    allowed = {"v1": "Goodbye."}
    for step in range(1, 200, 1 if "TRUNKLINE_KILLS" in os.environ else 3):
        word = f"Bye {step}."
        at.say("acme", word)
        at.place = proxied
        if _ends(at.publish, proxy, step):
            break
        at.place = registry
        cache = tmp_path / f"cache-{step}"
        pulled = fetch(at, cache)
        # The old release, or the whole of the new one.
        assert goodbye(cache) in (allowed.get(pulled.tag, word), word)
        at.publish()
        newest = fetch(at, cache)
        assert goodbye(cache) == word
        allowed[newest.tag] = word
        faults = [v.faults for v in verify(at.source, "acme", None, (), NOW) if v.faults]
        assert faults == []
    assert step > 10


def _ends(publish: Callable[[], object], proxy: FaultyProxy, step: int) -> bool:
    """Runs a publish in a child that is killed when it has written for the `step`-th time."""
    child = os.fork()
    if child == 0:
        try:
            publish()
        finally:
            os._exit(0)
    proxy.lines()
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        with proxy.lock:
            writes = sum(1 for each in proxy.seen if each.line.split()[0] in ("PUT", "POST"))
        if writes >= step:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False
        time.sleep(0.001)
    return True


def test_names_and_passwords(
    shop: Any, registry_folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    caplog.set_level("DEBUG")
    own = DockerRegistry(registry_folder, login=True).start()
    try:
        shop.place = f"oci://{own.host}/fleet"
        docker = registry_folder / "docker"
        docker.mkdir()
        monkeypatch.setenv("DOCKER_CONFIG", str(docker))
        with pytest.raises(FatalError, match="wants to know who asks: run `docker login"):
            shop.publish()
        monkeypatch.setenv("TRUNKLINE_REGISTRY_USER", USER)
        monkeypatch.setenv("TRUNKLINE_REGISTRY_PASSWORD", PASSWORD)
        shop.publish()
        monkeypatch.delenv("TRUNKLINE_REGISTRY_USER")
        monkeypatch.delenv("TRUNKLINE_REGISTRY_PASSWORD")
        with pytest.raises(Refused, match="wants to know who asks"):
            fetch(shop, cache)
        (docker / "config.json").write_text(
            json.dumps({"auths": {own.host: {"username": USER, "password": "wrong"}}})
        )
        with pytest.raises(Refused, match="refuses these credentials"):
            fetch(shop, cache)
        (docker / "config.json").write_text(
            json.dumps({"auths": {own.host: {"username": USER, "password": PASSWORD}}})
        )
        assert fetch(shop, cache).tag == "v1"
    finally:
        own.kill()
    assert PASSWORD not in caplog.text
    assert b64encode(f"{USER}:{PASSWORD}".encode()).decode() not in caplog.text


def test_a_channel_expires_in_a_registry_too(at: Any, cache: Path) -> None:
    at.publish()
    fetch(at, cache)
    late = NOW + timedelta(days=31)
    with pytest.raises(Refused, match="expired on 2026-12-31 15:00 UTC; publishing again renews"):
        pull(at.source, cache, "acme", None, late, ())
    at.now = late
    assert made(at.publish()) == {}
    assert pull(at.source, cache, "acme", None, late, ()).tag == "v1"
