"""Which release a command takes: by its tag, by a channel, or what `stable` takes."""

from pathlib import Path
from typing import Any

import pytest

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.choose import Chosen, from_cache, from_store
from trunkline_runtime.release.pull import pull


@pytest.fixture(params=["store", "cache"])
def choose(request: pytest.FixtureRequest, shop: Any, tmp_path: Path) -> Any:
    """`stable` takes v1, and a canary that no call gets by itself takes v2."""
    shop.publish()
    shop.say("acme", "Bye.")
    canary = {"release": "v2", "percent": 0}
    shop.channels = {"acme": {"stable": {"release": "v1"}, "canary": canary}}
    shop.publish()
    pull(shop.source, tmp_path / "cache", "acme", None, shop.now)

    def chosen(tag: str | None, channel: str | None) -> Chosen:
        if request.param == "store":
            return from_store(shop.store, "acme", tag, channel)
        return from_cache(tmp_path / "cache", "acme", tag, channel)

    return chosen


@pytest.mark.parametrize(
    ("tag", "channel", "taken"),
    [(None, None, "v1"), (None, "stable", "v1"), (None, "canary", "v2"), ("v2", None, "v2")],
)
def test_a_channel_is_asked_for_by_its_name(
    choose: Any, tag: str | None, channel: str | None, taken: str
) -> None:
    assert choose(tag, channel).release.tag == taken


def test_a_channel_that_does_not_exist(choose: Any) -> None:
    with pytest.raises(FatalError, match=r"acme has no channel 'beta' .*: canary, stable"):
        choose(None, "beta")
