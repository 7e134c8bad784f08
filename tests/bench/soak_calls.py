"""Hundreds of calls at once on two processes, while back ends fail and releases come: every call is
accounted for, and memory is flat.

`.venv/bin/python tests/bench/soak_calls.py [--calls 500] [--minutes 10] [--release-every 60]`. Text
calls on a real session, gate, ledger and record; the model wanders through the flow and the back
ends are the sandbox, of which one answer in twenty is a failure. A caller thinks for some seconds
between turns. What a turn takes of our own (without the back ends) stands beside the same on
livekit-agents alone. The exit code is 1 if anything is lost, or if memory grows.
"""

import argparse
import asyncio
import logging
import multiprocessing
import os
import queue
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from livekit.agents import Agent, AgentSession, RunContext, llm
from sqlalchemy import func, select
from wandering import WORDS, Wanderer

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.inputs import give_inputs
from trunkline_runtime.call.keeping import Keeping, call_log
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.ledger import Ledger
from trunkline_runtime.gate.ledger.tables import attempts, contacts, opt_outs
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.loaded import Pin, Release
from trunkline_runtime.sandbox.running import running_sandbox
from trunkline_runtime.sandbox.transfers import DeskTransfers
from trunkline_runtime.tools.kinds import dispatcher_of
from trunkline_runtime.worker.policy_here import PolicyHere

ROOT = Path(__file__).parents[2]
BEGAN = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)  # in everybody's window
# A tenant, one of its flows, the flow's inputs, and whether the call is dialled.
Flow: TypeAlias = tuple[str, str, Mapping[str, str], bool]
FLOWS: tuple[Flow, ...] = (
    ("northwind-energy", "overdue-invoice", {"account_id": "A-1001"}, True),
    ("northwind-energy", "service-line", {}, False),
    ("harbor-medical", "appointments", {}, False),
    ("atlas-research", "assistant", {}, False),
)
PROCESSES = 2
GROWTH = 1.10  # of the memory once every line is busy
BARE_SHARE = 0.2  # of the time, for livekit-agents alone


@dataclass
class Told:
    """What one process has to say."""

    begun: int = 0
    ended: int = 0
    turns: int = 0
    own: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    own_cpu: float = 0.0
    bare_cpu: float = 0.0
    bare_turns: int = 0
    rss: list[tuple[float, float]] = field(default_factory=list)


class Shifted:
    """The wall clock, moved to an hour at which everybody may be called."""

    def __init__(self) -> None:
        self._offset = BEGAN - datetime.now(UTC)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._offset


