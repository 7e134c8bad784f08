"""Where a tenant's channels should point: what `channels.yaml` says, unless a hand holds them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from trunkline.failure import FatalError
from trunkline.release.channel_documents import Documents
from trunkline_runtime.table.channel import POLICY_CHANNEL, STABLE, Channel
from trunkline_runtime.table.layout import POLICY_NAME

NEWEST = frozenset({"latest", "next"})
MANUAL = "manual"
VALID = timedelta(days=30)  # what a channel lasts unless it is renewed

Declared = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Mover:
    """Who moves a channel, and why."""

    by: str
    reason: str


@dataclass(frozen=True)
class Occasion:
    """When this is published, for how long its channels last, and who moves what.

    `changed` says who last changed a tenant's `channels.yaml`, `released` who made the commit that
    a tag was released from. With `renew` every channel is made anew, whatever time it has left.
    """

    now: datetime
    valid: timedelta
    changed: Callable[[str], Mover]
    released: Callable[[str], Mover]
    renew: bool = False

    def renews(self, channel: Channel) -> bool:
        """True if a channel has less than half of its time left, or is to be made anew."""
        return self.renew or channel.expires - self.now < self.valid / 2


@dataclass(frozen=True)
class Targets:
    """The releases that channels of a tenant may name. `digest` is None for a tag that is not."""

    newest: str
    digest: Callable[[str], str | None]


def declared_of(name: str, written: Declared) -> Declared:
    """What is said of each channel; `stable` takes the newest release unless something is said."""
    if name == POLICY_NAME:
        return {POLICY_CHANNEL: {"release": "latest"}}
    said = {own: entry for own, entry in written.items() if own != "schema_version"}
    return {STABLE: {"release": "latest"}, **said}


def planned(
    name: str, written: Declared, before: Documents, targets: Targets, occasion: Occasion
) -> dict[str, Channel]:
    """The channels as they should be; those that stay are the same as in `before`.

    Raises FatalError for a channel that names a release which is not there.
    """
    declared = declared_of(name, written)
    step = _Step(name, before, targets, occasion)
    after = {own: step.moved(own, dict(entry)) for own, entry in declared.items()}
    found = {own: channel for own, channel in after.items() if channel is not None}
    for own, channel in before.channels.items():
        if own not in declared:
            found[own] = step.retired(channel, found.get(STABLE, channel))
    if any(map(occasion.renews, found.values())):
        found = {own: step.renewed(channel) for own, channel in found.items()}
    return found


class _Step:
    """One step of a tenant's channels: all that change get the same sequence number."""

    def __init__(self, name: str, before: Documents, targets: Targets, occasion: Occasion) -> None:
        self._name = name
        self._before = before
        self._targets = targets
        self._occasion = occasion
        self._sequence = before.last + 1

    def moved(self, own: str, declared: dict[str, Any]) -> Channel | None:
        """A declared channel; None for one that nobody has promoted a release to yet."""
        old = self._before.channels.get(own)
        if old is not None and old.hold and old.declared == declared:
            return old  # until a pull request changes this channel
        release = declared["release"]
        if release == MANUAL:
            if old is None:
                return None
            tag, digest = old.release, old.digest
        else:
            tag = self._targets.newest if release in NEWEST else release
            digest = self._digest(own, tag)
        percent = declared.get("percent", 100)
        said = old is not None and old.declared == declared
        if old is not None and said and (old.release, old.digest) == (tag, digest):
            return old
        mover = self._occasion.released(tag) if said else self._occasion.changed(self._name)
        return self._made(own, tag, digest, percent, mover, declared)

    def retired(self, channel: Channel, stable: Channel) -> Channel:
        """A channel that `channels.yaml` no longer has: no call is put in it by its id."""
        if channel.hold and channel.declared is None:
            return channel  # made by hand alone, and left to that hand
        done = (channel.release, channel.digest, channel.percent, channel.declared)
        if done == (stable.release, stable.digest, 0, None):
            return channel
        mover = self._occasion.changed(self._name)
        return self._made(channel.name, stable.release, stable.digest, 0, mover, None)

    def renewed(self, channel: Channel) -> Channel:
        """The same, for longer: who moved it, when and why stays."""
        expires = self._occasion.now + self._occasion.valid
        return replace(channel, sequence=self._sequence, expires=expires)

    def _made(
        self,
        own: str,
        tag: str,
        digest: str,
        percent: int,
        mover: Mover,
        declared: Mapping[str, Any] | None,
    ) -> Channel:
        now = self._occasion.now.replace(microsecond=0)
        return Channel(
            tenant=self._name,
            name=own,
            release=tag,
            digest=digest,
            percent=percent,
            sequence=self._sequence,
            at=now,
            expires=now + self._occasion.valid,
            by=mover.by,
            reason=mover.reason,
            declared=declared,
        )

    def _digest(self, own: str, tag: str) -> str:
        found = self._targets.digest(tag)
        if found is None:
            raise FatalError(
                f"flows/{self._name}/channels.yaml: {own} names {tag}, and there is no such "
                f"release of {self._name}; the newest is {self._targets.newest}"
            )
        return found
