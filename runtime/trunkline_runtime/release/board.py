"""The releases that one process runs: those that new calls take, and those that calls hold."""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.loaded import Pin, Release
from trunkline_runtime.release.rollout import Rollout, only


@dataclass(frozen=True)
class Standing:
    """One release on the board: the channels that take it, and how many calls hold it.

    A release without channels is draining. `since` says for a channel since when it takes it.
    """

    release: Release
    channels: tuple[str, ...]
    calls: int
    since: Mapping[str, datetime]

    @property
    def current(self) -> bool:
        """True if a new call may take it."""
        return bool(self.channels)


class PinBoard:
    """Gives each call one pin at its start; a newer release never changes a pin that is held.

    A release is forgotten when it is no longer current and its last call has ended. Threads may
    adopt while others take: each method is one step.
    """

    def __init__(self) -> None:
        self._rollouts: dict[str, Rollout] = {}
        self._held: dict[str, Release] = {}  # by manifest digest
        self._calls: Counter[str] = Counter()
        self._lock = threading.Lock()

    def adopt(self, rollout: Rollout | Release) -> None:
        """Makes releases the ones that new calls of their tenant take; one for all, or by channel.

        Every call that begins after this returns takes them, and none sees part of the change.
        """
        whole = only(rollout) if isinstance(rollout, Release) else rollout
        with self._lock:
            self._rollouts[whole.tenant] = whole

    def rollout(self, tenant: str) -> Rollout | None:
        """What the channels of a tenant take now."""
        return self._rollouts.get(tenant)

    def current(self, tenant: str) -> Release | None:
        """The release that a call outside the canary would take now."""
        found = self._rollouts.get(tenant)
        return found.stable if found else None

    def take(
        self, tenant: str, flow: str, call_id: str | None = None, channel: str | None = None
    ) -> Pin:
        """A pin on the release that a call takes, to be given back with `drop`.

        A call that names no channel is in the canary by its id. Raises FatalError if the tenant
        has no release here, the channel does not exist, or the release has no such flow.
        """
        with self._lock:
            rollout = self._rollouts.get(tenant)
            if rollout is None:
                raise FatalError(f"no release of {tenant} is loaded")
            release = rollout.release(call_id, channel)
            pin = Pin(release, flow)
            self._held[release.digest] = release
            self._calls[release.digest] += 1
            return pin

    def drop(self, pin: Pin) -> None:
        """Gives a pin back. Raises ValueError for one that nobody holds."""
        with self._lock:
            digest = pin.release.digest
            if self._calls[digest] < 1:
                raise ValueError(f"no call holds {pin.release.tenant} {pin.tag}")
            self._calls[digest] -= 1
            if self._calls[digest] == 0:
                del self._calls[digest], self._held[digest]

    @contextmanager
    def held(
        self, tenant: str, flow: str, call_id: str | None = None, channel: str | None = None
    ) -> Iterator[Pin]:
        """A pin for as long as the block runs."""
        pin = self.take(tenant, flow, call_id, channel)
        try:
            yield pin
        finally:
            self.drop(pin)

    def standings(self) -> tuple[Standing, ...]:
        """Every release that is current or held, by tenant and sequence."""
        with self._lock:
            rows = {digest: self._row(release) for digest, release in self._held.items()}
            for rollout in self._rollouts.values():
                for release in rollout.releases.values():
                    rows[release.digest] = self._row(release, rollout)
        return tuple(
            sorted(rows.values(), key=lambda row: (row.release.tenant, row.release.sequence))
        )

    def _row(self, release: Release, rollout: Rollout | None = None) -> Standing:
        calls = self._calls.get(release.digest, 0)
        if rollout is None:
            return Standing(release, (), calls, {})
        return Standing(release, rollout.channels_of(release), calls, rollout.since)