@dataclass
class Place:
    """One process's half of the soak."""

    cache: Path
    state: Path
    number: int
    seconds: float
    pause: float
    flows: Sequence[Flow] = FLOWS
    told: Told = field(default_factory=Told)

    async def run(self, calls: int) -> None:
        here = PolicyHere(self.cache)
        gate = PolicyGate.open(here.policy, here.settings, self.state)
        self._log = call_log(self.state)  # one for all calls, as a process has it
        until = time.monotonic() + self.seconds
        watching = asyncio.ensure_future(self._watch())
        cpu = time.process_time()
        await asyncio.gather(*(self._slot(n, gate, here, until) for n in range(calls)))
        self.told.own_cpu = time.process_time() - cpu
        watching.cancel()
        until = time.monotonic() + max(self.seconds * BARE_SHARE, 3 * self.pause)
        cpu = time.process_time()
        await asyncio.gather(*(self._bare(n, until) for n in range(calls)))
        self.told.bare_cpu = time.process_time() - cpu

    async def _slot(self, slot: int, gate: PolicyGate, here: PolicyHere, until: float) -> None:
        """One line of the telephone: a call, and the next one, until the time is over."""
        chance = random.Random(f"{self.number}/{slot}")
        await asyncio.sleep(chance.random() * self.pause)
        turn = 0
        while time.monotonic() < until:
            seed = chance.randrange(2**32)
            flow = self.flows[(slot + turn) % len(self.flows)]
            await self._call(flow, seed, gate, here, until)
            turn += 1

    async def _call(
        self, what: Flow, seed: int, gate: PolicyGate, here: PolicyHere, until: float
    ) -> None:
        tenant, flow, inputs, dials = what
        chance = random.Random(seed)
        call = Call.begin(
            Pin(self._release(tenant), flow),
            Shifted(),
            here.policy(),
            call_id=f"{self.number}-{self.told.begun}-{seed:x}",
            party=f"+120255501{chance.randrange(100):02d}",
            answered_by="human" if dials else None,
        )
        give_inputs(call, inputs)
        keeping = Keeping(call, self._log)
        self.told.begun += 1
        async with dispatcher_of(call, gate) as dispatcher:
            live = LiveCall(
                call,
                gate=gate,
                dispatcher=dispatcher,
                transfers=DeskTransfers(),
                model=Wanderer(seed),
                changed=keeping.changed,
            )
            caller = Caller(live)
            await live.start()
            for _ in range(chance.randrange(3, 12)):
                await self._think(chance, until)
                if call.state.over or time.monotonic() > until:
                    break
                await self._turn(call, caller, chance)
            await caller.hangs_up()
        keeping.complete()
        self.told.ended += 1

    async def _turn(self, call: Call, caller: Caller, chance: random.Random) -> None:
        before, began = len(call.state.tools), time.perf_counter()
        what = chance.random()
        if what < 0.05:
            await caller.presses(chance.choice("1290"))
        elif what < 0.1:
            await caller.let_time_run_out()
        else:
            await caller.says(chance.choice(WORDS))
        took = time.perf_counter() - began
        waited = sum(tool.seconds for tool in call.state.tools[before:])
        self.told.turns += 1
        self.told.own.append(max(0.0, took - waited))

    def _release(self, tenant: str) -> Release:
        """The current one; read anew when the cache has changed, as a worker does."""
        index = (self.cache / tenant / "index.json").stat()
        mark = index.st_mtime_ns, index.st_ino
        known = self._known.get(tenant)
        if known is None or known[0] != mark:
            known = self._known[tenant] = mark, current_release(self.cache, tenant)
        return known[1]

    def __post_init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int], Release]] = {}

    async def _think(self, chance: random.Random, until: float) -> None:
        """The seconds between two turns; nobody thinks beyond the end."""
        seconds = self.pause * (0.5 + chance.random())
        await asyncio.sleep(max(0.0, min(seconds, until - time.monotonic())))

    async def _watch(self) -> None:
        began = time.monotonic()
        while True:
            self.told.rss.append((time.monotonic() - began, _megabytes()))
            await asyncio.sleep(min(5.0, self.seconds / 20))

    async def _bare(self, slot: int, until: float) -> None:
        """The same caller and the same model on livekit-agents alone."""
        chance = random.Random(f"bare {self.number}/{slot}")
        await asyncio.sleep(chance.random() * self.pause)
        while time.monotonic() < until:
            model = Wanderer(chance.randrange(2**32))
            session: AgentSession[None] = AgentSession(llm=model, max_tool_steps=8)
            await session.start(Agent(instructions="Help.", tools=_bare_tools()))
            for _ in range(chance.randrange(3, 12)):
                await self._think(chance, until)
                if time.monotonic() > until:
                    break
                began = time.perf_counter()
                await session.run(user_input=chance.choice(WORDS))
                self.told.bare.append(time.perf_counter() - began)
                self.told.bare_turns += 1
            await session.aclose()


def _bare_tools() -> list[llm.Tool]:
    async def nothing(raw_arguments: dict[str, Any], context: RunContext[Any]) -> str:
        return "done"

    text = {"type": "object", "properties": {"value": {"type": "string"}}}
    return [
        llm.function_tool(
            nothing, raw_schema={"name": name, "description": name, "parameters": text}
        )
        for name in ("move_to", "collect", "look_up", "charge")
    ]


def _megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def in_process(place: Place, calls: int, answers: Any) -> None:
    logging.disable(logging.CRITICAL)  # what fails on purpose is in the records
    asyncio.run(place.run(calls))
    answers.put(place.told)


