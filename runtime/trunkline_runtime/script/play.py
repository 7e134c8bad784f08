"""Plays a scenario on a live call: the caller's turns, and what the model then chooses."""

import asyncio

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.clock import SetClock
from trunkline_runtime.call.entry import take
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.known import Fact, SlotValue
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.rules import set_slot
from trunkline_runtime.call.settle import settle
from trunkline_runtime.call.watched import watcher
from trunkline_runtime.failure import Refused
from trunkline_runtime.script.model import ScriptedModel
from trunkline_runtime.script.scenario import Scenario, Turn
from trunkline_runtime.script.why import failed_before


def prepare(call: Call, scenario: Scenario) -> None:
    """Puts a call where a scenario with `start_at` begins, knowing what it says is known.

    Raises Refused for a node that the flow does not have.
    """
    if scenario.start_at is None:
        return
    if scenario.start_at not in call.table.nodes:
        raise Refused(f"{call.table.flow} has no node {scenario.start_at!r} to start at")
    for name, value in scenario.slots.items():
        call.keep_private(name, value)
        set_slot(call.state, name, SlotValue(value, "given", scenario.start_at))
    for fact in scenario.facts:
        call.state.facts[fact] = Fact(None, "scenario", frozenset())
    call.state.disclosed |= set(scenario.disclosed)
    take(call, Move(scenario.start_at, Reason("start", "as the scenario says")))
    settle(call)


async def play(
    live: LiveCall,
    caller: Caller,
    model: ScriptedModel,
    scenario: Scenario,
    clock: SetClock,
    told: asyncio.Event,
) -> None:
    """Plays the turns, as long as they fit, and hangs up if the call is not over then.

    Tools that answer late begin at `told`: where the script has words left for their results.
    Raises Refused, when the call has ended, if the flow asked the model more or less often than the
    scenario says: then the scenario does not belong to this flow.
    """
    turns = list(scenario.turns)
    first = turns.pop(0) if turns and turns[0].begins else Turn()
    model.then(first.model)
    before = 0  # how many tools were called until the turn began
    await live.start()
    await _let_late_results_be_told(live, model, told)
    problems = _misfits(live, model, "at the beginning")
    for number, turn in enumerate(turns, start=1):
        if problems:
            break  # what follows was written for another course of the call
        if live.state.over:
            problems.append(f"the call was over before turn {number}")
            break
        model.then(turn.model)
        before = len(live.state.tools)
        await _take(caller, turn, clock)
        await _let_late_results_be_told(live, model, told)
        problems += _misfits(live, model, f"in turn {number}")
    # Looked at here: hanging up starts what comes after the call.
    failed = failed_before(live.call, before) if problems else ""
    watching = watcher.get()
    if watching is not None:
        watching.stopped(live.call)
    await caller.hangs_up()
    if problems:
        before_that = f" ({failed})" if failed else ""
        raise Refused(
            f"the scenario {scenario.label!r} does not fit the flow: {problems[0]}{before_that}"
        )


async def _take(caller: Caller, turn: Turn, clock: SetClock) -> None:
    if turn.says is not None:
        await caller.says(turn.says)
    elif turn.key is not None:
        await caller.presses(turn.key)
    elif turn.silence is not None:
        clock.pass_time(turn.silence)
        await caller.is_silent_for(turn.silence)
    elif turn.hangs_up:
        await caller.hangs_up()


async def _let_late_results_be_told(
    live: LiveCall, model: ScriptedModel, told: asyncio.Event
) -> None:
    """A generation that is left over is the one that tells a late result: lets it come."""
    if model.left and live.dispatcher.busy and not live.state.over:
        model.expects_late = True
        told.set()
        await live.at_rest()
        told.clear()
        model.expects_late = False


def _misfits(live: LiveCall, model: ScriptedModel, when: str) -> list[str]:
    problems = []
    node = live.state.node
    if model.short:
        problems.append(
            f"{when}, at {node}, the model is asked {model.short} time(s) more than it has answers"
        )
    if model.left:
        problems.append(f"{when}, at {node}, {model.left} generation(s) of the model are left over")
    problems += [f"{when}, no exit that is offered says {words!r}" for words in model.unsaid]
    model.short = 0
    model.unsaid.clear()
    model.drop_rest()
    return problems
