"""The last words are heard to their end, and what the caller is owed outlives the line."""

import asyncio
from typing import Any

import pytest
from livekit.agents.voice import io

from trunkline_runtime.call.ending import keep_contact
from trunkline_runtime.call.record import record_of
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.transfers import Taken

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
NODES: dict[str, Any] = {
    "here": {
        "instructions": "Here.",
        "edges": [
            {"to": "off", "when": "they want no calls"},
            {"to": "human", "when": "they want a human"},
            {"to": "bye", "when": "done"},
        ],
    },
    "human": {"kind": "transfer", "number": "support", "mode": "cold", "on_failure": "bye"},
    "off": {"kind": "end", "say": "You are off our list.", "outcome": "opt_out"},
    "bye": BYE,
}


class OnTheLine(io.TextOutput):
    """Words take as long as a test says: each piece is on the line until `go_on` is set."""

    def __init__(self) -> None:
        super().__init__(label="line", next_in_chain=None)
        self.saying: list[str] = []
        self.go_on = asyncio.Event()

    async def capture_text(self, text: str) -> None:
        self.saying.append(text)
        await self.go_on.wait()

    def flush(self) -> None: ...


async def talking(bench: Any, **more: Any) -> tuple[Any, OnTheLine, list[str]]:
    """A call in which a word takes its time; the list says what happens at its end, in order."""
    b = bench(NODES, script=[{"say": "Hello."}], tools={"note": {}}, **more)
    order: list[str] = []

    async def drop() -> None:
        order.append("dropped")

    b.live._drop = drop
    run = b.runner.run

    async def ran(entry: Any, *given: Any) -> Any:
        order.append(entry.id)
        return await run(entry, *given)

    b.runner.run = ran
    await b.live.start()
    line = b.live.session.output.transcription = OnTheLine()
    return b, line, order


async def test_the_line_drops_after_the_last_word_and_what_comes_after_the_call_after_that(
    bench: Any,
) -> None:
    b, line, order = await talking(bench, after_call=[{"id": "note"}])
    turn = asyncio.create_task(b.turn("Done.", {"move_to": "bye"}))
    await b.until(lambda: "Goodbye." in line.saying)
    await asyncio.sleep(0.1)
    assert (order, b.state.over) == ([], False), "it is still being said"
    speech = b.live.session.current_speech
    assert not speech.allow_interruptions
    with pytest.raises(RuntimeError):
        await b.live.session.interrupt()
    pressing = asyncio.create_task(b.caller.presses("9"))
    await asyncio.sleep(0.05)
    line.go_on.set()
    await turn
    await pressing
    await b.live.ended.wait()
    assert order == ["dropped", "note"]
    assert b.said()[-1] == "Goodbye."
    assert b.state.outcome == "no_action"


async def test_who_hangs_up_over_the_goodbye_waits_for_nothing(bench: Any) -> None:
    b, line, order = await talking(bench, after_call=[{"id": "note"}])
    turn = asyncio.create_task(b.turn("Done.", {"move_to": "bye"}))
    await b.until(lambda: "Goodbye." in line.saying)
    await asyncio.wait_for(b.caller.hangs_up(), 2)
    assert order == ["dropped", "note"]
    assert b.state.outcome == "no_action", "it was decided before"
    line.go_on.set()
    await turn


async def test_no_more_calls_is_kept_although_the_caller_did_not_wait_for_an_answer(
    bench: Any,
) -> None:
    b, line, _ = await talking(bench)
    turn = asyncio.create_task(b.turn("No more calls!", {"say": "I am sorry.", "move_to": "off"}))
    await b.until(lambda: "I am sorry." in line.saying)
    assert b.state.outcome is None, "nothing is decided before the words are heard"
    await asyncio.wait_for(b.caller.hangs_up(), 2)
    line.go_on.set()
    await turn
    assert [one.number for one in b.gate.opt_outs] == [b.state.party]
    assert [one.kind for one in b.gate.contacts] == ["refusal"]
    assert (record_of(b.call)["outcome"], record_of(b.call)["opt_out"]) == ("opt_out", "yes")


async def test_any_other_choice_of_the_model_ends_with_the_caller(bench: Any) -> None:
    b, line, _ = await talking(bench)
    turn = asyncio.create_task(b.turn("Done.", {"say": "Fine.", "move_to": "bye"}))
    await b.until(lambda: "Fine." in line.saying)
    await asyncio.wait_for(b.caller.hangs_up(), 2)
    line.go_on.set()
    await turn
    assert (b.state.outcome, b.nodes) == ("hung_up", ["here"])


async def test_a_caller_who_is_passed_on_leaves_the_line_and_has_not_hung_up(bench: Any) -> None:
    """Of a cold transfer that succeeds, the caller's leg goes: it looks like a hang-up."""
    b, line, order = await talking(bench)
    line.go_on.set()

    async def passes_on(hand_off: Any) -> Taken:
        b.leaving = asyncio.ensure_future(b.caller.hangs_up())
        await asyncio.sleep(0.05)
        return Taken(True, "support")

    b.desk.hand_over = passes_on
    await b.turn("A human!", {"move_to": "human"})
    await b.leaving
    assert b.state.outcome == "transferred"
    assert order == ["dropped"]


async def test_a_caller_who_hangs_up_while_it_rings_has_hung_up(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trunkline_runtime.call.perform._PASSED_ON_SECONDS", 0.1)
    b, line, _ = await talking(bench)
    line.go_on.set()
    stopped = asyncio.Event()

    async def rings(hand_off: Any) -> Taken:
        try:
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            stopped.set()
            raise
        return Taken(True)

    b.desk.hand_over = rings
    turn = asyncio.create_task(b.turn("A human!", {"move_to": "human"}))
    await b.until(lambda: b.state.node == "human")
    await asyncio.sleep(0.05)
    await asyncio.wait_for(b.caller.hangs_up(), 3)
    assert b.state.outcome == "hung_up"
    assert stopped.is_set(), "nobody is left alone on a line"
    await turn


async def test_no_more_calls_is_kept_before_anything_that_takes_time(bench: Any) -> None:
    b, line, order = await talking(bench, after_call=[{"id": "note"}])
    put = b.gate.record_opt_out

    async def written(opt_out: Any) -> None:
        order.append("written")
        await put(opt_out)

    b.gate.record_opt_out = written
    turn = asyncio.create_task(b.turn("No more calls!", {"say": "I am sorry.", "move_to": "off"}))
    await b.until(lambda: "I am sorry." in line.saying)
    await asyncio.wait_for(b.caller.hangs_up(), 2)
    line.go_on.set()
    await turn
    assert order == ["written", "dropped", "note"]


async def test_no_more_calls_is_kept_although_the_process_was_lost_before_it_was_written(
    bench: Any,
) -> None:
    b, line, _ = await talking(bench)
    line.go_on.set()
    saved = None

    async def lost(opt_out: Any) -> None:
        nonlocal saved
        saved = CallState.from_json(b.state.to_json())
        raise OSError("the process is gone")

    b.gate.record_opt_out = lost
    await b.turn("No more calls!", {"move_to": "off"}, {"say": "Sorry."})
    assert saved is not None
    assert (saved.outcome, saved.opt_out) == ("opt_out", None)
    after = bench(NODES, tools={"note": {}}, state=saved)
    after.state.over = True
    for _ in range(2):
        await keep_contact(after.call, after.gate)
        assert [one.number for one in after.gate.opt_outs] == [saved.party], "once"
    assert saved.opt_out == "yes"
