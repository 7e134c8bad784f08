"""Bad networks and bad registries: nothing bad is ever used, nothing good is lost."""

import os
import random
import shutil
import signal
import subprocess
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from docker_registry import DockerRegistry
from faulty_proxy import Fault, FaultyProxy
from shop import NOW, new_shop

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.pull import Pulled, pull
from trunkline_runtime.release.registry_source import RegistrySource
from trunkline_runtime.release.source import FolderSource, Source
from trunkline_runtime.release.transport import HttpTransport
from trunkline_runtime.release.unavailable import Unavailable
from trunkline_runtime.release.verify import verify
from trunkline_runtime.table.artifact import Descriptor
from trunkline_runtime.table.registry.address import read_address
from trunkline_runtime.table.registry.session import Patience, Session

HASTY = Patience(tries=3, pause=0.01, wait=0.5, allowance=0.3, slowest=4096)


@dataclass(frozen=True)
class Prepared:
    """A store in a registry that holds v1 and v2 of acme, and a cache that took v1."""

    registry: str
    cache: Path


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, docker_registry: DockerRegistry) -> Prepared:
    folder = tmp_path_factory.mktemp("prepared")
    shop = new_shop(folder)
    shop.place = f"oci://{docker_registry.host}/faults"
    shop.publish()
    pull(shop.source, folder / "cache", "acme", None, NOW, ())
    shop.say("acme", "Bye. " * 20_000)
    shop.publish()
    return Prepared(shop.place, folder / "cache")


@pytest.fixture
def cache(prepared: Prepared, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared.cache, tmp_path / "cache"))


def hasty(address: str, seconds: float = 0.5) -> RegistrySource:
    return RegistrySource(Session(HttpTransport(seconds), read_address(address), HASTY))


@pytest.fixture
def fetch(prepared: Prepared, proxy: FaultyProxy, cache: Path) -> Callable[[], Pulled]:
    """Pulls acme through the proxy, with little patience."""
    host = read_address(prepared.registry).host

    def run() -> Pulled:
        source = hasty(prepared.registry.replace(host, proxy.host))
        return pull(source, cache, "acme", None, NOW, ())

    return run


def current(cache: Path) -> str:
    """The release that calls would take, proven from disk."""
    return current_release(cache, "acme", ()).tag


TABLE = r"GET /v2/.*/acme/blobs/"
CHANNELS = r"GET /v2/.*/acme/manifests/channels"
MANIFEST = r"GET /v2/.*/acme/manifests/v2"

