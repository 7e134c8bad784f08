"""Plays scenarios with real models: the agent's own, one for the caller, and a judge.

The rest is as in a scripted run: the runtime, the gate, the sandbox, and what the scenario says of
clock, number, inputs and tools that fail. It needs `instructions` and `agent_expectations`.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from trunkline.scenario.actors import ActorFailed, Actors, Deed
from trunkline.scenario.expectations import words_never_said
from trunkline.scenario.part import Placed
from trunkline.scenario.result import Fault, Result
from trunkline.scenario.stage import Stage
from trunkline.scenario.suite import Suite
from trunkline.scenario.usage import Usage
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.model_here import ModelHere, model_here
from trunkline_runtime.script.scenario import Scenario

# A conversation that is not over by then goes in a circle.
MOST_TURNS = 40
_SILENT_SECONDS = 10.0
_MODEL_FAILED = "the model failed: "


def is_live(scenario: Scenario) -> bool:
    """Whether real models can play it."""
    return bool(scenario.instructions and scenario.agent_expectations)


@dataclass
class LivePart:
    """Plays one scenario once; `usage` then holds the tokens of all three models."""

    model: ModelHere
    usage: Usage = field(default_factory=Usage)

    async def __call__(self, placed: Placed) -> tuple[Fault, ...]:
        actors, mine = Actors(self.model), self.model.for_session()

        def count(metrics: Any) -> None:
            read = getattr(metrics, "prompt_tokens", 0)
            self.usage += Usage(read, getattr(metrics, "completion_tokens", 0))

        mine.on("metrics_collected", count)
        live = placed.live(mine)
        caller, state = Caller(live), placed.call.state
        instructions = placed.scenario.instructions
        try:
            await live.start()
            for _ in range(MOST_TURNS):
                if state.over:
                    break
                await _do(caller, placed, await actors.caller(instructions, state.history))
            else:
                return (Fault("turns", f"an end within {MOST_TURNS} turns", "it goes on"),)
            await caller.hangs_up()
            return await self._judged(placed, actors)
        except ActorFailed as failed:
            return (Fault("model", "models that answer", str(failed)),)
        finally:
            await caller.hangs_up()
            self.usage += actors.usage
            await actors.aclose()
            await mine.aclose()

    async def _judged(self, placed: Placed, actors: Actors) -> tuple[Fault, ...]:
        scenario, state = placed.scenario, placed.call.state
        for why in state.failures:
            if why.startswith(_MODEL_FAILED):
                return (Fault("model", "models that answer", why),)
        faults = list(words_never_said(scenario.expect, state))
        verdict = await actors.judge(scenario.agent_expectations, state.history)
        if not verdict.passed:
            faults.append(Fault("agent_expectations", scenario.agent_expectations, verdict.reason))
        return tuple(faults)


def play_live(here: Stage, suite: Suite, index: int) -> Result:
    """One scenario with the models of this environment. Raises FatalError if it names none."""
    settings = here.settings(suite.tenant)
    if settings is None:
        return here.play(suite, index)  # which says that there is no flow
    part = LivePart(model_here(settings))
    result = here.perform(suite, index, part)
    return replace(result, usage=part.usage)


async def _do(caller: Caller, placed: Placed, deed: Deed) -> None:
    if deed.hangs_up:
        await caller.hangs_up()
    elif deed.key:
        await caller.presses(deed.key)
    elif deed.silent:
        placed.clock.pass_time(_SILENT_SECONDS)
        await caller.is_silent_for(_SILENT_SECONDS)
    else:
        await caller.says(deed.says)
