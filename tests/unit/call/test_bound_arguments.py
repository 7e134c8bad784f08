"""Arguments that the flow binds: on a node a slot is there or the tool does not run."""

from typing import Any

import pytest

from trunkline_runtime.call.known import SlotValue
from trunkline_runtime.call.rules import set_slot
from trunkline_runtime.tools.checked import Place, Ready, Report, checked

NUMBER = {"type": "number"}
NODES = {
    "pay": {
        "tools": [
            {"id": "fetch", "sets": {"amount": "result.amount"}},
            {"id": "charge", "with": {"amount": "slots.amount"}},
        ],
        "edges": [{"to": "pay", "when": "again"}],
    }
}
PARAMETERS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"amount": NUMBER},
}
TOOLS = {
    "fetch": {"result": {"type": "object", "properties": {"amount": NUMBER}}},
    "charge": {"parameters": PARAMETERS},
}


@pytest.mark.parametrize("over", [False, True])
async def test_a_slot_that_another_call_of_the_batch_fetches_anew(bench: Any, over: bool) -> None:
    """No argument is required; what is bound is not left out while the call goes on."""
    b = bench(NODES, tools=TOOLS, slots={"amount": NUMBER})
    call = b.call
    charge = call.table.nodes["pay"].tools[1]
    place = Place("pay", call.state.visit.number, frozenset({"charge"}), after_call=over)
    found = checked(call, charge, {}, place)
    if over:
        assert isinstance(found, Ready)
        assert found.args == {}
    else:
        assert isinstance(found, Report)
        assert found.words == "Not possible yet: amount is not known."
    set_slot(call.state, "amount", SlotValue(5.0, "caller", "pay"))
    found = checked(call, charge, {}, place)
    assert isinstance(found, Ready)
    assert found.args == {"amount": 5.0}
