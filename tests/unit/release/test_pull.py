"""A pull: what it fetches, what it makes current, and that a refused one changes nothing."""

import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.cache import current_policy, current_release
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.loaded import Pin
from trunkline_runtime.release.pull import Pulled, pull
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.table.canonical import digest

NOW = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)
LAYERS = [
    "manifest",
    "config",
    "flows/bill.json",
    "tools/billing/get_invoice.json",
    "catalog/facts.json",
    "catalog/outcomes.json",
    "tenant.json",
]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def fetch(shop: Any, cache: Path) -> Callable[..., Pulled]:
    """Pulls acme from the shop's store into the cache."""

    def run(tag: str | None = None, tenant: str = "acme", now: datetime = NOW) -> Pulled:
        return pull(shop.source, cache, tenant, tag, now)

    return run


def goodbye(cache: Path) -> str:
    """What the current release of acme says at its end."""
    words: str = current_release(cache, "acme").tables["bill"].document["nodes"]["bye"]["say"]
    return words


def current_tag(cache: Path, name: str) -> str | None:
    found = held(cache, name)
    return found.tag if found is not None else None


def test_a_release_is_loaded_as_it_was_published(shop: Any, fetch: Any, cache: Path) -> None:
    published = shop.publish().releases[0]
    fetch()
    release = current_release(cache, "acme")
    assert (release.tag, release.sequence, release.digest) == ("v1", 1, published.digest)
    assert (release.content, release.compiler) == (published.content, "0.1.0")
    assert release.tables["bill"].document == shop.compiled.tables["acme", "bill"]
    assert release.entries == shop.compiled.entries
    assert release.facts == shop.compiled.facts
    assert release.outcomes == shop.compiled.outcomes
    assert release.settings.document == shop.compiled.tenants["acme"]
    pin = Pin(release, "bill")
    assert (pin.digest, pin.tag) == (published.flows["bill"], "v1")


def test_the_policy_comes_with_it(shop: Any, fetch: Any, cache: Path) -> None:
    publication = shop.publish()
    assert fetch().policy_tag == "v1"
    policy = current_policy(cache)
    assert policy is not None
    assert (policy.digest, policy.sequence) == (publication.policy.content, 1)
    assert policy.documents == shop.compiled.policy
    assert current_release(cache, "acme").policy == policy.digest


def test_a_store_without_policy_leaves_none(shop: Any, fetch: Any, cache: Path) -> None:
    shop.change(policy={})
    shop.publish()
    assert fetch().policy_tag is None
    assert current_policy(cache) is None


def test_only_what_is_lacking_is_fetched(shop: Any, fetch: Any) -> None:
    shop.publish()
    first = fetch().moved
    assert (first.blobs, first.held) == (7 + 3 + 4, 0)
    again = fetch().moved
    assert (again.blobs, again.bytes, again.held) == (0, 0, 14)
    shop.say("acme", "Bye.")
    shop.publish()
    newer = fetch().moved
    # its manifest, its config and one table; the channel that moved, and the set of channels
    assert (newer.blobs, newer.held) == (3 + 2, 5 + 2 + 2 + 0)


def test_a_tag_can_be_named_and_gone_back_to(shop: Any, fetch: Any, cache: Path) -> None:
    shop.publish()
    shop.say("acme", "Bye.")
    shop.publish()
    fetch()
    assert goodbye(cache) == "Bye."
    fetch("v1", now=NOW + timedelta(hours=1))
    assert goodbye(cache) == "Goodbye."
    found = held(cache, "acme")
    assert found is not None
    assert (found.tag, found.highest) == ("v1", 2)
    assert found.since == {"v1": NOW + timedelta(hours=1)}
    assert found.left == {"v2": NOW + timedelta(hours=1)}


def test_pulling_what_is_current_does_not_reset_its_age(shop: Any, fetch: Any, cache: Path) -> None:
    shop.publish()
    fetch()
    fetch(now=NOW + timedelta(days=1))
    found = held(cache, "acme")
    assert found is not None
    assert found.since == {"v1": NOW}


def test_a_cache_is_a_store(shop: Any, fetch: Any, cache: Path, tmp_path: Path) -> None:
    shop.publish()
    fetch()
    pull(FolderSource(cache), tmp_path / "second", "acme", None, NOW)
    assert goodbye(tmp_path / "second") == "Goodbye."


@contextmanager
def refused(cache: Path, said: str) -> Iterator[None]:
    """The block is refused with a sentence that holds `said`, and v1 stays in use."""
    with pytest.raises(Refused) as caught:
        yield
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 1
    assert goodbye(cache) == "Goodbye."


