"""channels.yaml, the hand that holds a channel, and what a machine makes of both."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from shop import NOW

from trunkline.failure import FatalError as Unpublished
from trunkline.release.channel_documents import read_documents
from trunkline.release.channel_plan import Mover
from trunkline.release.open_store import open_store
from trunkline.release.repoint import Repoint, repoint
from trunkline.release.signing import UNSIGNED, Signing
from trunkline_runtime.failure import Refused
from trunkline_runtime.release.cache import current_rollout
from trunkline_runtime.release.pull import Pulled, pull
from trunkline_runtime.table.channel import Channel
from trunkline_runtime.table.trust.keys import new_key

both = pytest.mark.parametrize("at", ["folder", "registry"], indirect=True)


@pytest.fixture
def at(request: pytest.FixtureRequest, shop: Any) -> Any:
    """A store that is a folder, or with `both` a registry as well."""
    if getattr(request, "param", "folder") == "registry":
        shop.place = request.getfixturevalue("registry")
    return shop


@pytest.fixture
def three(at: Any) -> Any:
    """v1, v2 and v3 of acme; nothing is said of channels."""
    at.publish()
    for words in ("Bye.", "So long."):
        at.say("acme", words)
        at.publish()
    return at


def store(at: Any) -> Any:
    return open_store(at.place or str(at.store))


def channels(at: Any) -> Mapping[str, Channel]:
    return read_documents(store(at), UNSIGNED, "acme").channels


def takes(at: Any) -> dict[str, tuple[str, int]]:
    return {name: (each.release, each.percent) for name, each in channels(at).items()}


def say(at: Any, **said: Any) -> None:
    """A pull request that changes acme's channels.yaml, merged and published."""
    at.channels = {"acme": {"schema_version": 1, **said}}
    at.publish()


def by_hand(at: Any, channel: str, tag: str, percent: int | None = None, reason: str = "x") -> Any:
    wish = Repoint(channel, percent, Mover("ada", reason), at.now)
    (done,) = repoint(store(at), UNSIGNED, ["acme"], lambda *_: (tag, ""), wish)
    return done


def fetch(at: Any, cache: Path, now: datetime = NOW) -> Pulled:
    return pull(at.source, cache, "acme", None, now, ())


def test_without_a_word_stable_takes_the_newest(three: Any) -> None:
    assert takes(three) == {"stable": ("v3", 100)}


@both
def test_a_rollback_by_pull_request_makes_no_release_and_moves_no_policy(
    three: Any, tmp_path: Path
) -> None:
    fetch(three, tmp_path)
    before = {tag for tag in three.source.tags("acme") if tag.startswith("v")}
    policy = three.source.find("_policy", "channels")
    say(three, stable={"release": "v2"})
    assert takes(three) == {"stable": ("v2", 100)}
    assert {tag for tag in three.source.tags("acme") if tag.startswith("v")} == before
    assert three.source.find("_policy", "channels") == policy
    assert fetch(three, tmp_path).tag == "v2"
    three.say("acme", "Ciao.")
    three.publish()
    assert takes(three) == {"stable": ("v2", 100)}
    say(three, stable={"release": "latest"})
    assert takes(three) == {"stable": ("v4", 100)}


@both
def test_a_canary_takes_the_next_release_first(three: Any, tmp_path: Path) -> None:
    say(three, stable={"release": "v3"}, canary={"release": "next", "percent": 10})
    assert takes(three) == {"stable": ("v3", 100), "canary": ("v3", 10)}
    three.say("acme", "Ciao.")
    three.publish()
    assert takes(three) == {"stable": ("v3", 100), "canary": ("v4", 10)}
    pulled = fetch(three, tmp_path)
    assert (pulled.tag, pulled.channels) == ("v3", {"stable": "v3", "canary": "v4"})
    rollout = current_rollout(tmp_path, "acme", ())
    counts = {"stable": 0, "canary": 0}
    for number in range(10_000):
        counts[rollout.channel(f"call-{number}")] += 1
    assert 900 < counts["canary"] < 1_100
    assert rollout.channel("call-7") == rollout.channel("call-7")


