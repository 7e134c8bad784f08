"""What a follower and its board do, for Prometheus."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from trunkline_runtime.release.board import Standing

_SWAP_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, float("inf"))


class Board(Protocol):
    """What is shown: the board of this process, or of all the processes of a worker."""

    def standings(self) -> Sequence[Standing]: ...


class FleetMetrics:
    """Told by a follower what it does (see `watch`), and shows what the board holds."""

    def __init__(self, board: Board, registry: CollectorRegistry) -> None:
        tenant = ("tenant",)
        self._polls = Gauge(
            "trunkline_last_poll_timestamp_seconds",
            "When the store was last followed without a fault.",
            tenant,
            registry=registry,
        )
        self._unavailable = Counter(
            "trunkline_pull_failures",
            "Polls that could not read the store or write the disk.",
            tenant,
            registry=registry,
        )
        self._refused = Counter(
            "trunkline_release_refusals",
            "Polls that were offered what must not be used.",
            tenant,
            registry=registry,
        )
        self._swaps = Histogram(
            "trunkline_swap_seconds",
            "From seeing something new to calls taking it.",
            tenant,
            buckets=_SWAP_BUCKETS,
            registry=registry,
        )
        self._expires = Gauge(
            "trunkline_channel_expires_timestamp_seconds",
            "When a channel expires unless it is renewed.",
            ("tenant", "channel"),
            registry=registry,
        )
        registry.register(_Board(board))

    def polled(self, name: str, now: datetime) -> None:
        self._polls.labels(name).set(now.timestamp())

    def unavailable(self, name: str) -> None:
        self._unavailable.labels(name).inc()

    def refused(self, name: str) -> None:
        self._refused.labels(name).inc()

    def swapped(self, name: str, seconds: float) -> None:
        self._swaps.labels(name).observe(seconds)

    def expires(self, name: str, channel: str, when: datetime) -> None:
        self._expires.labels(name, channel).set(when.timestamp())


class _Board(Collector):
    """The board at the moment it is looked at: releases that left it leave the metrics too."""

    def __init__(
        self, board: Board, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._board = board
        self._clock = clock

    def collect(self) -> Iterator[GaugeMetricFamily]:
        takes = GaugeMetricFamily(
            "trunkline_channel_release_info",
            "The release that each channel takes.",
            labels=("tenant", "channel", "release", "digest"),
        )
        age = GaugeMetricFamily(
            "trunkline_channel_release_age_seconds",
            "How long a channel has taken its release here.",
            labels=("tenant", "channel"),
        )
        calls = GaugeMetricFamily(
            "trunkline_release_calls",
            "Calls that hold a release; it is draining where no channel takes it.",
            labels=("tenant", "release", "state"),
        )
        now = self._clock()
        for row in self._board.standings():
            release = row.release
            state = "current" if row.current else "draining"
            calls.add_metric((release.tenant, release.tag, state), row.calls)
            for channel in row.channels:
                takes.add_metric((release.tenant, channel, release.tag, release.digest), 1)
                since = row.since.get(channel, now)
                age.add_metric((release.tenant, channel), max(0.0, (now - since).total_seconds()))
        yield from (takes, age, calls)
