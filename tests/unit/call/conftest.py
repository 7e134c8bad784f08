"""Small flows on a real AgentSession: a scripted model, an open gate that keeps its requests."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.clock import SetClock
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.transfers import HandOff, Taken
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.decision import Decision, Reason
from trunkline_runtime.release.loaded import Pin, PolicySnapshot, Release
from trunkline_runtime.script.model import Generation, ScriptedModel
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.dispatcher import Dispatcher
from trunkline_runtime.tools.runner import ToolFailed

POLICY = PolicySnapshot(
    "sha256:" + "0" * 64,
    1,
    {
        "disclosures.yaml": {
            "schema_version": 1,
            "disclosures": {"ai": {"texts": {"en-US": "I am an assistant."}}},
        }
    },
)
PARTY = "+12025550143"


class OpenGate:
    """Allows everything but the tools in `deny`; keeps what it was asked, in order."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.settled: list[tuple[str, str]] = []
        self.opt_outs: list[Any] = []
        self.contacts: list[Any] = []
        self.deny: set[str] = set()
        self.broken = False

    async def decide(self, request: Any) -> Decision:
        self.requests.append(request)
        number = str(len(self.requests))
        if request.tool_id in self.deny:
            return Decision(number, False, ("test",), (Reason("fact", "test", "Not proven."),))
        return Decision(number, True, ("test",))

    async def decide_dial(self, request: Any) -> Decision:
        return Decision("dial", True)

    async def settle(self, decision: Decision, ending: str, micros: int | None = None) -> None:
        self.settled.append((decision.id, ending))

    async def record_opt_out(self, opt_out: Any) -> None:
        if self.broken:
            raise OSError("the disk is full")
        self.opt_outs.append(opt_out)

    async def record_contact(self, contact: Any) -> None:
        self.contacts.append(contact)


class Answers:
    """A runner whose answers are given: a result, a failure, or a function of the arguments."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Any]] = {}
        self.ran: list[tuple[str, Mapping[str, Any]]] = []
        self.keys: list[str] = []

    async def run(self, entry: Any, args: Mapping[str, Any], context: Any) -> Any:
        self.ran.append((entry.id, dict(args)))
        self.keys.append(context.idempotency_key)
        waiting = self.answers.get(entry.id, [])
        answer = waiting.pop(0) if len(waiting) > 1 else (waiting or [{}])[0]
        if isinstance(answer, BaseException):
            raise answer
        if callable(answer):
            answer = answer(args)
        if asyncio.iscoroutine(answer):
            answer = await answer
        return answer


class Desk:
    """The human's side of a transfer."""

    def __init__(self) -> None:
        self.rung: list[HandOff] = []
        self.answer: Taken | Exception = Taken(True, "Kim", "Kim here, how can I help?")

    async def hand_over(self, hand_off: HandOff) -> Taken:
        self.rung.append(hand_off)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@dataclass
class Bench:
    """A call and everything around it."""

    live: LiveCall
    caller: Caller
    call: Call
    model: ScriptedModel
    gate: OpenGate
    runner: Answers
    runners: dict[str, Any]
    desk: Desk
    clock: SetClock
    release: Release = field(repr=False)

    @property
    def state(self) -> Any:
        return self.call.state

    @property
    def nodes(self) -> list[str]:
        """The nodes passed, in order."""
        return [step.node for step in self.state.path if step.node]

    def said(self, who: str = "agent") -> list[str]:
        return [said.words for said in self.state.history if said.who == who]

    async def turn(self, words: str, *generations: Mapping[str, Any]) -> None:
        """The caller says something, and the model answers with these generations."""
        self.model.then(Generation.from_document(written) for written in generations)
        await self.caller.says(words)

    def hold(self, tool: str, result: Any) -> asyncio.Event:
        """Holds a tool until the event that is returned is set, so that no test hangs on time."""
        released = asyncio.Event()

        async def answer(args: Any) -> Any:
            await released.wait()
            return result

        self.runner.answers[tool] = [answer]
        return released

    async def until(self, met: Callable[[], Any]) -> None:
        """Lets the call go on until something is true; a call in which it never is fails."""
        for _ in range(2000):
            if met():
                return
            await asyncio.sleep(0.005)
        raise AssertionError("it never came")

    def outputs(self, name: str) -> list[Any]:
        """What the model was told about its calls of a tool."""
        items = self.live.session.history.items
        return [item for item in items if item.type == "function_call_output" and item.name == name]


