"""Signatures from publish to pull: what a machine with trusted keys takes, and what it refuses."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from shop import NOW

from trunkline.failure import FatalError as Unpublished
from trunkline.release.signing import UNSIGNED, Signing
from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.cache import current_policy, current_release, current_rollout
from trunkline_runtime.release.choose import from_store
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.pull import Pulled, pull
from trunkline_runtime.release.verify import verify
from trunkline_runtime.table.trust.keys import new_key, public_pem

OLD, NEW, STRANGER = (new_key()[1] for _ in range(3))


def by(signer: Any, *also: Any) -> Signing:
    """Signs with a key; believes it and others."""
    return Signing(signer, tuple(each.public_key for each in (signer, *also)))


def keys(*signers: Any) -> tuple[Any, ...]:
    return tuple(signer.public_key for signer in signers)


@pytest.fixture(params=["folder", "registry"])
def at(request: pytest.FixtureRequest, shop: Any) -> Any:
    """A shop that signs with OLD, its store a folder or a registry."""
    if request.param == "registry":
        shop.place = request.getfixturevalue("registry")
    shop.signing = by(OLD)
    return shop


@pytest.fixture
def fetch(at: Any, tmp_path: Path) -> Callable[..., Pulled]:
    def run(*trusted: Any, tag: str | None = None) -> Pulled:
        return pull(at.source, tmp_path / "cache", "acme", tag, NOW, keys(*trusted))

    return run


def test_a_signed_release_is_taken_with_its_policy(at: Any, fetch: Any, tmp_path: Path) -> None:
    assert at.publish().key == OLD.public_key.keyid
    assert fetch(OLD).tag == "v1"
    assert current_release(tmp_path / "cache", "acme", keys(OLD)).tag == "v1"
    assert current_policy(tmp_path / "cache", keys(OLD)) is not None


def test_without_trusted_keys_a_signed_release_is_taken_too(at: Any, fetch: Any) -> None:
    at.publish()
    assert fetch().tag == "v1"


def test_an_unsigned_release_is_refused_where_keys_are_trusted(at: Any, fetch: Any) -> None:
    at.signing = UNSIGNED
    at.publish()
    with pytest.raises(Refused, match=r"newest of _policy is refused: it is not signed, and keys"):
        fetch(OLD)
    assert fetch().tag == "v1"


def test_a_stranger_s_signature_is_refused(at: Any, fetch: Any) -> None:
    at.signing = by(STRANGER)
    at.publish()
    with pytest.raises(Refused) as caught:
        fetch(OLD)
    assert f"signed by the key {STRANGER.public_key.keyid}, which is not trusted" in str(
        caught.value
    )


def test_a_release_that_only_the_channel_was_signed_for_is_refused(
    shop: Any, tmp_path: Path
) -> None:
    """The envelope of the release is cut out of the store's index."""
    shop.signing = by(OLD)
    shop.publish()
    path = shop.store / "acme/index.json"
    index = json.loads(path.read_bytes())
    index["manifests"] = [
        each for each in index["manifests"] if ".dsse" not in str(each["annotations"])
    ]
    path.write_text(json.dumps(index))
    with pytest.raises(Refused, match="acme v1 is not signed, and keys are trusted here"):
        pull(shop.source, tmp_path / "cache", "acme", None, NOW, keys(OLD))
    with pytest.raises(Refused, match="acme v1 is not signed"):
        pull(shop.source, tmp_path / "cache", "acme", "v1", NOW, keys(OLD))


def test_a_signature_of_another_release_is_refused(shop: Any, tmp_path: Path) -> None:
    shop.signing = by(OLD)
    shop.publish()
    shop.say("acme", "Bye.")
    shop.publish()
    path = shop.store / "acme/index.json"
    index = json.loads(path.read_bytes())
    signatures = [each for each in index["manifests"] if ".dsse" in str(each["annotations"])]
    tags = [dict(each["annotations"]) for each in signatures]
    for each, tag in zip(signatures, reversed(tags), strict=True):
        each["annotations"] = tag
    path.write_text(json.dumps(index))
    with pytest.raises(Refused, match="acme v2: its signature was made for something else"):
        pull(shop.source, tmp_path / "cache", "acme", None, NOW, keys(OLD))


def test_what_was_pulled_is_checked_again_when_it_is_used(
    at: Any, fetch: Any, tmp_path: Path
) -> None:
    at.publish()
    fetch(OLD)
    cache = tmp_path / "cache"
    with pytest.raises(Refused, match="not trusted here"):
        current_release(cache, "acme", keys(NEW))
    with pytest.raises(Refused, match="not trusted here"):
        current_rollout(cache, "acme", keys(NEW))
    with pytest.raises(Refused, match="not trusted here"):
        current_policy(cache, keys(NEW))


