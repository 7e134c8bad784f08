"""Which release each call of a tenant takes: by the channel it names, or by its own id."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.table.channel import CANARY, STABLE


@dataclass(frozen=True)
class Rollout:
    """What the channels of one tenant point at, loaded. `releases` always has `stable`.

    `canary_percent` is the share of calls that take the canary without asking for it. `since` says
    for a channel when its release became current on this machine, where that is known.
    """

    tenant: str
    releases: Mapping[str, Release]
    canary_percent: int = 0
    since: Mapping[str, datetime] = field(default_factory=dict)

    @property
    def stable(self) -> Release:
        return self.releases[STABLE]

    def channel(self, call_id: str | None) -> str:
        """The channel of a call that names none. The same id always gives the same share."""
        if call_id is None or CANARY not in self.releases:
            return STABLE
        return CANARY if share(call_id) < self.canary_percent else STABLE

    def release(self, call_id: str | None, channel: str | None) -> Release:
        """The release that a call takes. Raises FatalError for a channel that does not exist."""
        wanted = channel if channel is not None else self.channel(call_id)
        if wanted not in self.releases:
            known = ", ".join(sorted(self.releases))
            raise FatalError(f"{self.tenant} has no channel {wanted!r} here; it has: {known}")
        return self.releases[wanted]

    def channels_of(self, release: Release) -> tuple[str, ...]:
        """The channels that point at a release."""
        return tuple(
            sorted(name for name, each in self.releases.items() if each.digest == release.digest)
        )


def only(release: Release) -> Rollout:
    """The rollout of a release that all calls take."""
    return Rollout(release.tenant, {STABLE: release})


def share(call_id: str) -> float:
    """A number from 0 up to 100 that a call id always has: SHA-256 of its UTF-8, as a fraction.

    Raising a percentage keeps the calls that were in the canary there.
    """
    head = hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).digest()[:8]
    return int.from_bytes(head, "big") / 2**64 * 100