def test_raising_the_share_keeps_the_calls_that_were_in_it(three: Any, tmp_path: Path) -> None:
    seen: list[set[int]] = []
    for percent in (5, 20, 100):
        say(three, canary={"release": "next", "percent": percent})
        fetch(three, tmp_path)
        rollout = current_rollout(tmp_path, "acme", ())
        seen.append({n for n in range(2_000) if rollout.channel(str(n)) == "canary"})
    assert seen[0] < seen[1] < seen[2] == set(range(2_000))


def test_a_canary_that_is_taken_out_gets_no_calls(three: Any, tmp_path: Path) -> None:
    say(three, stable={"release": "v2"}, canary={"release": "next", "percent": 10})
    fetch(three, tmp_path)
    say(three, stable={"release": "v2"})
    assert takes(three) == {"stable": ("v2", 100), "canary": ("v2", 0)}
    fetch(three, tmp_path)
    rollout = current_rollout(tmp_path, "acme", ())
    assert {rollout.channel(str(n)) for n in range(500)} == {"stable"}


@both
def test_manual_waits_for_a_hand(at: Any, tmp_path: Path) -> None:
    say(at, stable={"release": "manual"})
    assert takes(at) == {}
    with pytest.raises(Refused, match="no release of acme is stable yet: point that channel at"):
        fetch(at, tmp_path)
    by_hand(at, "stable", "v1")
    at.say("acme", "Bye.")
    at.publish()
    assert takes(at) == {"stable": ("v1", 100)}
    by_hand(at, "stable", "v2", reason="the canary was fine")
    assert takes(at) == {"stable": ("v2", 100)}
    assert fetch(at, tmp_path).tag == "v2"


@both
def test_a_hand_holds_until_a_pull_request_changes_that_channel(three: Any, tmp_path: Path) -> None:
    say(three, stable={"release": "latest"}, canary={"release": "next", "percent": 5})
    fetch(three, tmp_path)
    done = by_hand(three, "stable", "v1", reason="calls end at once")
    assert (done.before.release, done.after.release, done.after.hold) == ("v3", "v1", True)
    assert fetch(three, tmp_path).tag == "v1"
    # Releases go on and the canary with them; another channel's change ends nothing.
    three.say("acme", "Ciao.")
    say(three, stable={"release": "latest"}, canary={"release": "next", "percent": 20})
    assert takes(three) == {"stable": ("v1", 100), "canary": ("v4", 20)}
    found = channels(three)["stable"]
    assert (found.hold, found.by, found.reason) == (True, "ada", "calls end at once")
    say(three, stable={"release": "v4"}, canary={"release": "next", "percent": 20})
    assert takes(three)["stable"] == ("v4", 100)
    assert not channels(three)["stable"].hold


def test_a_hold_is_renewed_and_stays_who_made_it(three: Any) -> None:
    by_hand(three, "stable", "v1", reason="because")
    three.now = NOW + timedelta(days=20)
    three.publish()
    found = channels(three)["stable"]
    assert (found.release, found.by, found.reason, found.at) == ("v1", "ada", "because", NOW)
    assert found.expires == three.now + timedelta(days=30)
    assert found.hold


@both
def test_the_record_keeps_every_state(three: Any) -> None:
    by_hand(three, "stable", "v1", reason="one")
    by_hand(three, "stable", "v2", reason="two")
    kept = [tag for tag in three.source.tags("acme") if tag.startswith("channels.")]
    assert sorted(kept) == [f"channels.{n}" for n in range(1, 6)]
    assert three.source.find("acme", "channels") is not None


def test_a_canary_by_hand_needs_a_share(three: Any) -> None:
    with pytest.raises(Unpublished, match="acme has no canary yet: say its share with --percent"):
        by_hand(three, "canary", "v3")
    by_hand(three, "canary", "v3", 10)
    by_hand(three, "canary", "v2")
    assert takes(three)["canary"] == ("v2", 10)
    by_hand(three, "canary", "v2", 0)
    assert takes(three)["canary"] == ("v2", 0)
    three.publish()
    assert takes(three)["canary"] == ("v2", 0)  # what a hand made is left to it


