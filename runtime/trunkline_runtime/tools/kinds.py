"""The runners of one call: HTTP, Python and subagents, opened together and closed together."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from trunkline_runtime.call.call import Call
from trunkline_runtime.gate.request import Gate
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tls import tls_context
from trunkline_runtime.tools.arguments import filled_parameters
from trunkline_runtime.tools.dispatcher import Dispatcher
from trunkline_runtime.tools.http import HttpRunner
from trunkline_runtime.tools.python import PythonRunner
from trunkline_runtime.tools.runner import Runner
from trunkline_runtime.tools.slow_models import SlowModels
from trunkline_runtime.tools.subagent import SubagentRunner


@asynccontextmanager
async def dispatcher_of(
    call: Call,
    gate: Gate,
    *,
    address: Mapping[str, Json] | None = None,
    environment: Mapping[str, str] | None = None,
    around: Callable[[Runner], Runner] = lambda runner: runner,
) -> AsyncIterator[Dispatcher]:
    """The dispatcher of one call over the runners of this process.

    `environment` holds addresses and credentials (the process's own by default). `around` is put
    around each runner: a scenario's answers, say, before the real ones.
    """
    await asyncio.to_thread(tls_context)  # the first time it takes a while
    models = SlowModels(environment)
    runners: dict[str, Runner] = {}
    dispatcher = Dispatcher(call, gate, runners, address)
    async with HttpRunner(environment) as http:
        runners["http"] = around(http)
        runners["python"] = around(PythonRunner())
        # what a subagent uses goes past the gate as well
        subagents = SubagentRunner(
            models,
            call.entries,
            dispatcher.for_subagent,
            lambda entry: filled_parameters(entry, call.state.results),
        )
        runners["subagent"] = around(subagents)
        try:
            yield dispatcher
        finally:
            await models.aclose()
