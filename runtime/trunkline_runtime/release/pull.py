"""A pull: fetch what is lacking, prove all of it, test it, and only then make it current."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.cache import require_cache
from trunkline_runtime.release.fetch import Moved
from trunkline_runtime.release.pull_policy import pull_policy
from trunkline_runtime.release.pull_release import pull_release
from trunkline_runtime.release.pulling import Pulling
from trunkline_runtime.release.source import Source, check_name
from trunkline_runtime.release.trusted import Keys, keys_here


@dataclass(frozen=True)
class Pulled:
    """What a pull made current. `policy_tag` is None where the store holds no policy.

    `tag` and `digest` are those of `stable`; `channels` maps every channel to its release, and
    `left_out` those that could not be used to the reason.
    """

    tenant: str
    tag: str
    digest: str
    flows: tuple[str, ...]
    policy_tag: str | None
    moved: Moved = field(compare=False)
    channels: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


def pull(
    source: Source,
    cache: Path,
    tenant: str,
    tag: str | None,
    now: datetime,
    keys: Keys | None = None,
) -> Pulled:
    """Pulls what a tenant's channels take (or the release of one tag) and the newest policy.

    Both are proven and tested before either is used; the policy is adopted first, since a release
    may need it. `keys` are those that this machine trusts unless others are given. Raises
    FatalError for a store, tenant or tag that does not exist, and Refused for anything that must
    not be used; then what was current still is.
    """
    check_name(tenant)
    require_cache(cache)
    pulling = Pulling(source, cache, keys_here() if keys is None else keys, now)
    if not source.holds(tenant):
        known = ", ".join(source.tenants()) or "none"
        raise FatalError(f"the store holds no tenant {tenant!r}; its tenants: {known}")
    policy = pull_policy(pulling)
    found = pull_release(pulling, tenant, tag)
    stable = found.rollout.stable
    return Pulled(
        tenant,
        stable.tag,
        stable.digest,
        tuple(sorted(stable.tables)),
        policy.tag if policy else None,
        pulling.moved,
        {channel: release.tag for channel, release in found.rollout.releases.items()},
        found.left_out,
    )
