"""`worker [TENANT…] --from STORE`: answers and makes calls on a LiveKit server, until SIGTERM."""

import asyncio
import logging
import os
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from trunkline_runtime.commands.followed import followed
from trunkline_runtime.commands.options import STORE_VARIABLE, from_option, into_option
from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.collect import AUDIT
from trunkline_runtime.release.follower import Follower
from trunkline_runtime.release.housekeeping import Housekeeping
from trunkline_runtime.release.source import check_name
from trunkline_runtime.release.store import open_source
from trunkline_runtime.release.trusted import keys_here
from trunkline_runtime.release.workers import WorkerReport
from trunkline_runtime.state import state_folder

if TYPE_CHECKING:
    from trunkline_runtime.release.metrics import FleetMetrics
    from trunkline_runtime.worker.fleet_view import FleetView
    from trunkline_runtime.worker.station import Station

_NEEDED = ("LIVEKIT_URL", "LIVEKIT_API_KEY", "LIVEKIT_API_SECRET", "TRUNKLINE_LLM_BASE_URL")
_HTTP = ("http", "https")
_TRACES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_ADDRESSES = {
    "LIVEKIT_URL": ("ws", "wss", *_HTTP),
    "TRUNKLINE_LLM_BASE_URL": _HTTP,
    "TRUNKLINE_STT_BASE_URL": _HTTP,
    "TRUNKLINE_TTS_BASE_URL": _HTTP,
    **dict.fromkeys(_TRACES, _HTTP),
}
_TRUNK, _SHOWN, _FALLBACK = (
    "TRUNKLINE_SIP_TRUNK",
    "TRUNKLINE_SIP_NUMBER",
    "TRUNKLINE_FALLBACK_NUMBER",
)
_E164 = re.compile(r"\+[1-9]\d{6,14}")


@click.command("worker")
@click.argument("tenants", nargs=-1, metavar="[TENANT]…")
@from_option(required=True, says="The store to follow", checked=False)
@into_option
@click.option(
    "--every", type=click.FloatRange(0.1), default=15.0, show_default=True, help="Seconds."
)
@click.option("--agent-name", default="", help="Take only jobs that ask for this name.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8081, show_default=True, help="Health check."
)
@click.option("--metrics-port", type=click.IntRange(1, 65535), help="Serve Prometheus there.")
@click.option(
    "--drain-seconds",
    type=click.IntRange(1),
    default=3600,
    show_default=True,
    help="How long calls may go on after SIGTERM.",
)
@click.option(
    "--load",
    type=click.FloatRange(0.05, 1.0),
    default=0.7,
    show_default=True,
    help="Take no job above this share of the processors.",
)
@click.option(
    "--idle-processes",
    type=click.IntRange(0),
    help="Processes that wait for a call; by default one for each processor.",
)
@click.option(
    "--unsigned", is_flag=True, help="Run without trusted keys: anybody's releases are taken."
)
def command(
    tenants: tuple[str, ...],
    store: str | None,
    cache: Path,
    every: float,
    agent_name: str,
    port: int,
    metrics_port: int | None,
    drain_seconds: int,
    load: float,
    idle_processes: int | None,
    unsigned: bool,
) -> None:
    """Answer and make calls on a LiveKit server; docs/jobs.md says how a job asks for one.

    Follows the store by itself. Each call runs in a process of its own on the release that it
    began on. On SIGTERM no job more is taken, and the calls that run are held to their end.
    """
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    for tenant in tenants:
        check_name(tenant)
    store = _checked(store, unsigned)
    source = open_source(store)
    named = followed(tenants, source, cache)
    station = _station(cache)
    # Imported here: `--help` and a refusal need not wait for LiveKit.
    from trunkline_runtime.call.rehearsal import Rehearsal
    from trunkline_runtime.worker.fleet_view import FleetView
    from trunkline_runtime.worker.server import Aftercare, Following, make_server, serve

    board = PinBoard()
    follower = Follower(
        source,
        cache,
        board,
        named,
        rehearse=Rehearsal(),
        watch=_metrics(FleetView(board, cache)) if metrics_port is not None else None,
    )
    server = make_server(
        station,
        agent_name=agent_name,
        port=port,
        metrics_port=metrics_port,
        drain_seconds=drain_seconds,
        load_threshold=load,
        idle_processes=idle_processes,
    )
    try:
        with WorkerReport(cache) as report:
            keeping = Housekeeping(cache, board, report, timedelta(days=AUDIT.days))
            with Following(station, follower, board, keeping, every):
                asyncio.run(serve(server, Aftercare(station)))
    except OSError as error:
        raise FatalError(f"{cache} or a port can't be used: {error.strerror}") from None


