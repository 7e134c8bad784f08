"""A node's own tools, as LiveKit calls them: closures that belong to one generation of one visit.

LiveKit does not check raw arguments, runs the calls of a batch at once, and has no hook before a
tool. So `move_to` only notes a wish (moves are decided when the batch has settled), `collect`
normalises what it is given, and every catalogue tool goes through the dispatcher.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from livekit.agents import RunContext, llm

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collect import collect
from trunkline_runtime.call.collect_schema import COLLECT, collect_schema
from trunkline_runtime.call.exits import offered
from trunkline_runtime.call.late import STOP, WORKING, answers_late, filler, stop_schema, working
from trunkline_runtime.call.ledger import Ledger
from trunkline_runtime.call.moment import moment_of
from trunkline_runtime.call.move_to import MOVE_TO, move_schema
from trunkline_runtime.call.path import Refusal
from trunkline_runtime.call.spoken import Words
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import visible_parameters
from trunkline_runtime.tools.checked import Place
from trunkline_runtime.tools.dispatcher import Dispatcher

Raw = dict[str, Any]
Closure = Callable[[Raw, RunContext[Any]], Awaitable[Any]]


class NodeTools:
    """Makes the tools of the node that the call stands on now."""

    def __init__(
        self,
        call: Call,
        ledger: Ledger,
        dispatcher: Dispatcher,
        node: TalkNode,
        has_spoken: Callable[[], bool] = lambda: False,
    ) -> None:
        """`has_spoken`: whether the generation that these tools belong to says something itself."""
        self._call = call
        self._has_spoken = has_spoken
        self._ledger = ledger
        self._dispatcher = dispatcher
        self._node = node
        self._visit = call.state.visit.number

    def made(self, uses: list[ToolUse]) -> list[llm.Tool]:
        """`move_to` and `collect` where the node has them, and these uses of the catalogue."""
        tools: list[llm.Tool] = []
        exits = offered(self._call.table, self._node)
        if exits:
            said = "Leave this step of the call."
            tools.append(_tool(MOVE_TO, said, move_schema(exits), self._move_to))
        if self._node.collect:
            said = "Hand over what the caller said."
            tools.append(
                _tool(COLLECT, said, collect_schema(self._call, self._node), self._collect)
            )
        tools.extend(self._of_catalogue(use) for use in uses)
        running = sorted({tool.tool for tool in working(self._call)})
        if running:
            said = "Stop what is worked on, when the caller no longer wants the answer."
            tools.append(_tool(STOP, said, stop_schema(running), self._stop))
        return tools

    def _of_catalogue(self, use: ToolUse) -> llm.Tool:
        entry = self._call.entries[use.id]
        place = Place(self._node.id, self._visit, frozenset(each.id for each in self._node.tools))

        late, thinks = answers_late(entry), "subagent" in entry.run

        async def run(raw: Raw, context: RunContext[Any]) -> str:
            self._ledger.speech = context.speech_handle

            async def allowed() -> None:
                if late:
                    # before the batch settles, which the update lets it do
                    self._fill()
                    await context.update(WORKING)

            report = await self._dispatcher.run(use, raw, place, allowed=allowed, background=thinks)
            if report.stopped and late:
                # as LiveKit ends a tool of which nobody waits for a result
                raise asyncio.CancelledError
            if report.outcome != "done":
                raise llm.ToolError(report.words)
            return report.words

        parameters = visible_parameters(entry, use, self._call.state.results)
        return _tool(use.id, entry.description, parameters, run, repeatable=not late)

    async def _move_to(self, raw: Raw, context: RunContext[Any]) -> str:
        self._ledger.speech = context.speech_handle
        self._refuse_if_gone()
        to = raw.get("to")
        exits = [exit.to for exit in offered(self._call.table, self._node)]
        if to not in exits or len(raw) != 1:
            named = to if isinstance(to, str) else repr(raw)
            here, now = self._node.id, self._call.now()
            why = ("no exit of this step",)
            self._call.state.refusals.append(Refusal(here, named, why, now, moment_of(self._call)))
            raise llm.ToolError(f"{named} is no exit of this step. Exits: {', '.join(exits)}.")
        self._ledger.wishes[context.function_call.id] = str(to)
        return "Noted."

    async def _collect(self, raw: Raw, context: RunContext[Any]) -> str:
        self._ledger.speech = context.speech_handle
        self._refuse_if_gone()
        collected = collect(self._call, self._node, raw)
        if not collected.any:
            raise llm.ToolError(collected.words)
        return collected.words

    def _fill(self) -> None:
        """Owes the words that are said while a tool works, unless the model has said its own."""
        words = filler(self._call)
        if words is not None and not self._has_spoken():
            self._call.state.words.append(Words("filler", words))

    async def _stop(self, raw: Raw, context: RunContext[Any]) -> str:
        self._ledger.speech = context.speech_handle
        tool = raw.get("tool")
        if not isinstance(tool, str) or not self._dispatcher.stop(tool):
            raise llm.ToolError("Nothing of that kind is being worked on.")
        return f"Stopped: {tool}."

    def _refuse_if_gone(self) -> None:
        """A call that comes late, from a node that the call has left, does nothing any more."""
        if self._call.state.visit.number != self._visit:
            raise llm.ToolError(f"The call has moved on to {self._call.state.node}.")


def _tool(
    name: str,
    description: str,
    parameters: dict[str, Any],
    run: Closure,
    *,
    repeatable: bool = True,
) -> llm.Tool:
    async def called(raw_arguments: Raw, context: RunContext[Any]) -> Any:
        return await run(raw_arguments, context)

    schema = {"name": name, "description": description, "parameters": parameters}
    # what works in the background already is not begun a second time
    duplicates: Literal["allow", "reject"] = "allow" if repeatable else "reject"
    return llm.function_tool(
        called, raw_schema=schema, on_duplicate=duplicates, duplicate_scope="name_and_args"
    )
