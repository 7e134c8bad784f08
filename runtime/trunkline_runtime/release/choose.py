"""Chooses the release and the policy that a call runs on: from a store, or from the cache here."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.cache import current_policy, current_release, held
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.release.opened import tags
from trunkline_runtime.release.source import FolderSource, check_name
from trunkline_runtime.table.layout import POLICY_NAME

NO_POLICY = PolicySnapshot("", 0, {})


@dataclass(frozen=True)
class Chosen:
    """A release, and where the newest verified policy comes from at any moment."""

    release: Release
    policy: Callable[[], PolicySnapshot]


def from_store(store: Path, tenant: str, tag: str | None) -> Chosen:
    """The release of a tag (or the newest) straight from a store, and the store's newest policy.

    Raises FatalError for a store, tenant or tag that does not exist, and Refused for what is not
    sound.
    """
    check_name(tenant)
    source = FolderSource(store)
    if not source.holds(tenant):
        known = ", ".join(source.tenants()) or "none"
        raise FatalError(f"the store holds no tenant {tenant!r}; its tenants: {known}")
    offered = tags(source, tenant)
    if not offered:
        raise FatalError(f"the store holds no release of {tenant} yet")
    chosen = tag if tag is not None else list(offered)[-1]
    if chosen not in offered:
        raise FatalError(f"the store holds no {tenant}:{chosen}; its newest is {list(offered)[-1]}")
    release = load_release(source, tenant, chosen, offered[chosen])
    policy = _store_policy(source)
    return Chosen(release, lambda: policy)


def _store_policy(source: FolderSource) -> PolicySnapshot:
    if not source.holds(POLICY_NAME):
        return NO_POLICY
    offered = tags(source, POLICY_NAME)
    if not offered:
        return NO_POLICY
    newest = list(offered)[-1]
    return load_policy(source, newest, offered[newest])


def from_cache(cache: Path, tenant: str, tag: str | None) -> Chosen:
    """The current release of the cache, or another tag that it holds, and its newest policy.

    Raises FatalError if it was never pulled and Refused if it is damaged.
    """
    check_name(tenant)
    if tag is None:
        release = current_release(cache, tenant)
    else:
        found = held(cache, tenant)
        if found is None or tag not in found.tags:
            raise FatalError(
                f"{tenant}:{tag} was not pulled to {cache}: "
                f"run `trunkline-runtime pull {tenant}:{tag} --from STORE`"
            )
        release = load_release(FolderSource(cache), tenant, tag, found.tags[tag])
    return Chosen(release, lambda: current_policy(cache) or NO_POLICY)