def test_what_a_hand_may_not_do(three: Any) -> None:
    before = takes(three)
    for channel, tag, percent, said in (
        ("stable", "v9", None, "there is no release v9 of acme; the newest is v3"),
        ("stable", "channels", None, "there is no release channels of acme"),
        ("stable", "v1", 50, "has no percent"),
        ("stabel", "v1", None, "acme has no channel 'stabel'. Did you mean `stable`?"),
        ("canry", "v1", 5, "Did you mean `canary`?"),
        ("beta", "v1", None, "A new one is named in flows/acme/channels.yaml first"),
    ):
        with pytest.raises(Unpublished, match=said):
            by_hand(three, channel, tag, percent)
    wish = Repoint("newest", None, Mover("ada", "x"), NOW)
    with pytest.raises(Unpublished, match="a policy only moves forward"):
        repoint(store(three), UNSIGNED, ["_policy"], lambda *_: ("v1", ""), wish)
    with pytest.raises(Unpublished, match="holds no release of 'nobody'; its tenants: acme, birch"):
        repoint(store(three), UNSIGNED, ["nobody"], lambda *_: ("v1", ""), wish)
    assert takes(three) == before


def test_a_channel_that_the_tenants_file_names_may_be_made_by_hand(three: Any) -> None:
    wish = Repoint("beta", None, Mover("ada", "x"), three.now, declared=lambda _: ["beta"])
    repoint(store(three), UNSIGNED, ["acme"], lambda *_: ("v1", ""), wish)
    assert takes(three)["beta"] == ("v1", 100)
    assert by_hand(three, "beta", "v2").after.release == "v2"  # now the store knows it


def test_a_hand_points_at_no_release_that_nobody_could_pull(three: Any, blob_of: Any) -> None:
    """The newest of the store: blob_of finds no other."""
    before = takes(three)
    blob_of(three.store / "acme", "flows/bill.json").unlink()
    with pytest.raises(Unpublished, match=r"v3: blob sha256:\w+ is altered or lost"):
        by_hand(three, "stable", "v3")
    assert takes(three) == before
    assert by_hand(three, "stable", "v1").after.release == "v1"


def test_a_pull_request_points_at_no_release_that_nobody_could_pull(
    three: Any, blob_of: Any
) -> None:
    altered = blob_of(three.store / "acme", "flows/bill.json")
    altered.write_bytes(b"{}")
    three.say("acme", "Ciao.")
    three.publish()  # v4 is built on nothing of it
    before = takes(three)
    with pytest.raises(Unpublished, match=r"v3: blob sha256:\w+ is altered or lost"):
        say(three, stable={"release": "v3"})
    assert takes(three) == before
    say(three, stable={"release": "v2"})
    assert takes(three)["stable"] == ("v2", 100)


@pytest.mark.parametrize("what", ["manifest", "config", "flows/bill.json", "tag"])
@pytest.mark.parametrize("how", ["held", "manual", "renewed", "signed again"])
def test_publish_stops_at_a_channel_that_stays_on_what_nobody_could_pull(
    three: Any, blob_of: Any, what: str, how: str
) -> None:
    if how == "manual":
        say(three, stable={"release": "manual"})
    else:
        by_hand(three, "stable", "v3")
    acme = three.store / "acme"
    altered = None if what == "tag" else blob_of(acme, what)
    three.say("acme", "Ciao.")
    three.publish()
    assert takes(three) == {"stable": ("v3", 100)}
    if altered is None:
        point(acme, "v3", "v2")
    else:
        altered.write_bytes(b"{}")
    if how == "renewed":
        three.now = NOW + timedelta(days=20)
    if how == "signed again":
        three.signing = Signing(new_key()[1], resign=True)
    before = (acme / "index.json").read_bytes()
    with pytest.raises(Unpublished, match=r"acme is damaged and nothing was published: "):
        three.publish()
    assert (acme / "index.json").read_bytes() == before


def test_a_hand_moves_a_channel_from_what_nobody_could_pull(three: Any, blob_of: Any) -> None:
    by_hand(three, "stable", "v3")
    altered = blob_of(three.store / "acme", "manifest")
    three.say("acme", "Ciao.")
    three.publish()
    altered.unlink()
    with pytest.raises(Unpublished, match=r"Or point the channel stable of acme at another rel"):
        three.publish()
    by_hand(three, "stable", "v1")
    three.publish()
    assert takes(three) == {"stable": ("v1", 100)}