TOOL = {
    "schema_version": 1,
    "description": "A tool.",
    "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    "result": {"type": "object"},
    "effects": [],
    "run": {"http": {"method": "GET", "path": "/"}},
}


@pytest.fixture
def bench() -> Callable[..., Bench]:
    """Makes a call on a small flow.

    `nodes` as in a node table; `tools` maps an id to what its catalogue entry says beyond a plain
    one; `script` are the generations before the caller's first word; `more` other keys of the
    table; `flows` other tables of the same release.
    """

    def make(
        nodes: Mapping[str, Any],
        *,
        tools: Mapping[str, Any] | None = None,
        script: list[Mapping[str, Any]] | None = None,
        inputs: Mapping[str, Any] | None = None,
        answered_by: str | None = None,
        party: str | None = PARTY,
        flows: Mapping[str, Mapping[str, Any]] | None = None,
        outcomes: Mapping[str, Any] | None = None,
        model: Any = None,
        session_options: Mapping[str, Any] | None = None,
        state: CallState | None = None,
        connections: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Bench:
        entries = {
            id: ToolEntry.from_document("billing", {**TOOL, "id": id, **says})
            for id, says in (tools or {}).items()
        }

        def table(flow: str, parts: Mapping[str, Any]) -> NodeTable:
            return NodeTable.from_json(
                {
                    "schema": "trunkline/node-table/v1",
                    "tenant": "acme",
                    "flow": flow,
                    "direction": "outbound",
                    "purpose": "collections",
                    "language": "en-US",
                    "start": next(iter(parts["nodes"])),
                    "tools": {id: entry.digest for id, entry in entries.items()},
                    **parts,
                }
            )

        tables = {"main": table("main", {"nodes": nodes, **more})}
        tables |= {flow: table(flow, parts) for flow, parts in (flows or {}).items()}
        settings = TenantSettings.from_document(
            {
                "schema_version": 1,
                "id": "acme",
                "display_name": "Acme Power",
                "timezone": "America/New_York",
                "hours": {"mon-fri": "09:00-17:00"},
                "numbers": {"support": "+12025550101", "night": "+12025550102"},
                "vars": {"product": "gas"},
                **({"connections": connections} if connections else {}),
            }
        )
        release = Release(
            tenant="acme",
            tag="v1",
            digest="sha256:" + "1" * 64,
            sequence=1,
            content="sha256:" + "2" * 64,
            policy=POLICY.digest,
            commit=None,
            compiler="0",
            tables=tables,
            entries=entries,
            facts={},
            outcomes=outcomes or {},
            settings=settings,
        )
        clock = SetClock(datetime(2026, 12, 1, 15, 0, tzinfo=UTC))
        pin = Pin(release, "main")
        call = (
            Call.resume(pin, clock, POLICY, state)
            if state is not None
            else Call.begin(
                pin,
                clock,
                POLICY,
                call_id="call-1",
                party=party,
                inputs=inputs,
                answered_by=answered_by,
            )
        )
        gate, runner, desk = OpenGate(), Answers(), Desk()
        runners: dict[str, Any] = {"http": runner}
        dispatcher = Dispatcher(call, gate, runners)
        script_model = model or ScriptedModel(
            Generation.from_document(written) for written in script or ()
        )
        live = LiveCall(
            call,
            gate=gate,
            dispatcher=dispatcher,
            transfers=desk,
            model=script_model,
            session_options=session_options,
        )
        return Bench(
            live, Caller(live), call, script_model, gate, runner, runners, desk, clock, release
        )

    return make


@pytest.fixture
def failed() -> type[ToolFailed]:
    return ToolFailed