def _checked(store: str | None, unsigned: bool) -> str:
    """The store. Raises FatalError for what a worker can't do without, all in one sentence."""
    found: list[str] = []
    missing = [name for name in _NEEDED if not os.environ.get(name)]
    if missing:
        found.append(f"a worker needs {', '.join(missing)} in its environment")
    if not store:
        found.append(f"a worker needs a store: --from STORE, or {STORE_VARIABLE}")
    try:
        if not keys_here() and not unsigned:
            found.append(
                "a worker needs the keys that it trusts (TRUNKLINE_TRUSTED_KEYS); "
                "--unsigned runs without"
            )
    except FatalError as problem:
        found.append(str(problem))
    wrong = list(_no_addresses())
    found += wrong
    if not wrong and any(os.environ.get(name) for name in _TRACES):
        # Loaded only where somebody collects traces.
        from trunkline_runtime.worker.tracing import fault_here

        found += filter(None, [fault_here()])
    for name in (_FALLBACK, _SHOWN):
        number = os.environ.get(name)
        if number and not _E164.fullmatch(number):
            found.append(f"{name} is no number: write + and country code, digits only")
    if found or not store:
        raise FatalError("; ".join(found))
    return store


def _no_addresses() -> Iterator[str]:
    """What should be an address and is none: it would be tried for ever. May hold a secret, so it
    is not shown.
    """
    for name, schemes in _ADDRESSES.items():
        given = os.environ.get(name)
        if given and not _is_address(given, schemes):
            begins = " or ".join(f"{scheme}://" for scheme in schemes)
            yield f"{name} is no address: it begins with {begins} and names a host"


def _is_address(given: str, schemes: Sequence[str]) -> bool:
    try:
        parts = urlsplit(given)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _station(cache: Path) -> "Station":
    """Raises FatalError if the gate can't keep its books here: then no call may be taken."""
    from trunkline_runtime.gate.gate import PolicyGate
    from trunkline_runtime.gate.ledger import LedgerDown
    from trunkline_runtime.worker.policy_here import PolicyHere
    from trunkline_runtime.worker.sip import Trunk
    from trunkline_runtime.worker.station import Station

    state, here = state_folder(), PolicyHere(cache)
    try:
        PolicyGate.open(here.policy, here.settings, state)
    except LedgerDown as error:
        raise FatalError(f"the gate cannot keep its books in {state}: {error}") from None
    trunk = os.environ.get(_TRUNK)
    return Station(
        cache=cache,
        state=state,
        url=os.environ["LIVEKIT_URL"],
        key=os.environ["LIVEKIT_API_KEY"],
        secret=os.environ["LIVEKIT_API_SECRET"],
        trunk=Trunk(trunk, os.environ.get(_SHOWN) or None) if trunk else None,
        fallback=os.environ.get(_FALLBACK) or None,
    )


def _metrics(view: "FleetView") -> "FleetMetrics":
    """On the port of LiveKit's own metrics, which shows the registry of the process."""
    from prometheus_client import REGISTRY

    from trunkline_runtime.release.metrics import FleetMetrics

    return FleetMetrics(view, REGISTRY)
