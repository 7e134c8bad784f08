"""Where scenarios are played: releases of the working tree, one sandbox, and a gate for each call.

Everything is the runtime's own: the LiveKit session, the dispatcher, the gate with its ledger and
its record of decisions. Only the caller and the model's choices come from the scenario. Nothing of
the process's environment has a say, so that a scenario says the same on every machine.
"""

import asyncio
import contextlib
import io
import os
import secrets
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from trunkline.compile import Compiled
from trunkline.scenario.books import Books
from trunkline.scenario.decisions import WatchedGate
from trunkline.scenario.ground import ground_of
from trunkline.scenario.part import Part, Placed, scripted
from trunkline.scenario.result import Fault, Result
from trunkline.scenario.spot import Spot
from trunkline.scenario.suite import Suite
from trunkline.scenario.watching import Lines, Watch, names_of
from trunkline.scenario.working_release import policy_of, release_of
from trunkline_runtime.call.call import Call
from trunkline_runtime.call.clock import SetClock
from trunkline_runtime.call.inputs import give_inputs
from trunkline_runtime.call.watched import watcher
from trunkline_runtime.commands.transcript import Transcript
from trunkline_runtime.failure import FatalError as Unusable
from trunkline_runtime.failure import Refused
from trunkline_runtime.gate.decision_log import DecisionLog
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.number_key import NumberKey
from trunkline_runtime.policy.list_folder import ListFolder
from trunkline_runtime.release.loaded import Pin, PolicySnapshot, Release
from trunkline_runtime.sandbox.running import Sandbox, running_sandbox
from trunkline_runtime.sandbox.transfers import DeskTransfers
from trunkline_runtime.script.answers import GivenAnswers, SomeAbsent
from trunkline_runtime.script.play import prepare
from trunkline_runtime.script.quiet import quiet
from trunkline_runtime.script.scenario import Scenario
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.kinds import dispatcher_of

