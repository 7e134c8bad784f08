"""How fast scenarios are: a thousand of them, and one beside the same conversation on bare LiveKit.

`.venv/bin/python tests/bench/scenario_speed.py [COUNT]`. Processor time is what counts: wall time
depends on who else uses the machine.
"""

import asyncio
import itertools
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from livekit.agents import Agent, AgentSession, RunContext, llm

from trunkline.compile import compile_repository
from trunkline.scenario.run import performed
from trunkline.scenario.stage import Scenery, stage
from trunkline.scenario.suite import suites_of
from trunkline.source.repository import read_repository
from trunkline_runtime.script.model import Generation, ScriptedModel

ROOT = Path(__file__).parents[2]
LABEL = "pays after verification"
CALLER = ("Yes.", "Jane Doe.", "Two zero zero zero one.", "Yes.", "It is saved.", "Yes, please.")
# What the model says and calls in each turn of that scenario, as bare function tools.
BARE: tuple[tuple[tuple[str, str], ...], ...] = (
    (("move_to", ""), ("", "Who am I speaking with?")),
    (("collect", ""), ("", "And your postcode?")),
    (("collect", ""), ("lookup_crm", ""), ("move_to", ""), ("get_invoice", ""), ("", "Pay now?")),
    (("move_to", ""), ("send_payment_link", ""), ("", "A link is on its way.")),
    (("", "Shall I charge it?"),),
    (("take_payment", ""), ("", "Thank you.")),
)


def _tool(name: str) -> llm.Tool:
    async def called(raw_arguments: dict[str, Any], context: RunContext[Any]) -> str:
        return "done"

    parameters = {"type": "object", "properties": {}}
    schema = {"name": name, "description": name, "parameters": parameters}
    return llm.function_tool(called, raw_schema=schema)


async def bare() -> None:
    """The same turns and generations, with tools that do nothing, and no flow around them."""
    names = {call for turn in BARE for call, _ in turn if call}
    model = ScriptedModel()
    session: AgentSession[None] = AgentSession(llm=model, max_tool_steps=8)
    await session.start(Agent(instructions="", tools=[_tool(name) for name in sorted(names)]))
    for caller, turn in zip(CALLER, BARE, strict=True):
        model.then(Generation(say, ((call, {}),) if call else ()) for call, say in turn)
        await session.run(user_input=caller)
    assert model.left == 0
    await session.aclose()


def milliseconds(work: Callable[[], object], times: int) -> float:
    """Processor time of one run, in all threads of this process."""
    work()
    before = time.process_time()
    for _ in range(times):
        work()
    return 1000 * (time.process_time() - before) / times


def main(count: int) -> None:
    sources, compiled = read_repository(ROOT), compile_repository(ROOT)
    suites = suites_of(sources)
    scenery = Scenery.of(compiled, {suite.tenant for suite in suites})
    jobs = [(suite, index) for suite in suites for index in range(len(suite.scenarios))]
    jobs = list(itertools.islice(itertools.cycle(jobs), count))
    began, spent = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    failed = sum(not result.passed for result in performed(scenery, jobs, os.cpu_count() or 2))
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - spent.ru_utime - spent.ru_stime
    print(f"{count} scenarios: {wall:.1f} s, {cpu:.1f} s of processor time, {failed} failed")
    (suite,) = (suite for suite in suites if suite.name == "northwind-energy/overdue-invoice")
    index = [scenario.label for scenario in suite.scenarios].index(LABEL)
    with stage(scenery) as here:
        mine = milliseconds(lambda: here.play(suite, index), 20)
    with asyncio.Runner() as runner:
        theirs = milliseconds(lambda: runner.run(bare()), 20)
    ratio = f"{mine / theirs:.1f} times"
    print(f"{LABEL!r}: {mine:.0f} ms; bare livekit-agents: {theirs:.0f} ms ({ratio})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