@pytest.fixture
def newer(shop: Any, fetch: Any) -> None:
    """v1 is pulled and current; the store then holds v2, all of whose blobs are lacking."""
    shop.publish()
    fetch()
    table = shop.compiled.tables["acme", "bill"]
    tenant = {**shop.compiled.tenants["acme"], "display_name": "Acme Two"}
    entry = shop.compiled.entries["get_invoice"]
    other = type(entry).from_document("billing", {**entry.document, "description": "Look."})
    shop.change(
        tables={("acme", "bill"): {**table, "tools": {"get_invoice": other.digest}}},
        entries={"get_invoice": other},
        tenants={"acme": tenant},
        facts={"invoice_found": {"description": "Two."}},
        outcomes={"no_action": {"description": "Two."}},
    )
    shop.tenants = ["acme"]
    shop.publish()


@pytest.mark.parametrize("title", LAYERS)
def test_one_altered_byte_anywhere_is_refused(
    shop: Any, fetch: Any, cache: Path, newer: None, blob_of: Any, title: str
) -> None:
    blob = blob_of(shop.store / "acme", title)
    data = bytearray(blob.read_bytes())
    data[len(data) // 2] ^= 1
    blob.write_bytes(data)
    with refused(cache, f"blob sha256:{blob.name} of acme"):
        fetch()
    with refused(cache, f"was altered: its bytes have the digest {digest(bytes(data))}"):
        fetch()
    assert not (cache / "acme/blobs/sha256" / blob.name).exists()


@pytest.mark.parametrize("title", LAYERS)
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda blob: blob.unlink(), "is missing"),
        (lambda blob: blob.write_bytes(blob.read_bytes()[:-1]), "is cut off: it has "),
        (lambda blob: blob.write_bytes(b""), "is cut off: it has 0 of "),
        (lambda blob: blob.write_bytes(blob.read_bytes() + b" "), "is longer than the "),
        (lambda blob: (blob.unlink(), blob.mkdir()), "is not a file"),
        (lambda blob: (blob.unlink(), os.mkfifo(blob)), "is not a file"),
    ],
    ids=["missing", "cut", "empty", "longer", "folder", "pipe"],
)
def test_a_blob_that_is_not_all_there_is_refused(
    shop: Any,
    fetch: Any,
    cache: Path,
    newer: None,
    blob_of: Any,
    title: str,
    spoil: Callable[[Path], object],
    said: str,
) -> None:
    blob = blob_of(shop.store / "acme", title)
    spoil(blob)
    with refused(cache, f"blob sha256:{blob.name} of acme"):
        fetch()
    with refused(cache, said):
        fetch()


@pytest.mark.parametrize(
    ("index", "said"),
    [
        (b"", "index.json is not JSON"),
        (b"\xff\xfe", "index.json is not JSON"),
        (b"[" * 100_000, "index.json is not JSON"),
        (b"[]", "not the index of an OCI image layout"),
        (b'{"schemaVersion":2,"manifests":{}}', "not the index of an OCI image layout"),
        (b'{"schemaVersion":2,"manifests":[7]}', "entry 0 of index.json is not a descriptor"),
        (
            b'{"schemaVersion":2,"manifests":[{"mediaType":"a","digest":"../x","size":1}]}',
            "entry 0 of index.json has no sha256 `digest`",
        ),
        (
            b'{"schemaVersion":2,"manifests":[{"mediaType":"a","digest":"sha256:'
            + b"0" * 64
            + b'","size":-1}]}',
            "entry 0 of index.json has no `size` in bytes",
        ),
    ],
)
def test_an_index_that_is_none_is_refused(
    shop: Any, fetch: Any, cache: Path, newer: None, index: bytes, said: str
) -> None:
    (shop.store / "acme/index.json").write_bytes(index)
    with refused(cache, said):
        fetch()


def test_an_index_with_a_tag_twice_is_refused(
    shop: Any, fetch: Any, cache: Path, newer: None
) -> None:
    path = shop.store / "acme/index.json"
    path.write_bytes(path.read_bytes().replace(b'"v1"', b'"v2"'))
    with refused(cache, "lists the tag v2 twice"):
        fetch()


def test_a_lost_index_is_refused(shop: Any, fetch: Any, cache: Path, newer: None) -> None:
    (shop.store / "acme/index.json").unlink()
    with refused(cache, "acme/index.json is missing"):
        fetch()


def test_a_tag_that_moved_is_refused(shop: Any, fetch: Any, cache: Path, newer: None) -> None:
    path = shop.store / "acme/index.json"
    index = path.read_bytes()
    swapped = index.replace(b'"v1"', b'"v9"').replace(b'"v2"', b'"v1"').replace(b'"v9"', b'"v2"')
    path.write_bytes(swapped)
    with refused(cache, "a tag never moves"):
        fetch("v1")