def test_the_environment_says_whom_to_trust(
    shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.signing = by(OLD)
    shop.publish()
    trusted = tmp_path / "trusted.pem"
    monkeypatch.setenv("TRUNKLINE_TRUSTED_KEYS", str(trusted))
    for use in (
        lambda: pull(shop.source, tmp_path / "cache", "acme", None, NOW),
        lambda: from_store(shop.store, "acme", "v1"),
    ):
        trusted.write_bytes(public_pem(NEW.public_key))
        with pytest.raises(Refused, match="not trusted here"):
            use()
        trusted.write_text("")
        with pytest.raises(FatalError, match="holds no public key"):
            use()
        trusted.write_bytes(public_pem(OLD.public_key))
        use()


def test_rotation(at: Any, fetch: Any) -> None:
    """As the documentation has it: trust both, sign anew, trust the new one alone."""
    at.publish()
    assert fetch(OLD).tag == "v1"
    at.signing = by(NEW)
    with pytest.raises(Unpublished, match=r"not to be relied on: .* name that key in TRUNKLINE_TR"):
        at.publish()
    at.signing = replace(by(NEW, OLD), resign=True)
    at.publish()
    # The old signatures stay beside the new ones; a fleet may trust either, or both.
    assert fetch(OLD, NEW).tag == "v1"
    at.signing = by(NEW)
    at.say("acme", "Bye.")
    at.publish()
    assert fetch(NEW).tag == "v2"
    assert fetch(NEW).tag == "v2"
    with pytest.raises(Refused, match=f"not trusted here .{OLD.public_key.keyid}"):
        fetch(OLD)


def test_the_first_key_vouches_for_what_is_there(at: Any, fetch: Any) -> None:
    at.signing = UNSIGNED
    at.publish()
    at.say("acme", "Bye.")
    at.publish()
    at.signing = by(OLD)
    with pytest.raises(Unpublished, match="v1 in the store is not to be relied on: it is not sig"):
        at.publish()
    at.signing = replace(at.signing, resign=True)
    at.publish()
    assert fetch(OLD).tag == "v2"
    verdicts = verify(at.source, None, None, keys(OLD), NOW)
    assert [verdict.faults for verdict in verdicts if verdict.faults] == []
    assert {verdict.signers for verdict in verdicts} == {(OLD.public_key.keyid,)}


def test_a_store_that_is_signed_is_not_published_to_without_a_key(at: Any) -> None:
    at.publish()
    at.signing = UNSIGNED
    at.say("acme", "Bye.")
    with pytest.raises(Unpublished, match="it is signed, and no key is set here"):
        at.publish()


def test_signing_again_changes_no_byte(shop: Any) -> None:
    shop.signing = by(OLD)
    shop.publish()
    before = {path: path.read_bytes() for path in shop.store.rglob("*") if path.is_file()}
    shop.publish()
    assert {path: path.read_bytes() for path in shop.store.rglob("*") if path.is_file()} == before


def test_going_back_by_hand_needs_a_signature_where_keys_are_trusted(at: Any, fetch: Any) -> None:
    at.publish()
    at.say("acme", "Bye.")
    at.publish()
    assert fetch(OLD).tag == "v2"
    with pytest.raises(Refused, match=r"v2 of acme was pulled before, and no signed channel poin"):
        fetch(OLD, tag="v1")
    at.channels = {"acme": {"stable": {"release": "v1"}}}
    at.publish()
    assert fetch(OLD, tag="v1").tag == "v1"
    assert fetch(tag="v1").tag == "v1"


def test_an_older_channel_with_a_good_signature_is_refused(shop: Any, tmp_path: Path) -> None:
    shop.signing = by(OLD)
    cache = tmp_path / "cache"
    shop.publish()
    old = (shop.store / "acme/index.json").read_bytes()
    shop.say("acme", "Bye.")
    shop.publish()
    pull(shop.source, cache, "acme", None, NOW, keys(OLD))
    (shop.store / "acme/index.json").write_bytes(old)
    with pytest.raises(Refused, match="sequence 1 in the store, and 2 was seen before"):
        pull(shop.source, cache, "acme", None, NOW, keys(OLD))
    found = held(cache, "acme")
    assert found is not None
    assert found.tag == "v2"


@pytest.mark.parametrize("trusted", [(OLD,), ()])
def test_verify_says_who_signed_and_who_did_not(at: Any, trusted: tuple[Any, ...]) -> None:
    at.signing = by(STRANGER)
    at.publish()
    verdicts = verify(at.source, "acme", None, keys(*trusted), NOW)
    refused = [verdict for verdict in verdicts if verdict.faults]
    assert len(refused) == (2 if trusted else 0)  # the release and its channels
    for verdict in refused:
        assert STRANGER.public_key.keyid in verdict.faults[0]
