"""The LiveKit worker: registers, takes jobs, and gives each call a process of its own.

The main process follows the store, shows metrics, and looks after what calls left behind; it holds
no call. A process of a call takes its pin from the cache when its job comes, never before.
"""

import asyncio
import functools
import logging
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from livekit.agents import AgentServer, JobContext

from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.pending import PendingGate
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.follower import Follower
from trunkline_runtime.release.housekeeping import Housekeeping
from trunkline_runtime.release.pace import Pace
from trunkline_runtime.tls import tls_context
from trunkline_runtime.worker.cut_off import complete_lost
from trunkline_runtime.worker.line import Line, RoomLine
from trunkline_runtime.worker.lines_here import write_lines
from trunkline_runtime.worker.phone_call import PhoneCall, VoicesOf
from trunkline_runtime.worker.policy_here import PolicyHere
from trunkline_runtime.worker.sip import SipLine
from trunkline_runtime.worker.station import Station
from trunkline_runtime.worker.tracing import provider_here
from trunkline_runtime.worker.voices import voices_of

logger = logging.getLogger("trunkline.worker")

LineOf = Callable[[JobContext], Line]
_LOOK_AFTER_SECONDS = 60.0


async def entrypoint(station: Station, line_of: LineOf, voices: VoicesOf, ctx: JobContext) -> None:
    """Holds the call of one job, in the process that LiveKit gave it."""
    # In a thread, before anybody is on the line: the models and tools of the call share it.
    await asyncio.to_thread(tls_context)
    sip = SipLine(station.url, station.key, station.secret)
    provider, line = provider_here(), line_of(ctx)
    try:
        await PhoneCall(station, line, sip, provider, voices).hold(ctx.job.metadata)
    except asyncio.CancelledError:
        # The time to drain is over: LiveKit gives such a job to nobody else, and who is on the line
        # would wait in silence for as long as they like.
        await sip.close_room(line.room)
        raise
    finally:
        await sip.aclose()
        if provider is not None:
            await asyncio.to_thread(provider.shutdown)
        ctx.shutdown("the call is over")


def make_server(
    station: Station,
    *,
    agent_name: str = "",
    port: int = 8081,
    metrics_port: int | None = None,
    drain_seconds: int = 3600,
    idle_processes: int | None = None,
    load_threshold: float = 0.7,
    line_of: LineOf = RoomLine,
    voices: VoicesOf = voices_of,
) -> AgentServer:
    """The server, not running yet. `port` is that of its health check, `idle_processes` how many
    processes wait for a call (LiveKit's own number unless one is given), `load_threshold` the share
    of the machine's processors above which no job is taken.

    `line_of` and `voices` go to the process of each call, so they can be pickled.
    """
    more: dict[str, Any] = {} if metrics_port is None else {"prometheus_port": metrics_port}
    if idle_processes is not None:
        more["num_idle_processes"] = idle_processes
    server = AgentServer(
        ws_url=station.url,
        api_key=station.key,
        api_secret=station.secret,
        port=port,
        drain_timeout=drain_seconds,
        load_threshold=load_threshold,
        **more,
    )
    server.rtc_session(
        functools.partial(entrypoint, station, line_of, voices), agent_name=agent_name
    )
    return server


async def serve(server: AgentServer, looking_after: Callable[[], None]) -> None:
    """Runs until SIGTERM or SIGINT; then takes no job more, and ends when the last call has.

    A second signal ends it at once. Raises FatalError if LiveKit can't be reached for long.
    `looking_after` is called at a steady pace, in a thread.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    running = asyncio.create_task(server.run())
    stopping = asyncio.create_task(stop.wait())
    caring = asyncio.create_task(_care(looking_after))
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            problem = running.exception()
            raise FatalError(f"LiveKit can't be reached: {problem}")
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
        logger.info("no job more is taken; calls that run are held to their end")
        try:
            await server.drain()
        except TimeoutError:
            logger.warning("calls still run after the time to drain; they are cut off")
        await server.aclose()
        await running
    finally:
        for task in (stopping, caring):
            task.cancel()


async def _care(looking_after: Callable[[], None]) -> None:
    while True:
        await asyncio.to_thread(looking_after)
        await asyncio.sleep(_LOOK_AFTER_SECONDS)


class Aftercare:
    """Delivers what the ledger had not taken, and completes calls that were cut off.

    Call it at a steady pace, from one thread. Its gate is opened once, and again only if it could
    not be. Never raises for what a ledger or a disk can do.
    """

    def __init__(self, station: Station) -> None:
        self._station = station
        self._here = PolicyHere(station.cache)
        self._gate: PolicyGate | None = None

    def __call__(self) -> None:
        try:
            if self._gate is None:
                self._gate = PolicyGate.open(
                    self._here.policy, self._here.settings, self._station.state
                )
            else:
                self._gate.expire_holds()
            asyncio.run(self._round(PendingGate(self._gate, self._station.state)))
        except Exception as problem:
            name = type(problem).__name__
            logger.warning("what calls left behind can't be looked after (%s)", name)

    async def _round(self, gate: PendingGate) -> None:
        await gate.deliver()
        await complete_lost(self._station, gate, self._here.policy)


class Following:
    """Follows a store in a thread of its own, for as long as the block runs."""

    def __init__(
        self,
        station: Station,
        follower: Follower,
        board: PinBoard,
        keeping: Housekeeping,
        every: float,
    ) -> None:
        self._station = station
        self._pace = Pace(every)
        self._follower = follower
        self._board = board
        self._keeping = keeping
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)

    def __enter__(self) -> "Following":
        self._follower.restore()
        self._note()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(timeout=5.0)

    def _run(self) -> None:
        self._follower.poll()
        self._note()
        self._follower.run(self._stop, self._pace, self._note)

    def _note(self) -> None:
        self._keeping.round(datetime.now(UTC))
        releases = [
            rollout.stable
            for tenant in self._follower.tenants
            if (rollout := self._board.rollout(tenant)) is not None
        ]
        try:
            write_lines(self._station.cache, releases)
        except OSError as error:
            logger.warning("the tenants' numbers can't be written: %s", error.strerror)
