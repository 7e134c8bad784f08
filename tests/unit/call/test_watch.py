"""Time in a call with a voice: silence is broken by itself, and too long a call ends."""

import asyncio
from typing import Any

from trunkline_runtime.call.clock import WallClock
from trunkline_runtime.call.watch import Watch

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
NODES = {
    "only": {"instructions": "Talk.", "edges": [{"to": "bye", "when": "done"}]},
    "bye": BYE,
}


async def test_silence_is_broken_and_the_call_ends_by_itself(bench: Any) -> None:
    silence = {"after_seconds": 1, "say": "Are you there?", "times": 1, "to": "bye"}
    b = bench(NODES, script=[{"say": "Hello."}], silence=silence)
    await b.live.start()
    watch = Watch(b.live, b.caller)
    watch.begin()
    await asyncio.wait_for(b.live.ended.wait(), 20)
    assert b.said() == ["Hello.", "Are you there?", "Goodbye."]
    watch.end()


async def test_a_word_of_the_caller_begins_the_wait_anew(bench: Any) -> None:
    b = bench(NODES, script=[{"say": "Hello."}], silence={"after_seconds": 60})
    await b.live.start()
    watch = Watch(b.live, b.caller)
    watch.begin()
    before = watch._silence
    await b.turn("Hm.", {"say": "Yes?"})
    assert before.cancelled()
    assert watch._silence.when() > before.when()
    b.live.session._update_user_state("speaking")
    assert watch._silence is None, "nobody is silent who speaks"
    watch.end()


async def test_a_call_that_lasts_too_long_ends_by_itself(bench: Any) -> None:
    b = bench(NODES, script=[{"say": "Hello."}], limits={"max_minutes": 0.01, "to": "bye"})
    b.call.clock = WallClock()
    b.state.started = b.call.clock.now()
    await b.live.start()
    watch = Watch(b.live, b.caller)
    watch.begin()
    await asyncio.wait_for(b.live.ended.wait(), 20)
    assert b.said() == ["Hello.", "Goodbye."]
    assert b.state.path[-1].reason.cause == "limit"
    watch.end()


async def test_a_key_begins_the_wait_anew(bench: Any) -> None:
    """Or digits that are typed slowly would be taken, or talked over, in the middle."""
    slots = {"pin": {"type": "string", "pattern": "[0-9]{4}"}}
    nodes = {"only": {**NODES["only"], "collect": ["pin"]}, "bye": BYE}
    b = bench(nodes, slots=slots, script=[{"say": "Hello."}], silence={"after_seconds": 60})
    await b.live.start()
    watch = Watch(b.live, b.caller)
    watch.begin()
    before = watch._silence
    await b.caller.presses("1")
    assert before.cancelled()
    assert watch._silence.when() > before.when()
    watch.end()
