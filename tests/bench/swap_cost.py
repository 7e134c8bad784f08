"""What a swap of nodes costs, beside livekit-agents' own `update_agent`, in one run.

`.venv/bin/python tests/bench/swap_cost.py [COUNT]`. Both sides hold 60 messages and offer three
tools on a node; the tenant's catalogue has 60. A swap is measured from the decision to move until
the model is asked in the name of the new node; a turn from the caller's word, over the model's call
that moves, until the new node's reply is through. The two take turns, so that a noisy neighbour
disturbs both alike. The goal for a swap is at most 1.25 times.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from livekit.agents import Agent, AgentSession, RunContext, llm
from livekit.agents.llm.tool_context import ToolResult

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.clock import SetClock
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.rehearsal import Unasked
from trunkline_runtime.call.transfers import HandOff, Taken
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.release.loaded import Pin, PolicySnapshot, Release
from trunkline_runtime.script.model import Generation, ScriptedModel
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.dispatcher import Dispatcher

MESSAGES, CATALOGUE, OWN_TOOLS, WARM = 60, 60, 3, 50
PARAMETERS = {
    "type": "object",
    "properties": {"account_id": {"type": "string"}, "amount": {"type": "number"}},
    "required": ["account_id"],
    "additionalProperties": False,
}
NODES = ("here", "there")
ASK = "Ask the caller what they need, and go on as soon as it is clear."


class Clocked(ScriptedModel):
    """Says what a script says, and keeps when it was asked last."""

    asked = 0.0
    messages = 0

    def chat(self, **options: Any) -> llm.LLMStream:
        self.asked = time.perf_counter()
        stream = super().chat(**options)
        self.messages = len(self.seen.pop().dialogue.messages())
        return stream


def dialogue() -> llm.ChatContext:
    context = llm.ChatContext.empty()
    for number in range(MESSAGES):
        role: Any = ("user", "assistant")[number % 2]
        context.add_message(role=role, content=f"This is what was said at moment {number}.")
    return context


class Ours:
    """A call on a flow of two nodes, of a tenant with a large catalogue."""

    def __init__(self) -> None:
        self.model, self.at = Clocked(), 0
        call = Call.begin(Pin(_release(), "main"), _clock(), PolicySnapshot("", 1, {}), call_id="c")
        gate, nobody = Unasked(), _Nobody()
        self.live = LiveCall(
            call,
            gate=gate,
            dispatcher=Dispatcher(call, gate, {}),
            transfers=nobody,
            model=self.model,
        )

    async def start(self) -> None:
        await self.live.start()
        await self._hold_sixty_messages()

    async def swap(self) -> float:
        self.at = 1 - self.at
        began = time.perf_counter()
        self.live.move(Move(NODES[self.at], Reason("model", "they go on")))
        await self.live.go_on()
        assert self.model.messages == MESSAGES + 1, "with the node's prompt"
        return self.model.asked - began

    async def turn(self) -> float:
        self.at = 1 - self.at
        await self._hold_sixty_messages()
        self.model.then(_turn(NODES[self.at]))
        began = time.perf_counter()
        await self.live.wait_for(self.live.session.run(user_input="Go on."))
        return time.perf_counter() - began

    async def _hold_sixty_messages(self) -> None:
        await self.live.agent.update_chat_ctx(dialogue())


class Theirs:
    """Agents of livekit-agents alone, one for each visit, with the same prompt and tools."""

    def __init__(self) -> None:
        self.model, self.at = Clocked(), 0
        self.session: AgentSession[None] = AgentSession(llm=self.model, max_tool_steps=8)

    async def start(self) -> None:
        await self.session.start(self._next(), capture_run=True)

    async def swap(self) -> float:
        agent = self._next()
        began = time.perf_counter()
        self.session.update_agent(agent)
        await agent.asked.wait()
        await self.session.wait_for_idle()
        assert self.model.messages == MESSAGES + 1, "with the agent's instructions"
        return self.model.asked - began

    async def turn(self) -> float:
        await self.session.current_agent.update_chat_ctx(dialogue())
        self.model.then(_turn(NODES[1 - self.at]))
        began = time.perf_counter()
        await self.session.run(user_input="Go on.")
        return time.perf_counter() - began

    def _next(self) -> "NodeAgent":
        self.at = 1 - self.at
        return NodeAgent(self, dialogue())


class NodeAgent(Agent):
    def __init__(self, side: Theirs, heard: llm.ChatContext) -> None:
        tools = [_tool(f"tool_{number}", self._nothing) for number in range(OWN_TOOLS)]
        super().__init__(
            instructions=ASK, chat_ctx=heard, tools=[*tools, _tool("move_to", self._move)]
        )
        self._side = side
        self.asked = asyncio.Event()

    async def on_enter(self) -> None:
        await self.session.generate_reply()
        self.asked.set()

    async def _nothing(self, raw_arguments: dict[str, Any], context: RunContext[Any]) -> str:
        return "done"

    async def _move(self, raw_arguments: dict[str, Any], context: RunContext[Any]) -> Any:
        heard = self.chat_ctx.copy(exclude_instructions=True)
        self._side.at = 1 - self._side.at
        return NodeAgent(self._side, heard), ToolResult("moved", reply_required=False)


def _tool(name: str, run: Any) -> llm.Tool:
    schema = {"name": name, "description": name, "parameters": PARAMETERS}
    return llm.function_tool(run, raw_schema=schema)


def _turn(to: str) -> tuple[Generation, ...]:
    return Generation("", (("move_to", {"to": to}),)), Generation("Good. What else?")


class _Nobody:
    async def hand_over(self, hand_off: HandOff) -> Taken:
        return Taken(False)


def _clock() -> SetClock:
    return SetClock(datetime(2026, 12, 1, 15, 0, tzinfo=UTC))


def _release() -> Release:
    entries = {id: _entry(id) for id in (f"tool_{number}" for number in range(CATALOGUE))}
    return Release(
        tenant="acme",
        tag="v1",
        digest="sha256:" + "1" * 64,
        sequence=1,
        content="sha256:" + "2" * 64,
        policy="",
        commit=None,
        compiler="0",
        tables={"main": NodeTable.from_json(_table(entries))},
        entries=entries,
        facts={},
        outcomes={},
        settings=TenantSettings.from_document(
            {"schema_version": 1, "id": "acme", "display_name": "Acme", "timezone": "UTC"}
        ),
    )


def _entry(id: str) -> ToolEntry:
    says = {"schema_version": 1, "id": id, "description": id, "parameters": PARAMETERS}
    run = {"http": {"method": "GET", "path": "/"}}
    return ToolEntry.from_document(
        "billing", {**says, "result": {"type": "object"}, "effects": [], "run": run}
    )


def _table(entries: Mapping[str, ToolEntry]) -> dict[str, Any]:
    tools = [{"id": f"tool_{number}"} for number in range(OWN_TOOLS)]
    nodes: dict[str, Any] = {
        node: {
            "instructions": ASK,
            "tools": tools,
            "edges": [{"to": other, "when": "they go on"}, {"to": "bye", "when": "they are done"}],
        }
        for node, other in (NODES, NODES[::-1])
    }
    nodes["bye"] = {"kind": "end", "outcome": "no_action"}
    return {
        "schema": "trunkline/node-table/v1",
        "tenant": "acme",
        "flow": "main",
        "direction": "inbound",
        "purpose": "service",
        "language": "en-US",
        "start": NODES[0],
        "limits": {"max_visits": 1_000_000},
        "nodes": nodes,
        "tools": {id: entry.digest for id, entry in entries.items()},
    }


async def compared(count: int) -> dict[str, tuple[list[float], list[float]]]:
    """Seconds of each swap and each turn, ours and theirs."""
    ours, theirs = Ours(), Theirs()
    await ours.start()
    await theirs.start()
    found: dict[str, tuple[list[float], list[float]]] = {"swap": ([], []), "turn": ([], [])}
    for what in found:
        for number in range(WARM + count):
            took = await getattr(ours, what)(), await getattr(theirs, what)()
            if number >= WARM:
                for seconds, side in zip(took, found[what], strict=True):
                    side.append(seconds)
    assert not ours.model.left
    assert not theirs.model.left
    await ours.live.session.aclose()
    await theirs.session.aclose()
    return found


def main(count: int) -> None:
    for what, (ours, theirs) in asyncio.run(compared(count)).items():
        mine, others = statistics.median(ours), statistics.median(theirs)
        worst = [statistics.quantiles(side, n=100)[98] for side in (ours, theirs)]
        print(
            f"{what}: {1000 * mine:.2f} ms; livekit-agents' update_agent {1000 * others:.2f} ms "
            f"({mine / others:.2f} times); p99 {1000 * worst[0]:.1f} and {1000 * worst[1]:.1f} ms"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