# Pseudonyms in a record that nobody reads and that is gone with its folder.
_KEY = NumberKey(b"only for scenarios of a working tree")
# A scenario that says no time plays at this one, a working day at noon in New York.
_AT = datetime(2026, 12, 1, 17, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Scenery:
    """What scenarios are played on: the releases by tenant, the policy, and what there is to reach
    by (tenant, flow)."""

    releases: Mapping[str, Release]
    policy: PolicySnapshot
    ground: Mapping[tuple[str, str], tuple[Spot, ...]]

    @classmethod
    def empty(cls) -> "Scenery":
        """A scenery on which nothing can be played yet."""
        return cls({}, PolicySnapshot("", 0, {}), {})

    @classmethod
    def of(cls, compiled: Compiled, tenants: set[str]) -> "Scenery":
        """The scenery of a working tree, for some tenants; flows with errors are left out."""
        releases = {
            tenant: release_of(compiled, tenant)
            for tenant in sorted(tenants & compiled.tenants.keys())
        }
        ground = {
            (tenant, flow): ground_of(compiled.analyses[tenant, flow], table)
            for tenant, release in releases.items()
            for flow, table in release.tables.items()
        }
        return cls(releases, policy_of(compiled), ground)


class Stage:
    """Plays scenarios one after the other, each with an empty ledger and a fresh sandbox."""

    def __init__(
        self,
        scenery: Scenery,
        sandbox: Sandbox,
        runner: asyncio.Runner,
        folder: Path,
        books: Books | None = None,
    ) -> None:
        self._scenery = scenery
        self._sandbox = sandbox
        self._runner = runner
        self._folder = folder
        self._books = books or Books(folder)
        self._names = {tenant: names_of(each) for tenant, each in scenery.releases.items()}
        self._lines: Lines = {
            (tenant, *spot.way): (spot.path, spot.line)
            for (tenant, _), spots in scenery.ground.items()
            for spot in spots
        }

    def on(self, scenery: Scenery) -> "Stage":
        """The same stage with another scenery."""
        return Stage(scenery, self._sandbox, self._runner, self._folder, self._books)

    def settings(self, tenant: str) -> TenantSettings | None:
        """A tenant's settings; None for one without a flow that can be played."""
        release = self._scenery.releases.get(tenant)
        return release.settings if release is not None else None

    def play(self, suite: Suite, index: int) -> Result:
        """Plays one scenario by its script. Never raises for what scenario or flow do."""
        return self.perform(suite, index, scripted)

    def perform(self, suite: Suite, index: int, part: Part) -> Result:
        """Holds one call and says what came of it; `part` plays the caller and brings the model."""
        scenario, began = suite.scenarios[index], time.perf_counter()
        result = Result(
            suite.tenant, suite.flow, suite.path, suite.lines[index], scenario.label, 0.0
        )
        release = self._scenery.releases.get(suite.tenant)
        if release is None or suite.flow not in release.tables:
            why = f"the flow {suite.name} is not there or has errors: `trunkline check` tells more"
            return replace(result, faults=(Fault("script", "a flow to play", why),))
        self._sandbox.start_anew()
        self._books.clear()
        with tempfile.TemporaryDirectory(dir=self._folder) as state:
            performance = self._performed(result, Pin(release, suite.flow), scenario, state, part)
            performed = self._runner.run(performance)
        return replace(performed, seconds=time.perf_counter() - began)

    async def _performed(
        self, result: Result, pin: Pin, scenario: Scenario, state: str, part: Part
    ) -> Result:
        clock = SetClock(scenario.at or _AT)
        call = Call.begin(
            pin,
            clock,
            self._scenery.policy,
            call_id=secrets.token_hex(8),
            party=scenario.number,
            answered_by=scenario.answered_by,
        )
        words = io.StringIO()
        transcript = Transcript(call, words)

        def story() -> tuple[str, ...]:
            transcript.changed()
            return tuple(words.getvalue().splitlines())

        tenant = pin.release.tenant
        expected = scenario.expect.get("nodes") if part is scripted else None
        watch = Watch(self._names[tenant], self._lines, tenant, expected, story)
        gate = self._gate(pin.release, Path(state))
        told = asyncio.Event()
        token = watcher.set(watch)
        try:
            give_inputs(call, scenario.inputs, scenario.slots)
            prepare(call, scenario)
            async with dispatcher_of(
                call,
                gate,
                environment=self._sandbox.environment,
                around=lambda runner: GivenAnswers(scenario.answers, runner, told),
            ) as dispatcher:
                transfers = SomeAbsent(scenario.absent, DeskTransfers(self._sandbox.environment))
                wrong = await part(
                    Placed(
                        scenario,
                        call,
                        clock,
                        gate,
                        dispatcher,
                        transfers,
                        transcript.changed,
                        told,
                    )
                )
        except (Refused, Unusable) as problem:
            wrong = (Fault("script", "a scenario that fits the flow", str(problem)),)
        finally:
            watcher.reset(token)
        if watch.last is None:
            watch.stopped(call)
        return replace(
            result,
            faults=wrong,
            outcome=call.state.outcome or "",
            sight=(watch.turned or watch.last) if wrong else None,
            reached=frozenset(watch.reached | gate.ways()),
        )

    def _gate(self, release: Release, state: Path) -> WatchedGate:
        def settings(tenant: str) -> TenantSettings:
            if tenant != release.tenant:
                raise LookupError(tenant)
            return release.settings

        return WatchedGate(
            PolicyGate(
                lambda: self._scenery.policy,
                settings,
                self._books.ledger,
                DecisionLog(state / "decisions"),
                _KEY,
                ListFolder(state / "dnc"),
            )
        )


@contextlib.contextmanager
def stage(scenery: Scenery) -> Iterator[Stage]:
    """A stage of this process, with its sandbox, for as long as the block runs."""
    with (
        running_sandbox(environment={}) as sandbox,
        tempfile.TemporaryDirectory(prefix="trunkline-", dir=_in_memory()) as folder,
        asyncio.Runner() as runner,
        quiet(),
    ):
        yield Stage(scenery, sandbox, runner, Path(folder))


def _in_memory() -> str | None:
    """A folder in memory, where there is one: nobody needs these books after a power cut."""
    shared = "/dev/shm"
    return shared if os.access(shared, os.W_OK) else None
