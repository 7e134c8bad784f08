"""Chooses the release and the policy that a call runs on: from a store, or from the cache here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.cache import current_policy, current_release, current_rollout
from trunkline_runtime.release.holding import held, main_channel
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.release.offer import find_release, offered
from trunkline_runtime.release.opened import releases
from trunkline_runtime.release.pulling import Pulling
from trunkline_runtime.release.source import FolderSource, Source, check_name
from trunkline_runtime.release.store import open_source
from trunkline_runtime.release.trusted import check_signature, keys_here, signature_of
from trunkline_runtime.table.artifact import Descriptor
from trunkline_runtime.table.layout import POLICY_NAME

NO_POLICY = PolicySnapshot("", 0, {})


@dataclass(frozen=True)
class Chosen:
    """A release, and where the newest verified policy comes from at any moment."""

    release: Release
    policy: Callable[[], PolicySnapshot]


def from_store(
    store: str | Path, tenant: str, tag: str | None, channel: str | None = None
) -> Chosen:
    """The release of a tag, or what a channel (by default `stable`) takes, straight from a store,
    and its newest policy.

    Raises FatalError for a store, tenant, channel or tag that does not exist, and Refused for what
    is not sound or nobody vouches for.
    """
    check_name(tenant)
    source = open_source(str(store))
    if not source.holds(tenant):
        known = ", ".join(source.tenants()) or "none"
        raise FatalError(f"the store holds no tenant {tenant!r}; its tenants: {known}")
    chosen, named = _vouched(source, tenant, tag, channel)
    release = load_release(source, tenant, chosen, named)
    policy = _store_policy(source)
    return Chosen(release, lambda: policy)


def _store_policy(source: Source) -> PolicySnapshot:
    if not releases(source, POLICY_NAME):
        return NO_POLICY
    newest, named = _vouched(source, POLICY_NAME, None)
    return load_policy(source, newest, named)


def _vouched(
    source: Source, name: str, tag: str | None, channel: str | None = None
) -> tuple[str, Descriptor]:
    """A tag, by default the one that a channel takes, if a trusted key signed it."""
    keys = keys_here()
    offer = None
    if tag is None:
        # Nothing is kept, so there is no cache that could remember anything.
        offer = offered(Pulling(source, Path(), keys, datetime.now(UTC)), name, None)
        wanted = channel or main_channel(name)
        if wanted not in offer.live:
            known = ", ".join(sorted(offer.live))
            raise FatalError(f"{name} has no channel {wanted!r} in the store; it has: {known}")
        tag = offer.live[wanted]
    named = find_release(source, name, tag, offer)
    check_signature(source, name, tag, named, signature_of(source, name, named), keys)
    return tag, named


def from_cache(cache: Path, tenant: str, tag: str | None, channel: str | None = None) -> Chosen:
    """The current release of the cache, or that of a channel, or another tag that it holds, and its
    newest policy.

    Raises FatalError if it was never pulled and Refused if it is damaged.
    """
    check_name(tenant)
    if tag is None and channel is not None:
        release = current_rollout(cache, tenant).release(None, channel)
    elif tag is None:
        release = current_release(cache, tenant)
    else:
        found = held(cache, tenant)
        if found is None or tag not in found.releases:
            raise FatalError(
                f"{tenant}:{tag} was not pulled to {cache}: "
                f"run `trunkline-runtime pull {tenant}:{tag} --from STORE`"
            )
        named, source = found.releases[tag], FolderSource(cache)
        check_signature(
            source, tenant, tag, named, signature_of(source, tenant, named), keys_here()
        )
        release = load_release(source, tenant, tag, named)
    return Chosen(release, lambda: current_policy(cache) or NO_POLICY)
