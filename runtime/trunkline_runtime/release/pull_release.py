"""A tenant's releases, pulled: those that its channels take, each proven and tested alone."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.cache import adopting
from trunkline_runtime.release.channel_set import ChannelSet
from trunkline_runtime.release.fetch_artifact import fetch_artifact, fetch_channels
from trunkline_runtime.release.holding import Adoption, Held, adopt, held
from trunkline_runtime.release.load import load_release
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.release.offer import (
    Offer,
    find_release,
    offered,
    refuse_unsigned_rollback,
)
from trunkline_runtime.release.pulling import Pulling
from trunkline_runtime.release.rollout import Rollout
from trunkline_runtime.table.artifact import Descriptor
from trunkline_runtime.table.channel import CANARY, STABLE

logger = logging.getLogger("trunkline.release")


@dataclass(frozen=True)
class PulledReleases:
    """What a tenant's calls take now. `left_out` maps a channel that can't be used to why.

    Calls of a channel that is left out take `stable`. `channels` is what the store said; None
    where it holds no channels.
    """

    rollout: Rollout
    left_out: Mapping[str, str]
    channels: ChannelSet | None


def pull_release(pulling: Pulling, tenant: str, tag: str | None) -> PulledReleases:
    """Pulls what the tenant's channels take, or the release of one tag, and makes it current.

    Raises FatalError for a tag that does not exist, Refused for a release that must not be used,
    and Unavailable where another try may do; what was current still is.
    """
    with pulling.writing(tenant), adopting(pulling.cache, tenant):
        before = held(pulling.cache, tenant)
        if tag is None:
            offer = offered(pulling, tenant, before)
        else:
            refuse_unsigned_rollback(pulling, tenant, tag, before)
            offer = Offer({STABLE: tag}, None)
        fetched = _Fetched(pulling, tenant, offer, before)
        releases = {STABLE: fetched.release(offer.live[STABLE])}
        left_out: dict[str, str] = {}
        for channel in sorted(offer.live.keys() - {STABLE}):
            try:
                releases[channel] = fetched.release(offer.live[channel])
            except FatalError as problem:
                # A bad canary must not stand in the way of `stable`, which may be a rollback.
                left_out[channel] = str(problem)
                logger.warning("the channel %s of %s is left out: %s", channel, tenant, problem)
        entries = fetched.entries | fetch_channels(pulling, tenant, offer.channels)
        live = {channel: release.tag for channel, release in releases.items()}
        after = adopt(
            pulling.cache,
            tenant,
            Adoption(live, entries, offer.channels is not None),
            pulling.now,
        )
    since = {channel: after.since[tag] for channel, tag in live.items()}
    rollout = Rollout(tenant, releases, offer.percent(CANARY), since)
    return PulledReleases(rollout, left_out, offer.channels)


class _Fetched:
    """The releases of one pull, each fetched, proven and tested once."""

    def __init__(self, pulling: Pulling, tenant: str, offer: Offer, before: Held | None) -> None:
        self._pulling = pulling
        self._tenant = tenant
        self._offer = offer
        self._before = before
        self._releases: dict[str, Release] = {}
        self.entries: dict[str, Descriptor] = {}

    def release(self, tag: str) -> Release:
        if tag not in self._releases:
            self._releases[tag] = self._fetch(tag)
        return self._releases[tag]

    def _fetch(self, tag: str) -> Release:
        pulling = self._pulling
        named = find_release(pulling.source, self._tenant, tag, self._offer)
        entries = fetch_artifact(pulling, self._tenant, tag, named, self._before)
        release = load_release(pulling.into, self._tenant, tag, named, pulling.shelf)
        for fault in pulling.rehearse(release):
            raise Refused(f"{self._tenant} {tag} can't be used: {fault}")
        self.entries |= entries
        return release
