"""The releases that one process runs: the current one of each tenant, and those that calls hold."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.loaded import Pin, Release


@dataclass(frozen=True)
class Standing:
    """One release on the board, and how many calls hold it."""

    release: Release
    current: bool
    calls: int


class PinBoard:
    """Gives each call one pin at its start; a newer release never changes a pin that is held.

    A release is forgotten when it is no longer current and its last call has ended. Threads may
    adopt while others take: each method is one step.
    """

    def __init__(self) -> None:
        self._current: dict[str, Release] = {}
        self._held: dict[str, Release] = {}  # by manifest digest
        self._calls: Counter[str] = Counter()
        self._lock = threading.Lock()

    def adopt(self, release: Release) -> None:
        """Makes a release the one that new calls of its tenant take."""
        with self._lock:
            self._current[release.tenant] = release

    def current(self, tenant: str) -> Release | None:
        """The release that a call would take now."""
        return self._current.get(tenant)

    def take(self, tenant: str, flow: str) -> Pin:
        """A pin on the tenant's current release, to be given back with `drop`.

        Raises FatalError if the tenant has no release here or the release no such flow.
        """
        with self._lock:
            release = self._current.get(tenant)
            if release is None:
                raise FatalError(f"no release of {tenant} is loaded")
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
    def held(self, tenant: str, flow: str) -> Iterator[Pin]:
        """A pin for as long as the block runs."""
        pin = self.take(tenant, flow)
        try:
            yield pin
        finally:
            self.drop(pin)

    def standings(self) -> tuple[Standing, ...]:
        """Every release that is current or held, by tenant and sequence."""
        with self._lock:
            currents = {release.digest: release for release in self._current.values()}
            rows = [
                Standing(release, digest in currents, self._calls.get(digest, 0))
                for digest, release in (self._held | currents).items()
            ]
        return tuple(sorted(rows, key=lambda row: (row.release.tenant, row.release.sequence)))
