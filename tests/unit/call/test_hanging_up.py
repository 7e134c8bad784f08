"""A caller who hangs up at any moment: each step of a call, one after the other, is where they do.

A step is each time that the call asks something outside itself (model, gate, back end, human), gets
its answer, or changes. The call is held again and again, and the caller hangs up one step later
each time, until there is no step left.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from trunkline_runtime.call.record import record_of
from trunkline_runtime.script.model import Generation, ScriptedModel
from trunkline_runtime.table.canonical import canonical_bytes

OPT_OUT = {"kind": "end", "say": "You are off our list.", "outcome": "opt_out"}
NODES: dict[str, Any] = {
    "greeting": {
        "speak": ["ai"],
        "instructions": "Greet.",
        "collect": ["name"],
        "tools": [{"id": "ponder", "with": {"question": "slots.name"}}, {"id": "charge"}],
        "edges": [
            {"to": "sure", "when": "they agree"},
            {"to": "human", "when": "they want a human"},
            {"to": "off", "when": "no more calls"},
            {"to": "bye", "when": "done"},
        ],
    },
    "sure": {
        "kind": "confirm",
        "say": "Are you sure?",
        "on_yes": "bye",
        "on_no": "bye",
        "on_unclear": "bye",
    },
    "human": {
        "kind": "transfer",
        "number": "support",
        "mode": "warm",
        "say": "One moment.",
        "on_failure": "bye",
    },
    "off": OPT_OUT,
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}
TEXT = {"type": "string"}
TOOLS: dict[str, Any] = {
    "charge": {"effects": ["payment"]},
    "ponder": {
        "parameters": {
            "type": "object",
            "required": ["question"],
            "properties": {"question": TEXT},
        },
        "run": {"subagent": {"instructions": "Think.", "filler": ["I am looking into that."]}},
    },
    "note": {
        "parameters": {
            "type": "object",
            "required": ["outcome"],
            "properties": {"outcome": TEXT},
        }
    },
}
MORE: dict[str, Any] = {
    "slots": {"name": {"type": "string", "pii": True}},
    "after_call": [{"id": "note", "with": {"outcome": "call.outcome"}}],
}
CHARGE = {"calls": [{"tool": "charge"}]}
# What the caller says, and what the model does then.
STORIES: dict[str, list[tuple[str, list[dict[str, Any]]]]] = {
    "pays": [
        ("Jane.", [{"calls": [{"tool": "collect", "args": {"name": "Jane"}}]}, {"say": "Hi."}]),
        ("Pay.", [CHARGE, {"say": "Paid."}]),
        ("Go on.", [{"move_to": "sure"}]),
        ("Yes.", []),
    ],
    "opts out": [
        ("Stop calling me.", [{"move_to": "off"}]),
    ],
    "asks for a human": [
        ("A human!", [{"move_to": "human"}]),
    ],
    "asks something hard": [
        ("Jane.", [{"calls": [{"tool": "collect", "args": {"name": "Jane"}}]}, {"say": "Hi."}]),
        ("Why?", [{"calls": [{"tool": "ponder"}]}]),
        ("Bye.", [{"move_to": "bye"}]),
    ],
}


class Steps:
    """Counts the steps of a call, and lets the caller hang up at one of them."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.passed = 0
        self.hang_up: Callable[[], Awaitable[None]] | None = None
        self.hanging_up: asyncio.Task[None] | None = None

    def step(self) -> None:
        self.passed += 1
        if self.passed == self.at and self.hang_up is not None:
            self.hanging_up = asyncio.ensure_future(self.hang_up())

    def around(self, asked: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def stepped(*args: Any, **options: Any) -> Any:
            self.step()
            await asyncio.sleep(0)
            answer = await asked(*args, **options)
            self.step()
            await asyncio.sleep(0.001)
            return answer

        return stepped


class Stepping(ScriptedModel):
    steps: Steps | None = None

    def chat(self, **options: Any) -> Any:
        if self.steps is not None:
            self.steps.step()
        return super().chat(**options)


async def held(bench: Any, story: str, at: int) -> tuple[Any, Steps]:
    """A call in which the caller hangs up at that step, or at the end of the story."""
    model = Stepping([Generation.from_document({"say": "Who is there?"})])
    b = bench(NODES, tools=TOOLS, model=model, **MORE)
    steps = model.steps = Steps(at)
    b.late = []

    async def slow(args: Any) -> Any:
        await asyncio.sleep(0.01)
        return {}

    b.runner.answers |= {"ponder": [slow], "charge": [slow]}
    b.runners["subagent"] = b.runner
    for name in ("decide", "settle", "record_opt_out", "record_contact"):
        setattr(b.gate, name, steps.around(getattr(b.gate, name)))
    run = steps.around(b.runner.run)

    async def ran(entry: Any, *given: Any) -> Any:
        if b.state.over and entry.id != "note":
            b.late.append(entry.id)
        return await run(entry, *given)

    b.runner.run = ran
    b.desk.hand_over = steps.around(b.desk.hand_over)
    b.live._changed = steps.step
    # it stands between the last look at the caller and the start of a tool, where nobody can be
    b.live.dispatcher.changed = lambda: None
    steps.hang_up = b.caller.hangs_up
    async with asyncio.timeout(20):
        await b.live.start()
        for words, generations in STORIES[story]:
            await b.turn(words, *generations)
        if not b.state.over:
            await b.caller.hangs_up()
        if steps.hanging_up is not None:
            await steps.hanging_up
        await b.live.ended.wait()
    return b, steps


def check(b: Any, where: str) -> None:
    state, record = b.state, record_of(b.call)
    canonical_bytes(record)
    assert state.outcome is not None, where
    assert all(tool.outcome != "running" for tool in state.tools), where
    assert not b.live.dispatcher.busy, where
    allowed = Counter(tool.decision for tool in state.tools if tool.allowed)
    assert Counter(id for id, _ in b.gate.settled) == allowed, f"{where}: each is settled once"
    # what was withdrawn never started
    endings = {id: ending for id, ending in b.gate.settled if ending != "withdrawn"}
    for tool in state.tools:
        assert tool.ending == endings.get(tool.decision), f"{where}: {tool.tool}"
    after = [tool for tool in state.tools if tool.node == "after_call"]
    assert [(tool.tool, tool.outcome) for tool in after] == [("note", "done")], where
    assert b.runner.ran[-1] == ("note", {"outcome": state.outcome}), where
    assert b.late == [], f"{where}: nothing begins for a caller who is gone"
    assert len(b.gate.contacts) == (1 if b.said("caller") else 0), where
    opted_out = [one.number for one in b.gate.opt_outs]
    if state.outcome == "opt_out":
        assert opted_out == [state.party], f"{where}: who wants no calls gets none"
        assert record["opt_out"] == "yes", where
    else:
        assert opted_out == [], where


@pytest.mark.parametrize("story", STORIES)
async def test_wherever_it_is_the_record_is_complete(bench: Any, story: str) -> None:
    before = asyncio.all_tasks()
    whole, steps = await held(bench, story, at=0)
    check(whole, f"{story}, to its end")
    total = steps.passed
    assert total > 10
    outcomes = set()
    for at in range(1, total + 1):
        b, _ = await held(bench, story, at)
        check(b, f"{story}, step {at} of {total}")
        outcomes.add(b.state.outcome)
    assert "hung_up" in outcomes
    await asyncio.sleep(0.05)
    left = [task for task in asyncio.all_tasks() - before if not task.done()]
    assert left == [], "nothing of a call outlives it"