def test_an_older_store_is_refused_unless_the_tag_is_named(
    shop: Any, fetch: Any, cache: Path, newer: None
) -> None:
    fetch()
    old = type(shop)(shop.root, shop.store.with_name("old"), shop.compiled, tenants=["acme"])
    old.publish()
    with pytest.raises(Refused, match=r"stable of acme .* an older state was put back"):
        pull(old.source, cache, "acme", None, NOW)
    assert current_tag(cache, "acme") == "v2"


def test_sound_bytes_that_fail_the_self_test_are_refused(
    shop: Any, fetch: Any, cache: Path, newer: None
) -> None:
    shop.change(tenants={"acme": {**shop.compiled.tenants["acme"], "numbers": {}}})
    shop.publish()
    with refused(cache, "acme v3 can't be used: flow bill: node human transfers to the number"):
        fetch()
    with refused(cache, "acme v3 can't be used"):
        fetch("v3")
    fetch("v2")
    assert current_tag(cache, "acme") == "v2"


def test_a_bad_policy_is_refused_and_with_it_the_release(
    shop: Any, fetch: Any, cache: Path, newer: None, blob_of: Any
) -> None:
    shop.change(policy={"accepted.yaml": {"schema_version": 1, "accepted": []}})
    shop.publish()
    blob = blob_of(shop.store / "_policy", "accepted.yaml")
    blob.write_bytes(b"{}")
    with refused(cache, f"blob sha256:{blob.name} of _policy (accepted.yaml) is cut off"):
        fetch()
    assert current_tag(cache, "_policy") == "v1"


def test_an_older_policy_is_never_gone_back_to(
    shop: Any, fetch: Any, cache: Path, tmp_path: Path
) -> None:
    shop.publish()
    old = (shop.store / "_policy/index.json").read_bytes()
    documents = shop.compiled.policy
    shop.change(policy={**documents, "accepted.yaml": {"schema_version": 1, "accepted": []}})
    shop.publish()
    fetch()
    (shop.store / "_policy/index.json").write_bytes(old)
    for tag in (None, "v1"):
        with pytest.raises(Refused, match="newest of _policy has the sequence 1"):
            fetch(tag)
    assert current_tag(cache, "_policy") == "v2"


@pytest.mark.parametrize(
    ("tenant", "tag", "said"),
    [
        ("nobody", None, "the store holds no tenant 'nobody'; its tenants: acme, birch"),
        ("acme", "v7", "the store holds no acme:v7; its newest is v1"),
        ("acme", "", "the store holds no acme:; its newest is v1"),
        ("acme", "latest", "the store holds no acme:latest; its newest is v1"),
        ("../acme", None, "'../acme' is not the name of a tenant"),
        ("", None, "'' is not the name of a tenant"),
    ],
)
def test_what_does_not_exist_is_wrong_usage(
    shop: Any, fetch: Any, cache: Path, tenant: str, tag: str | None, said: str
) -> None:
    shop.publish()
    with pytest.raises(FatalError) as caught:
        fetch(tag, tenant)
    assert said in str(caught.value)
    assert caught.value.exit_code == 2
    assert not (cache / "acme").exists() or held(cache, "acme") is None


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda store: None, "there is no store at"),
        (lambda store: store.write_text("x"), "there is no store at"),
        (lambda store: store.mkdir(), "is not a store: no folder in it has an `oci-layout` file"),
    ],
)
def test_a_store_that_is_none_is_wrong_usage(
    shop: Any, fetch: Any, cache: Path, make: Callable[[Path], object], said: str
) -> None:
    make(shop.store)
    with pytest.raises(FatalError, match=said) as caught:
        fetch()
    assert caught.value.exit_code == 2
    assert not cache.exists()


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: what a full disk does, where and when we want it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [0, 50, 300, 500, 800, 1300])
def test_a_full_disk_changes_nothing(
    shop: Any, fetch: Any, cache: Path, newer: None, size: int
) -> None:
    with refused(cache, "can't be written: File too large"), files_limited_to(size):
        fetch()
    assert not list(cache.rglob("*.partial"))
    fetch()
    assert current_tag(cache, "acme") == "v2"


@pytest.mark.parametrize("title", LAYERS)
def test_a_damaged_cache_is_not_used_and_the_next_pull_mends_it(
    shop: Any, fetch: Any, cache: Path, blob_of: Any, title: str
) -> None:
    shop.publish()
    fetch()
    blob = blob_of(cache / "acme", title)
    blob.write_bytes(b"x" + blob.read_bytes()[1:])
    with pytest.raises(Refused, match="was altered"):
        current_release(cache, "acme")
    assert fetch().moved.blobs == 1
    assert goodbye(cache) == "Goodbye."


