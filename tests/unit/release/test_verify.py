"""Verification of a whole store: which release is bad, and everything that is wrong with it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.release.verify import verify

NOW = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)


def table(shop: Any) -> list[tuple[str, str | None, int]]:
    return [(each.name, each.tag, len(each.faults)) for each in verify(shop.source, now=NOW)]


def test_a_sound_store(shop: Any) -> None:
    shop.publish()
    shop.say("acme", "Bye.")
    shop.publish()
    assert table(shop) == [
        ("_policy", "v1", 0),
        ("_policy", "channel newest", 0),
        ("acme", "v1", 0),
        ("acme", "v2", 0),
        ("acme", "channel stable", 0),
        ("birch", "v1", 0),
        ("birch", "channel stable", 0),
    ]


def test_every_bad_blob_is_named(shop: Any, blob_of: Any) -> None:
    shop.publish()
    flow = blob_of(shop.store / "acme", "flows/bill.json")
    settings = blob_of(shop.store / "acme", "tenant.json")
    flow.write_bytes(b"{}")
    settings.unlink()
    (bad,) = [each for each in verify(shop.source, now=NOW) if each.faults]
    assert (bad.name, bad.tag) == ("acme", "v1")
    assert bad.faults == (
        f"blob sha256:{flow.name} of acme (flows/bill.json) is cut off: it has 2 of 619 bytes",
        f"blob sha256:{settings.name} of acme is missing",
    )


def test_an_index_that_cannot_be_read_is_a_verdict_too(shop: Any) -> None:
    shop.publish()
    (shop.store / "birch/index.json").write_bytes(b"[]")
    (bad,) = [each for each in verify(shop.source, now=NOW) if each.faults]
    assert (bad.name, bad.tag, bad.digest) == ("birch", None, None)
    assert bad.faults == ("birch: index.json is not the index of an OCI image layout",)


def test_a_manifest_that_is_gone(shop: Any, blob_of: Any) -> None:
    shop.publish()
    manifest = blob_of(shop.store / "_policy", "manifest")
    manifest.unlink()
    (bad,) = [each for each in verify(shop.source, now=NOW) if each.faults]
    assert bad.faults == (f"blob sha256:{manifest.name} of _policy is missing",)


def test_sound_blobs_that_say_something_unusable(shop: Any) -> None:
    shop.change(
        tenants={id: {**t, "numbers": {}} for id, t in shop.compiled.tenants.items()},
    )
    shop.publish()
    bad = {each.name: each.faults for each in verify(shop.source, now=NOW) if each.faults}
    assert bad.keys() == {"acme", "birch"}
    assert "transfers to the number support" in bad["acme"][0]


def test_one_release_can_be_singled_out(shop: Any) -> None:
    shop.publish()
    shop.say("acme", "Bye.")
    shop.publish()
    found = [each.tag for each in verify(shop.source, "acme", now=NOW)]
    assert found == ["v1", "v2", "channel stable"]
    assert [each.tag for each in verify(shop.source, "acme", "v2")] == ["v2"]
    with pytest.raises(FatalError, match="there is no acme:v9 here"):
        verify(shop.source, "acme", "v9")
    with pytest.raises(FatalError, match="no 'cedar' here; there is: _policy, acme, birch"):
        verify(shop.source, "cedar")


def test_what_is_no_store_is_said(tmp_path: Path) -> None:
    with pytest.raises(FatalError, match="is not a store"):
        verify(FolderSource(tmp_path))