FAULTS = {
    "cut off in the middle of a blob": (Fault(TABLE, cut=50), "can't be reached"),
    "cut off in the middle of a manifest": (Fault(MANIFEST, cut=50), "can't be reached"),
    "truncated blob": (Fault(TABLE, truncate=50), "is cut off: it has 50 of"),
    "truncated manifest": (Fault(MANIFEST, truncate=50), "was pointed at sha256:"),
    "truncated channels": (Fault(CHANNELS, truncate=50), "channels of acme can't be read"),
    "empty blob": (Fault(TABLE, truncate=0), "is cut off: it has 0 of"),
    "altered blob": (Fault(TABLE, alter=7), "was altered|is refused: it holds|can't be read"),
    "altered manifest": (Fault(MANIFEST, alter=90), "was pointed at sha256:"),
    "altered channels": (Fault(CHANNELS, alter=90), "of acme"),
    "401": (Fault("/acme/", status=401), "wants to know who asks"),
    "403": (Fault("/acme/", status=403), "wants to know who asks"),
    "404 for a blob": (Fault(TABLE, status=404), "is missing"),
    "404 for a release": (Fault(MANIFEST, status=404), "the store holds no acme:v2"),
    "404 for the channels": (Fault(CHANNELS, status=404), "are gone from the store"),
    "429": (Fault("/acme/", status=429, headers={"retry-after": "600"}), "left alone for 600 s"),
    "503": (Fault("/acme/", status=503, headers={"retry-after": "600"}), "left alone for 600 s"),
    "500": (Fault("/acme/", status=500), "answers with 500"),
    "502": (Fault("/acme/", status=502), "answers with 502"),
    "418": (Fault(TABLE, status=418), "answers for the blob"),
    "a page of a captive portal": (
        Fault(CHANNELS, status=200, body=b"<html>Welcome to our hotel"),
        "channels of acme can't be read",
    ),
    "a blob of another place": (
        Fault(TABLE, status=200, body=b"x" * 200_000),
        "is longer than the",
    ),
    "bytes in drops": (Fault(TABLE, piece=20, pause=0.05), "is too slow"),
    "no answer": (Fault(TABLE, hang=1.2), "gave no answer in time"),
    "no login of a known kind": (
        Fault("/acme/", status=401, headers={"www-authenticate": "Digest realm=x"}),
        "a login of an unknown kind",
    ),
    "a login at an unsafe place": (
        Fault(
            "/acme/", status=401, headers={"www-authenticate": 'Bearer realm="http://192.0.2.1/"'}
        ),
        "a place that is not safe",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_changes_nothing_and_the_next_pull_goes_on(
    fetch: Any, proxy: FaultyProxy, cache: Path, name: str
) -> None:
    fault, said = FAULTS[name]
    fault.times = 1_000_000
    with proxy.failing(fault), pytest.raises(Exception, match=said) as caught:
        fetch()
    assert caught.type.__name__ in ("Refused", "Unavailable", "FatalError")
    assert str(caught.value).count("\n") == 0
    assert current(cache) == "v1"
    assert not list(cache.rglob("*.partial"))
    assert fetch().tag == "v2"
    assert current(cache) == "v2"


@pytest.mark.parametrize(
    "fault",
    [
        Fault("/acme/", times=2, status=500),
        Fault("/acme/", times=2, status=429, headers={"retry-after": "0"}),
        Fault("/acme/", times=1, status=503),
        Fault("/acme/manifests/", times=2, hang=0.7),
    ],
    ids=["500", "429", "503", "hang"],
)
def test_what_passes_by_itself_is_waited_out(fetch: Any, proxy: FaultyProxy, fault: Fault) -> None:
    with proxy.failing(fault):
        assert fetch().tag == "v2"


def test_retry_after_is_kept_to(fetch: Any, proxy: FaultyProxy) -> None:
    fault = Fault("/acme/tags/list", times=1, status=429, headers={"retry-after": "1"})
    with proxy.failing(fault), pytest.raises(Unavailable) as caught:
        fetch()  # more than this session waits for
    assert caught.value.seconds == 1
    date = {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}
    with proxy.failing(Fault("/acme/tags/list", times=1, status=429, headers=date)):
        assert fetch().tag == "v2"  # a date that has passed


class Killing:
    """A source whose registry is killed when the first piece of a large blob has come."""

    def __init__(self, source: Source, registry: DockerRegistry) -> None:
        self._source = source
        self._registry = registry

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def blob(self, name: str, wanted: Descriptor) -> Iterator[bytes]:
        for piece in self._source.blob(name, wanted):
            yield piece
            if wanted.size > 1_000_000:
                self._registry.kill()


def test_a_registry_killed_in_the_middle_of_a_blob(registry_folder: Path, tmp_path: Path) -> None:
    own = DockerRegistry(registry_folder).start()
    cache = tmp_path / "cache"
    try:
        shop = new_shop(tmp_path)
        shop.place = f"oci://{own.host}/fleet"
        shop.publish()
        pull(shop.source, cache, "acme", None, NOW, ())
        shop.say("acme", "Bye. " * 3_000_000)  # more than the buffers between them hold
        shop.publish()
        with pytest.raises(Unavailable, match="can't be reached"):
            pull(Killing(hasty(shop.place), own), cache, "acme", None, NOW, ())
        assert current(cache) == "v1"
        own.start()
        assert pull(hasty(shop.place), cache, "acme", None, NOW, ()).tag == "v2"
    finally:
        own.kill()


@contextmanager
def small_disk(path: Path, size: str) -> Iterator[None]:
    """A disk of this size at `path`. Without the right to mount one, the test is passed over."""
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small disk needs root; limited files are tested elsewhere")
    try:
        yield
    finally:
        subprocess.run(["umount", str(path)], check=True)


def test_a_disk_that_is_full(prepared: Prepared, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "1m"):
        small = Path(shutil.copytree(prepared.cache, tmp_path / "disk" / "cache"))

        def again() -> Pulled:
            return pull(hasty(prepared.registry), small, "acme", None, NOW, ())

        filler = tmp_path / "disk" / "filler"
        for left in (0, 4_096, 12_288, 60_000, 100_000):
            filler.write_bytes(b"x" * (shutil.disk_usage(small).free - left))
            with pytest.raises(Unavailable, match="can't be written: No space left on device"):
                again()
            assert current(small) == "v1"
            assert not list(small.rglob("*.partial"))
            filler.unlink()
        assert again().tag == "v2"


def _killed(action: Callable[[], object], after: float) -> None:
    """Runs `action` in a child and kills it after so many seconds."""
    child = os.fork()
    if child == 0:
        _run_and_leave(action)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _run_and_leave(action: Callable[[], object]) -> NoReturn:
    try:
        action()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def kills(fetch: Callable[[], Pulled], cache: Path, turns: int, seed: int) -> set[str]:
    """Pulls that are killed at random moments; which release was current after each."""
    before = cache.with_name("before")
    shutil.copytree(cache, before)
    began = time.monotonic()
    fetch()
    whole = (time.monotonic() - began) * 1.2
    moments, seen = random.Random(seed), set()
    for _ in range(turns):
        shutil.rmtree(cache)
        shutil.copytree(before, cache)
        _killed(fetch, moments.uniform(0, whole))
        seen.add(current(cache))
        verdicts = verify(FolderSource(cache), None, None, (), NOW)
        assert [verdict.faults for verdict in verdicts if verdict.faults] == []
        assert fetch().tag == "v2"
        found = held(cache, "acme")
        assert found is not None
        assert found.tag == current(cache) == "v2"
        assert not list(cache.rglob("*.partial"))
    return seen


def test_killed_at_random_moments_of_a_pull_from_a_registry(fetch: Any, cache: Path) -> None:
    turns = int(os.environ.get("TRUNKLINE_KILLS", "5"))
    assert kills(fetch, cache, turns, seed=20261201) <= {"v1", "v2"}


def test_what_the_registry_says_of_itself_is_not_believed(
    fetch: Any, proxy: FaultyProxy, cache: Path
) -> None:
    """A right digest in a header does not make bytes right."""
    lie = {
        "docker-content-digest": "sha256:" + "0" * 64,
        "etag": '"sha256:' + "0" * 64 + '"',
        "content-type": "application/vnd.oci.image.manifest.v1+json",
    }
    body = b'{"schemaVersion":2}'
    with (
        proxy.failing(Fault(CHANNELS, status=200, headers=lie, body=body)),
        pytest.raises(Refused, match="channels of acme can't be read"),
    ):
        fetch()
    assert current(cache) == "v1"


def test_killed_at_random_moments_of_a_publish_to_a_registry(
    docker_registry: DockerRegistry, tmp_path: Path
) -> None:
    """A reader sees the old release or the new one; the next run ends what was begun."""
    shop = new_shop(tmp_path)
    shop.place = f"oci://{docker_registry.host}/killed-{os.getpid()}"
    shop.change(policy={})
    shop.tenants = ["acme"]
    shop.publish()
    began = time.monotonic()
    shop.publish()
    whole = (time.monotonic() - began) * 4
    moments, words = random.Random(20261202), {"v1": "Goodbye."}
    for turn in range(int(os.environ.get("TRUNKLINE_KILLS", "5"))):
        new = f"Bye {turn}."
        shop.say("acme", new)
        _killed(shop.publish, moments.uniform(0, whole))
        for _ in range(2):
            cache = tmp_path / f"cache-{turn}"
            tag = pull(hasty(shop.place), cache, "acme", None, NOW, ()).tag
            said = current_release(cache, "acme", ()).tables["bill"].document["nodes"]["bye"]["say"]
            assert said == words.setdefault(tag, new)
            shop.publish()
        assert words[tag] == new
        shutil.rmtree(cache)
