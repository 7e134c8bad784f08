"""`follow [TENANT…] --from STORE`: keeps a cache in step with a store, for as long as it runs."""

import logging
import signal
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from trunkline_runtime.commands.followed import followed
from trunkline_runtime.commands.options import from_option, into_option
from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.cache import require_cache
from trunkline_runtime.release.collect import AUDIT
from trunkline_runtime.release.follower import Follower
from trunkline_runtime.release.housekeeping import Housekeeping
from trunkline_runtime.release.pace import Pace
from trunkline_runtime.release.pulling import Rehearsal
from trunkline_runtime.release.source import check_name
from trunkline_runtime.release.store import open_source
from trunkline_runtime.release.watch import Nobody, Watch
from trunkline_runtime.release.workers import WorkerReport


@click.command("follow")
@click.argument("tenants", nargs=-1, metavar="[TENANT]…")
@from_option(required=True, says="The store to follow")
@into_option
@click.option(
    "--every", type=click.FloatRange(0.1), default=15.0, show_default=True, help="Seconds."
)
@click.option("--once", is_flag=True, help="Ask once, and end: 1 if something was refused.")
@click.option("--metrics-port", type=click.IntRange(1, 65535), help="Serve Prometheus there.")
@click.option(
    "--audit-days",
    type=click.FloatRange(0),
    default=AUDIT.days,
    show_default=True,
    help="How long a release stays here after its last channel left it.",
)
def command(
    tenants: tuple[str, ...],
    store: str,
    cache: Path,
    every: float,
    once: bool,
    metrics_port: int | None,
    audit_days: float,
) -> int:
    """Keep a cache in step with a store: policy, channels, releases.

    Each release is proven, loaded, and every node's agent built, before it is current. Follows
    every tenant of the store if none is named. What is refused, or can't be had, changes nothing.
    Ends on SIGTERM.
    """
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    require_cache(cache)
    for tenant in tenants:
        check_name(tenant)
    source = open_source(store)
    board = PinBoard()
    watch = _metrics(board, metrics_port) if metrics_port is not None else Nobody()
    follower = Follower(
        source,
        cache,
        board,
        followed(tenants, source, cache),
        rehearse=_rehearsal(),
        watch=watch,
    )
    follower.restore()
    try:
        with WorkerReport(cache) as report:
            keeping = Housekeeping(cache, board, report, timedelta(days=audit_days))
            if once:
                follower.poll()
                keeping.round(datetime.now(UTC))
            else:
                stop = threading.Event()
                for number in (signal.SIGTERM, signal.SIGINT):
                    signal.signal(number, lambda *_: stop.set())
                follower.run(stop, Pace(every), lambda: keeping.round(datetime.now(UTC)))
    except OSError as error:
        raise FatalError(f"{cache} can't be written: {error.strerror}") from None
    faults = {name: follower.fault(name) for name in ("_policy", *follower.tenants)}
    return int(any(faults.values()))


def _rehearsal() -> Rehearsal:
    """Builds each node's agent. LiveKit takes a second to load, and only here for releases."""
    from trunkline_runtime.call import rehearsal

    return rehearsal.Rehearsal()


def _metrics(board: PinBoard, port: int) -> Watch:
    from prometheus_client import CollectorRegistry, start_http_server

    from trunkline_runtime.release.metrics import FleetMetrics

    registry = CollectorRegistry()
    try:
        start_http_server(port, registry=registry)
    except OSError as error:
        raise FatalError(f"metrics can't be served on port {port}: {error.strerror}") from None
    return FleetMetrics(board, registry)