def point(layout: Path, tag: str, at: str) -> None:
    """Lets a tag name what another one names, as no publish would."""
    index = json.loads((layout / "index.json").read_bytes())
    entries = {
        each["annotations"]["org.opencontainers.image.ref.name"]: each
        for each in index["manifests"]
    }
    entries[tag] |= {key: entries[at][key] for key in ("digest", "size")}
    (layout / "index.json").write_text(json.dumps(index))


def test_pointing_where_it_is_held_already_changes_nothing(three: Any) -> None:
    by_hand(three, "stable", "v1")
    before = three.source.find("acme", "channels")
    assert by_hand(three, "stable", "v1").left == "it is held on v1 already"
    assert three.source.find("acme", "channels") == before


@both
def test_a_channel_that_names_no_release_publishes_nothing(three: Any) -> None:
    before = set(three.source.tags("acme"))
    three.say("acme", "Ciao.")
    three.channels = {"acme": {"stable": {"release": "v9"}}}
    with pytest.raises(Unpublished, match=r"flows/acme/channels.yaml: stable names v9, and there"):
        three.publish()
    assert set(three.source.tags("acme")) == before
    # The release that this very publish makes may be named.
    three.channels = {"acme": {"stable": {"release": "v4"}}}
    three.publish()
    assert takes(three) == {"stable": ("v4", 100)}


def test_an_expired_channel_changes_nothing_and_publishing_renews_it(
    three: Any, tmp_path: Path
) -> None:
    fetch(three, tmp_path)
    late = NOW + timedelta(days=30)
    with pytest.raises(Refused, match=r"newest of _policy expired on 2026-12-31 15:00 UTC"):
        fetch(three, tmp_path, late)
    assert current_rollout(tmp_path, "acme", ()).stable.tag == "v3"
    three.now = NOW + timedelta(days=14)
    before = three.source.find("acme", "channels")
    three.publish()
    assert three.source.find("acme", "channels") == before  # more than half of its time is left
    three.now = NOW + timedelta(days=16)
    three.publish()
    assert fetch(three, tmp_path, late).tag == "v3"


@both
def test_a_bad_canary_does_not_stand_in_the_way_of_a_rollback(three: Any, tmp_path: Path) -> None:
    fetch(three, tmp_path)
    settings = {**three.compiled.tenants["acme"], "numbers": {}}
    three.change(tenants={**three.compiled.tenants, "acme": settings})
    three.publish()  # v4 transfers to a number that it lacks
    with pytest.raises(Refused, match="v4 can't be used"):
        fetch(three, tmp_path)
    assert current_rollout(tmp_path, "acme", ()).stable.tag == "v3"
    say(three, stable={"release": "v2"}, canary={"release": "v4", "percent": 50})
    pulled = fetch(three, tmp_path)
    assert (pulled.tag, pulled.channels) == ("v2", {"stable": "v2"})
    assert "v4 can't be used" in pulled.left_out["canary"]
    rollout = current_rollout(tmp_path, "acme", ())
    assert {rollout.release(str(n), None).tag for n in range(100)} == {"v2"}


def test_a_call_may_name_its_channel(three: Any, tmp_path: Path) -> None:
    say(three, stable={"release": "v2"}, preview={"release": "v3", "percent": 0})
    fetch(three, tmp_path)
    rollout = current_rollout(tmp_path, "acme", ())
    assert rollout.release("any", "preview").tag == "v3"
    assert rollout.release("any", None).tag == "v2"
    with pytest.raises(Exception, match="acme has no channel 'beta' here; it has: preview, stable"):
        rollout.release("any", "beta")


def test_going_back_is_allowed_to_a_channel_and_not_to_a_store(
    shop: Any, three: Any, tmp_path: Path
) -> None:
    fetch(three, tmp_path)
    by_hand(three, "stable", "v1")
    assert fetch(three, tmp_path).tag == "v1"
    by_hand(three, "stable", "v3")
    assert fetch(three, tmp_path).tag == "v3"
