"""What a call must be given before it begins."""

from typing import Any

import pytest

from trunkline_runtime.call.inputs import give_inputs
from trunkline_runtime.failure import FatalError

NODES = {"tell": {"kind": "end", "say": "It is {{ slots.amount }}.", "outcome": "no_action"}}
SLOTS = {"amount": {"type": "number"}, "day": {"type": "date"}}


async def test_a_flow_that_relies_on_a_link_begins_no_call(bench: Any) -> None:
    b = bench(NODES, slots=SLOTS, given=["amount"])
    with pytest.raises(FatalError, match=r"no call begins with .* by a link that gives it amount"):
        give_inputs(b.call, {})
    give_inputs(b.call, {}, slots={"amount": 4.5})


async def test_it_goes_on_there_from_a_link(bench: Any) -> None:
    begin = {
        "hello": {"edges": [{"to": "go", "when": "they ask"}]},
        "go": {"kind": "link", "flow": "second", "with": {"amount": 4.5}},
    }
    second = {"nodes": NODES, "slots": SLOTS, "given": ["amount"]}
    b = bench(begin, flows={"second": second}, script=[{"say": "Hello?"}])
    await b.live.start()
    await b.turn("How much?", {"move_to": "go"})
    assert b.said()[-1] == "It is 4.50."