class Store:
    """The store that the calls' cache follows; a release is other words in one flow."""

    def __init__(self, folder: Path, flows: Sequence[Flow] = FLOWS) -> None:
        self.repository, self.store, self.cache = (
            folder / part for part in ("repo", "store", "cache")
        )
        self.tenants = sorted({tenant for tenant, *_ in flows})
        for part in ("flows", "catalog", "policy"):
            shutil.copytree(ROOT / part, self.repository / part)
        self.released = 0
        self.release()

    def release(self) -> None:
        """The first release, and then one that says other words in one flow."""
        if self.released:
            flow = self.repository / "flows/atlas-research/assistant.yaml"
            text = flow.read_text()
            before, after = ("two", "three")[:: 1 if self.released % 2 else -1]
            assert f"in {before} sentences" in text
            flow.write_text(text.replace(f"in {before} sentences", f"in {after} sentences"))
        self.released += 1
        only = [word for tenant in self.tenants for word in ("--tenant", tenant)]
        _run("trunkline", "-C", self.repository, "publish", "--to", self.store, *only)
        for tenant in self.tenants if self.released == 1 else ("atlas-research",):
            _run("trunkline-runtime", "pull", tenant, "--from", self.store, "--into", self.cache)


def _run(program: str, *arguments: object) -> None:
    command = [str(Path(sys.executable).with_name(program)), *map(str, arguments)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(f"{program} failed: {made.stderr or made.stdout}")


def faults(state: Path, told: list[Told]) -> list[str]:
    """Everything that is not accounted for, each as a sentence."""
    kept = list(records(state / "calls"))
    found = []
    begun, ids = sum(one.begun for one in told), {record["call_id"] for record in kept}
    if len(kept) != begun or len(ids) != begun:
        found.append(f"{begun} calls were begun and {len(ids)} have a record")
    found += [f"{record['call_id']} has no outcome" for record in kept if not record["outcome"]]
    decisions = list(records(state / "decisions"))
    for log in ("calls", "decisions"):
        fault = verify(state / log).fault
        if fault is not None:
            found.append(f"the record of {log} is broken: {fault}")
    known = {record["id"] for record in decisions if record.get("kind") == "tool"}
    for record in kept:
        for tool in record["tools"]:
            if tool["outcome"] == "running":
                found.append(f"{record['call_id']}: {tool['tool']} never ended")
            if tool["decision"] is not None and tool["decision"] not in known:
                found.append(f"{record['call_id']}: {tool['tool']} has no decision on record")
    return found + _ledger_faults(state, kept)


def _ledger_faults(state: Path, kept: list[Mapping[str, Any]]) -> list[str]:
    found = []
    engine = Ledger.at(state / "ledger.sqlite3")._engine
    with engine.connect() as connection:
        open_ = connection.execute(
            select(func.count()).select_from(attempts).where(attempts.c.state == "allowed")
        ).scalar_one()
        gone = set(connection.execute(select(opt_outs.c.number)).scalars())
        met = set(connection.execute(select(contacts.c.call)).scalars())
    if open_:
        found.append(f"{open_} attempts were allowed and never settled")
    for record in kept:
        if record["outcome"] == "opt_out" and not gone:
            found.append(f"{record['call_id']} opted out, and nobody is on the list")
        if record["contact"] == "yes" and record["call_id"] not in met:
            found.append(f"{record['call_id']} was a contact, and the ledger does not know it")
    return found


def soak(
    calls: int, seconds: float, every: float, pause: float, processes: int, flows: Sequence[Flow]
) -> int:
    with tempfile.TemporaryDirectory(prefix="trunkline-soak-") as name:
        folder = Path(name)
        os.environ["GIT_CEILING_DIRECTORIES"] = name
        os.environ["TRUNKLINE_STATE_DIR"] = str(folder / "state")
        store = Store(folder, flows)
        environment = {**os.environ, "TRUNKLINE_SANDBOX_ERROR_RATE": "0.05"}
        # One alone needs no process of its own: a short run need not wait for the imports.
        spawn = multiprocessing.get_context("spawn")
        start: Any = threading.Thread if processes == 1 else spawn.Process
        answers: Any = queue.Queue() if processes == 1 else spawn.Queue()
        with running_sandbox(environment=environment) as sandbox:
            os.environ.update(sandbox.environment)
            workers = []
            for number in range(processes):
                place = Place(store.cache, folder / "state", number, seconds, pause, flows)
                share = calls // processes
                workers.append(start(target=in_process, args=(place, share, answers)))
                workers[-1].start()
            told = _while_releasing(store, workers, answers, seconds, every)
        return _report(folder / "state", told, store.released, calls, seconds, pause)


def _while_releasing(
    store: Store, workers: list[Any], answers: Any, seconds: float, every: float
) -> list[Told]:
    began, released, told = time.monotonic(), 0, []
    while len(told) < len(workers):
        try:
            told.append(answers.get(timeout=0.5))
        except queue.Empty:
            if not any(worker.is_alive() for worker in workers) and answers.empty():
                raise SystemExit("a process of the soak died") from None
        passed = time.monotonic() - began
        if passed < seconds and passed > (released + 1) * every:
            released += 1
            store.release()
    for worker in workers:
        worker.join()
    return told


def _report(
    state: Path, told: list[Told], released: int, calls: int, seconds: float, pause: float
) -> int:
    kept = list(records(state / "calls"))
    outcomes = Counter(record["outcome"] for record in kept)
    tools = Counter(tool["outcome"] for record in kept for tool in record["tools"])
    pins = Counter(record["pin"]["release"] for record in kept)
    turns = sum(one.turns for one in told)
    print(f"{len(kept)} calls, {calls} at a time, {turns} turns in {seconds:.0f} s")
    print(f"releases: {released};", ", ".join(f"{n} on {tag}" for tag, n in sorted(pins.items())))
    print("outcomes:", ", ".join(f"{n} {what}" for what, n in outcomes.most_common()))
    print("tools:", ", ".join(f"{n} {what}" for what, n in tools.most_common()))
    own = [second for one in told for second in one.own]
    bare = [second for one in told for second in one.bare]
    for name, side in (("our own time per turn", own), ("livekit-agents alone", bare)):
        if len(side) < 2:
            continue  # too short a run to say
        p50, p99 = statistics.median(side), statistics.quantiles(side, n=100)[98]
        print(f"{name}: median {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms ({len(side)} turns)")
    cpu = sum(one.own_cpu for one in told) / max(1, turns)
    theirs = sum(one.bare_cpu for one in told) / max(1, sum(one.bare_turns for one in told))
    print(
        f"processor time per turn: {1000 * cpu:.0f} ms; livekit-agents alone {1000 * theirs:.0f} ms"
    )
    found = faults(state, told)
    # Each line has begun its first call after one pause; a second one lets caches fill.
    warm = min(2 * pause, seconds / 2)
    for number, one in enumerate(told):
        third = (seconds - warm) / 3
        early = [mb for at, mb in one.rss if warm <= at <= warm + third]
        late = [mb for at, mb in one.rss if seconds - third <= at <= seconds]
        if not early or not late:
            continue
        first, last = statistics.median(early), statistics.median(late)
        print(f"memory of process {number}: {first:.0f} MB early, {last:.0f} MB late")
        if last > first * GROWTH:
            found.append(f"memory of process {number} grew from {first:.0f} to {last:.0f} MB")
    for fault in found[:20]:
        print(f"FAULT: {fault}")
    print("every call is accounted for" if not found else f"{len(found)} faults")
    return int(bool(found))


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--calls", type=int, default=500)
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--release-every", type=float, default=60.0, help="seconds")
    options.add_argument("--pause", type=float, default=20.0, help="seconds between turns")
    options.add_argument("--processes", type=int, default=PROCESSES)
    options.add_argument("--only", metavar="TENANT", help="calls of this tenant alone")
    chosen = options.parse_args()
    flows = [flow for flow in FLOWS if chosen.only in (None, flow[0])]
    seconds = 60.0 * chosen.minutes
    every, pause, processes = chosen.release_every, chosen.pause, chosen.processes
    return soak(chosen.calls, seconds, every, pause, processes, flows)


if __name__ == "__main__":
    sys.exit(main())
