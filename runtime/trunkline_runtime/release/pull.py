"""A pull: fetch what is lacking, prove all of it, test it, and only then make it current."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.cache import Held, adopt, adopting, held
from trunkline_runtime.release.fetch import Moved, fetch
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.opened import manifest_at, tags
from trunkline_runtime.release.source import FolderSource, Source, check_name
from trunkline_runtime.table.artifact import POLICY, RELEASE, ArtifactKind, Descriptor
from trunkline_runtime.table.folder import sync_blobs
from trunkline_runtime.table.layout import POLICY_NAME, sequence_of


@dataclass(frozen=True)
class Pulled:
    """What a pull made current. `policy_tag` is None where the store holds no policy."""

    tenant: str
    tag: str
    digest: str
    flows: tuple[str, ...]
    policy_tag: str | None
    moved: Moved = field(compare=False)


def pull(source: Source, cache: Path, tenant: str, tag: str | None, now: datetime) -> Pulled:
    """Pulls a tenant's release (its newest unless `tag` says otherwise) and the newest policy.

    Both are proven and tested before either is used; the policy is adopted first, since a release
    may need it. Raises FatalError for a store, tenant or tag that does not exist, and Refused for
    anything that must not be used; then what was current still is.
    """
    check_name(tenant)
    if not source.holds(tenant):
        known = ", ".join(source.tenants()) or "none"
        raise FatalError(f"the store holds no tenant {tenant!r}; its tenants: {known}")
    moved = Moved()
    try:
        policy_tag = _pull_policy(source, cache, now, moved)
        return _pull_release(source, cache, tenant, tag, now, moved, policy_tag)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(
            f"{tenant} was not pulled, {cache} can't be written: {reason}; "
            "what was current still is"
        ) from None


def _pull_release(
    source: Source,
    cache: Path,
    tenant: str,
    tag: str | None,
    now: datetime,
    moved: Moved,
    policy_tag: str | None,
) -> Pulled:
    offered = tags(source, tenant)
    chosen = _choose(tenant, offered, tag)
    named = offered[chosen]
    with adopting(cache, tenant):
        before = held(cache, tenant)
        _refuse_moved_tag(tenant, chosen, named, before)
        if tag is None and before is not None and (sequence_of(chosen) or 0) < before.highest:
            raise Refused(
                f"the store's newest release of {tenant} is {chosen} and v{before.highest} was "
                f"pulled before; to go back, name it: {tenant}:{chosen}"
            )
        _fetch_all(source, cache, tenant, RELEASE, named, moved)
        release = load_release(FolderSource(cache), tenant, chosen, named)
        if before is None or before.tag != chosen:
            adopt(cache, tenant, chosen, named, now)
    return Pulled(tenant, chosen, named.digest, tuple(sorted(release.tables)), policy_tag, moved)


def _pull_policy(source: Source, cache: Path, now: datetime, moved: Moved) -> str | None:
    """Adopts the store's newest policy if it is newer than the one held; never an older one."""
    if not source.holds(POLICY_NAME):
        return None
    offered = tags(source, POLICY_NAME)
    if not offered:
        return None  # its first publish has not come to an end
    chosen = _choose(POLICY_NAME, offered, None)
    named = offered[chosen]
    with adopting(cache, POLICY_NAME):
        before = held(cache, POLICY_NAME)
        _refuse_moved_tag(POLICY_NAME, chosen, named, before)
        if before is not None and (sequence_of(chosen) or 0) < before.highest:
            return before.tag
        _fetch_all(source, cache, POLICY_NAME, POLICY, named, moved)
        load_policy(FolderSource(cache), chosen, named)
        if before is None or before.tag != chosen:
            adopt(cache, POLICY_NAME, chosen, named, now)
    return chosen


def _fetch_all(
    source: Source, cache: Path, name: str, kind: ArtifactKind, named: Descriptor, moved: Moved
) -> None:
    """Fetches the manifest, then what it names; each blob is proven before it has its name."""
    into = FolderSource(cache)
    fetch(source, into, name, named, moved)
    manifest = manifest_at(into, name, kind, named)
    for wanted in {d.digest: d for d in (manifest.config, *manifest.layers.values())}.values():
        fetch(source, into, name, wanted, moved)
    sync_blobs(cache / name)


def _choose(name: str, offered: dict[str, Descriptor], tag: str | None) -> str:
    if not offered:
        raise FatalError(f"the store holds no release of {name} yet")
    newest = list(offered)[-1]
    if tag is None:
        return newest
    if tag not in offered:
        raise FatalError(f"the store holds no {name}:{tag}; its newest is {newest}")
    return tag


def _refuse_moved_tag(name: str, tag: str, named: Descriptor, before: Held | None) -> None:
    known = before.tags.get(tag) if before else None
    if known is not None and known.digest != named.digest:
        raise Refused(
            f"{name}:{tag} is {named.digest} in the store and {known.digest} was pulled under "
            "that tag before; a tag never moves, so this store is not the one that it was"
        )