def test_damaged_channels_in_the_cache_are_mended_or_the_pull_says_so(
    shop: Any, fetch: Any, cache: Path
) -> None:
    shop.publish()
    fetch()
    found = held(cache, "acme")
    assert found is not None
    assert found.channels is not None
    blob = cache / "acme/blobs/sha256" / found.channels.digest.removeprefix("sha256:")
    blob.write_bytes(b"x" + blob.read_bytes()[1:])
    assert fetch().moved.blobs == 1
    blob.write_bytes(b"x" + blob.read_bytes()[1:])
    shop.say("acme", "Bye.")
    shop.publish()
    with refused(cache, "nobody can tell whether the store went back; move it away"):
        fetch()


@pytest.mark.parametrize("spoil", ["lose", "garble"])
def test_a_cache_without_its_index_says_what_to_do(
    shop: Any, fetch: Any, cache: Path, spoil: str
) -> None:
    shop.publish()
    fetch()
    index = cache / "acme/index.json"
    index.unlink() if spoil == "lose" else index.write_text("{}")
    for attempt in (fetch, lambda: current_release(cache, "acme")):
        with pytest.raises(Refused, match=r"is damaged .*; move it away and pull"):
            attempt()


def test_nothing_was_pulled_yet(cache: Path) -> None:
    with pytest.raises(
        FatalError, match=r"no release of acme was pulled .* run `trunkline-runtime"
    ):
        current_release(cache, "acme")


def test_a_pin_on_a_flow_that_is_not_there(shop: Any, fetch: Any, cache: Path) -> None:
    shop.publish()
    fetch()
    with pytest.raises(FatalError, match="acme v1 has no flow 'sell'; its flows: bill"):
        Pin(current_release(cache, "acme"), "sell")


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("before", [False, True])
def test_a_pull_of_which_nothing_came_leaves_nothing(
    shop: Any, fetch: Any, cache: Path, before: bool
) -> None:
    """Neither a folder nor a lock of a tag that was mistyped, or of a tenant that is refused."""
    shop.publish()
    if before:
        fetch(None, "birch")
    there = everything(cache) if before else []
    with pytest.raises(FatalError):
        fetch("v7", "acme")
    # The policy was pulled, and is a whole thing by itself.
    left = [path for path in everything(cache) if not path.startswith("_policy")]
    assert left == [path for path in there if not path.startswith("_policy")]


def test_a_first_pull_that_fails_takes_the_folders_above_with_it(shop: Any, tmp_path: Path) -> None:
    shop.publish()
    shutil.rmtree(shop.store / "_policy")
    deep = tmp_path / "var/lib/releases"
    with pytest.raises(FatalError, match="holds no acme:v7"):
        pull(FolderSource(shop.store), deep, "acme", "v7", NOW)
    assert not (tmp_path / "var").exists()


def test_what_was_fetched_before_a_failure_is_kept_for_the_next_pull(
    shop: Any, fetch: Any, cache: Path, blob_of: Any
) -> None:
    shop.publish()
    settings = blob_of(shop.store / "acme", "tenant.json")
    right = settings.read_bytes()
    settings.write_bytes(right[:-1])
    with pytest.raises(Refused):
        fetch()
    assert list((cache / "acme/blobs/sha256").iterdir())
    settings.write_bytes(right)
    assert fetch().moved.held > 0


@pytest.mark.parametrize("inside", ["acme/tenant.yaml", "notes.txt"])
def test_a_folder_that_holds_something_else_is_left_alone(
    shop: Any, tmp_path: Path, inside: str
) -> None:
    shop.publish()
    flows = tmp_path / "flows"
    (flows / inside).parent.mkdir(parents=True)
    (flows / inside).write_text("id: acme\n")
    with pytest.raises(FatalError, match="is no cache of releases: it holds") as caught:
        pull(FolderSource(shop.store), flows, "acme", None, NOW)
    assert caught.value.exit_code == 2
    assert everything(flows) == sorted({inside, *map(str, Path(inside).parents)} - {"."})
    with pytest.raises(FatalError, match="can't be a cache"):
        pull(FolderSource(shop.store), flows / inside, "acme", None, NOW)


def test_a_new_disk_and_a_cache_with_a_note_in_it_are_caches(shop: Any, tmp_path: Path) -> None:
    shop.publish()
    disk = tmp_path / "disk"
    (disk / "lost+found").mkdir(parents=True)
    pull(FolderSource(shop.store), disk, "acme", None, NOW)
    (disk / "README.txt").write_text("ours")
    pull(FolderSource(shop.store), disk, "birch", None, NOW)
