"""Who plays a scenario on a stage: here the script, elsewhere real models."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from livekit.agents import llm

from trunkline.scenario.decisions import WatchedGate
from trunkline.scenario.expectations import faults_of
from trunkline.scenario.result import Fault
from trunkline_runtime.call.call import Call
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.clock import SetClock
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.transfers import Transfers
from trunkline_runtime.failure import Refused
from trunkline_runtime.script.model import ScriptedModel
from trunkline_runtime.script.play import play
from trunkline_runtime.script.scenario import Scenario
from trunkline_runtime.tools.dispatcher import Dispatcher

# Most scenarios take a tenth of a second; one that waits for something that never comes must not
# hold up the others.
LONGEST_SECONDS = 30.0


@dataclass(frozen=True)
class Placed:
    """A call that is ready to begin, with everything around it but its model."""

    scenario: Scenario
    call: Call
    clock: SetClock
    gate: WatchedGate
    dispatcher: Dispatcher
    transfers: Transfers
    changed: Callable[[], None]
    told: asyncio.Event

    def live(self, model: llm.LLM[Any]) -> LiveCall:
        """The call with its model."""
        return LiveCall(
            self.call,
            gate=self.gate,
            dispatcher=self.dispatcher,
            transfers=self.transfers,
            model=model,
            changed=self.changed,
        )


# Holds the call from its first word to its last, and says what was wrong with it.
Part: TypeAlias = Callable[[Placed], Awaitable[tuple[Fault, ...]]]


async def scripted(placed: Placed) -> tuple[Fault, ...]:
    """Plays the turns of the scenario, with the model's choices that it writes down."""
    scenario, model = placed.scenario, ScriptedModel()
    live = placed.live(model)
    caller = Caller(live)
    wrong: tuple[Fault, ...] = ()
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            await play(live, caller, model, scenario, placed.clock, placed.told)
    except TimeoutError:
        said = f"it was not over after {LONGEST_SECONDS:g} s"
        wrong = (Fault("script", "a scenario that comes to its end", said),)
    except Refused as misfit:
        wrong = (Fault("script", "a scenario that fits the flow", str(misfit)),)
    finally:
        await caller.hangs_up()
    return wrong + faults_of(scenario.expect, placed.call.state, placed.gate.decided)
