"""Break-glass: points a channel somewhere at once, and holds it there until a pull request."""

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.release.channel_documents import Documents, read_documents, written
from trunkline.release.channel_plan import VALID, Mover
from trunkline.release.planning import require_whole
from trunkline.release.signing import Signing, require_trusted
from trunkline.release.store import Store, releases
from trunkline.release.unknown_tenant import unknown_tenant
from trunkline_runtime.table.artifact import RELEASE
from trunkline_runtime.table.channel import CANARY, STABLE, Channel
from trunkline_runtime.table.layout import POLICY_NAME, sequence_of


@dataclass(frozen=True)
class Repoint:
    """Where a channel is to point, who wants that and why. `percent` None leaves the share.

    With `only_back` a channel that takes that release already is left there, not held. `declared`
    gives the channels that a tenant's own file names: one that neither it nor the store knows is a
    slip, and calls would wait for a channel that none of them takes.
    """

    channel: str
    percent: int | None
    mover: Mover
    now: datetime
    valid: timedelta = VALID
    only_back: bool = False
    declared: Callable[[str], Collection[str]] = lambda _: ()


@dataclass(frozen=True)
class Repointed:
    """What a tenant's channel said before (None: it did not exist) and says now.

    `left` says why it was left as it is; None if it was moved. `missed` if it should not have been.
    `note` says what else is to be known of the choice, if anything.
    """

    tenant: str
    before: Channel | None
    after: Channel | None
    left: str | None = None
    missed: bool = False
    note: str = ""


# The tag that a tenant's channel should take and what is to be said of it, asked with the tag that
# it takes, if any; or None with the reason to leave it.
Target = Callable[[str, str | None], tuple[str | None, str]]


def repoint(
    store: Store, signing: Signing, tenants: Iterable[str], target: Target, wish: Repoint
) -> tuple[Repointed, ...]:
    """Points the channel of each tenant at what `target` says.

    Each tenant's channels change in one step. Raises FatalError for a tenant or release that does
    not exist and for what nobody believed vouches for, and Busy if somebody publishes.
    """

    def one(tenant: str) -> Repointed:
        return _one(store, signing, tenant, target, wish)

    with store.writing():
        if store.threads == 1:
            return tuple(one(tenant) for tenant in tenants)
        with ThreadPoolExecutor(store.threads) as pool:
            return tuple(pool.map(one, tenants))


def _one(store: Store, signing: Signing, tenant: str, target: Target, wish: Repoint) -> Repointed:
    if tenant == POLICY_NAME:
        raise FatalError("a policy only moves forward: publish the one that is wanted")
    known = releases(store, tenant)
    if not known:
        raise unknown_tenant(store, tenant)
    before = read_documents(store, signing, tenant)
    old = before.channels.get(wish.channel)
    _require_channel(tenant, wish, before)
    tag, said = target(tenant, old.release if old else None)
    if tag is None:
        return Repointed(tenant, old, old, said, missed=True)
    if wish.only_back and old is not None and old.release == tag:
        return Repointed(tenant, old, old, said)
    named = store.find(tenant, tag) if sequence_of(tag) is not None else None
    if named is None:
        raise FatalError(f"there is no release {tag} of {tenant}; the newest is {known[0]}")
    require_trusted(store, signing, tenant, tag, named)
    require_whole(store, RELEASE, tenant, tag, named)
    percent = _percent(tenant, wish, old)
    if old is not None and old.hold and (old.release, old.percent) == (tag, percent):
        return Repointed(tenant, old, old, f"it is held on {tag} already")
    after = _moved(tenant, tag, named.digest, percent, old, before, wish)
    channels = {**before.channels, wish.channel: after}
    if STABLE not in channels:
        raise FatalError(f"{tenant} has no channel {STABLE} yet: point that one first")
    blobs, entries = written(signing, before, channels)
    store.write(tenant, blobs, entries)
    return Repointed(tenant, old, after, note=said)


def _require_channel(tenant: str, wish: Repoint, before: Documents) -> None:
    known = {STABLE, CANARY, *before.channels, *wish.declared(tenant)}
    if wish.channel not in known:
        hint = did_you_mean(wish.channel, known) or f"Its channels: {', '.join(sorted(known))}."
        raise FatalError(
            f"{tenant} has no channel {wish.channel!r}. {hint} "
            f"A new one is named in flows/{tenant}/channels.yaml first"
        )


def _moved(
    tenant: str,
    tag: str,
    digest: str,
    percent: int,
    old: Channel | None,
    before: Documents,
    wish: Repoint,
) -> Channel:
    now = wish.now.replace(microsecond=0)
    # What channels.yaml said last stays on it: only another word there ends the hold.
    base = old or Channel(tenant, wish.channel, tag, digest, percent, 0, now, now, "", "")
    return replace(
        base,
        release=tag,
        digest=digest,
        percent=percent,
        sequence=before.last + 1,
        at=now,
        expires=now + wish.valid,
        by=wish.mover.by,
        reason=wish.mover.reason,
        hold=True,
    )


def _percent(tenant: str, wish: Repoint, old: Channel | None) -> int:
    if wish.channel == STABLE:
        if wish.percent not in (None, 100):
            raise FatalError(f"{STABLE} takes every call that no canary takes: it has no percent")
        return 100
    if wish.percent is not None:
        return wish.percent
    if old is None:
        # A canary that takes every call is the last thing that is wanted in a hurry.
        if wish.channel == CANARY:
            raise FatalError(f"{tenant} has no {CANARY} yet: say its share with --percent")
        return 100
    return old.percent
