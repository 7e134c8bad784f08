"""The end of a call: tools in flight settle, `after_call` runs past the gate, contacts are kept."""

from collections import Counter

from trunkline_runtime.call.call import OPT_OUT, Call
from trunkline_runtime.call.kept import kept
from trunkline_runtime.call.opting_out import OptingOut
from trunkline_runtime.gate.request import ContactRecord, Gate
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import lacks_argument
from trunkline_runtime.tools.checked import Place
from trunkline_runtime.tools.dispatcher import Dispatcher

AFTER_CALL = "after_call"
HUNG_UP = "hung_up"


async def after_call(call: Call, dispatcher: Dispatcher) -> None:
    """Runs the tools that the flow wants when the call is over.

    Each goes past the gate like any other. An entry whose `if` does not hold, or that lacks an
    argument that it requires, is left out, and so is one that ran in a process that was lost.
    """
    await dispatcher.settled()
    ran = Counter(tool.tool for tool in call.state.tools if tool.node == AFTER_CALL)
    uses = call.table.after_call
    place = Place(
        AFTER_CALL, call.state.visit.number, frozenset(use.id for use in uses), after_call=True
    )
    for use in uses:
        if ran[use.id] > 0:
            ran[use.id] -= 1
        elif _wanted(call, use):
            await dispatcher.run(use, {}, place)
            # Kept before the next begins: how this one ended is not lost with the process.
            dispatcher.changed()


def _wanted(call: Call, use: ToolUse) -> bool:
    values = call.values()
    if use.condition is not None and not call.conditions.of(use.condition).holds(values):
        return False
    entry = call.entries.get(use.id)
    return entry is not None and not lacks_argument(entry, use, call.conditions, values)


async def keep_contact(call: Call, gate: Gate) -> None:
    """Puts on record that this number was spoken with, or refused: frequency caps count it.

    An opt-out that is still owed comes first. The state says what became of both. What the ledger
    does not take now may wait on this machine (see `gate/pending`); it is never said to be kept
    when it is not.
    """
    await OptingOut(call, gate).written()
    state = call.state
    spoke = any(said.who == "caller" for said in state.history)
    if state.party is None or state.direction != "outbound" or not spoke:
        return
    record = ContactRecord(
        call_id=state.call_id,
        tenant=state.tenant,
        number=state.party,
        now=call.clock.now(),
        kind="refusal" if state.outcome == OPT_OUT else "conversation",
    )
    state.contact = await kept(gate.record_contact(record), "a contact")
