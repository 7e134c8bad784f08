"""A rehearsal of a release: what calls would build is built once, before a call depends on it.

Every expression is compiled, and for every node where a model speaks its prompt and its tools are
made as LiveKit gets them. Nobody is called and nothing is run. Python tools must be installed here;
whether a back end answers is the night's business, not a release's.
"""

from collections.abc import Iterator

from livekit.agents import llm

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.clock import WallClock
from trunkline_runtime.call.ledger import Ledger
from trunkline_runtime.call.node_tools import NodeTools
from trunkline_runtime.call.prompt import system_text
from trunkline_runtime.call.state import Visit
from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.gate.request import ContactRecord, DialRequest, OptOut, ToolRequest
from trunkline_runtime.release.loaded import Pin, PolicySnapshot, Release
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.tools.dispatcher import Dispatcher
from trunkline_runtime.tools.python import PythonRunner
from trunkline_runtime.tools.runner import ToolFailed

_MOST_KEPT = 100_000  # digests of what passed; more than a worker ever loads


class Rehearsal:
    """Rehearses releases. A flow that passed once is not rehearsed again: its digest covers all."""

    def __init__(self) -> None:
        self._passed: set[str] = set()
        self._python = PythonRunner()

    def __call__(self, release: Release) -> Iterator[str]:
        """What would fail in a call, each fault as a sentence. Never raises."""
        for entry in release.entries.values():
            if "python" in entry.run:
                try:
                    self._python.function(entry)
                except ToolFailed as problem:
                    yield f"the tool {entry.id} names {entry.run['python']}: {problem}"
        for flow in sorted(release.tables):
            key = release.tables[flow].digest
            if key in self._passed:
                continue
            faults = list(_flow(release, flow))
            yield from faults
            if not faults and len(self._passed) < _MOST_KEPT:
                self._passed.add(key)


def _flow(release: Release, flow: str) -> Iterator[str]:
    call = Call.begin(
        Pin(release, flow), WallClock(), PolicySnapshot("", 0, {}), call_id="rehearsal"
    )
    try:
        _ = call.conditions
    except FatalError as problem:
        yield str(problem)
        return
    for node in call.table.nodes.values():
        if isinstance(node, TalkNode):
            call.state.visit = Visit(1, node.id)
            try:
                _build(call, node)
            except Exception as problem:
                yield f"flow {flow}: the agent of node {node.id} can't be built: {problem}"


def _build(call: Call, node: TalkNode) -> None:
    """The prompt and the tools of one node. Raises whatever building them raises."""
    system_text(call, node)
    tools = NodeTools(call, Ledger(), Dispatcher(call, Unasked(), {}), node)
    # Of two uses of one tool a node never offers both at once.
    made = tools.made(list({use.id: use for use in node.tools}.values()))
    llm.ToolContext(made)


class Unasked:
    """A gate where nobody asks: no tool runs in a rehearsal."""

    async def decide(self, request: ToolRequest) -> Decision:
        raise AssertionError("a rehearsal runs no tool")

    async def decide_dial(self, request: DialRequest) -> Decision:
        raise AssertionError("a rehearsal calls nobody")

    async def settle(self, decision: Decision, ending: Ending, micros: int | None = None) -> None:
        raise AssertionError("a rehearsal runs no tool")

    async def record_opt_out(self, opt_out: OptOut) -> None:
        raise AssertionError("a rehearsal has no caller")

    async def record_contact(self, contact: ContactRecord) -> None:
        raise AssertionError("a rehearsal has no caller")
