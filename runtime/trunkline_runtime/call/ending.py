"""The end of a call: tools in flight settle, `after_call` runs past the gate, contacts are kept."""

import logging
from collections import Counter
from collections.abc import Awaitable

from trunkline_runtime.call.call import OPT_OUT, Call
from trunkline_runtime.call.state import Kept
from trunkline_runtime.gate.request import ContactRecord, Gate, PutOff
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import lacks_argument
from trunkline_runtime.tools.checked import Place
from trunkline_runtime.tools.dispatcher import Dispatcher

logger = logging.getLogger("trunkline.call")

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
    place = Place(AFTER_CALL, call.state.visit.number, frozenset(use.id for use in uses))
    for use in uses:
        if ran[use.id] > 0:
            ran[use.id] -= 1
        elif _wanted(call, use):
            await dispatcher.run(use, {}, place)


def _wanted(call: Call, use: ToolUse) -> bool:
    values = call.values()
    if use.condition is not None and not call.conditions.of(use.condition).holds(values):
        return False
    entry = call.entries.get(use.id)
    return entry is not None and not lacks_argument(entry, use, call.conditions, values)


async def keep_contact(call: Call, gate: Gate) -> None:
    """Puts on record that this number was spoken with, or refused: frequency caps count it.

    The state says what became of it. What the ledger does not take now may wait on this machine
    (see `gate/pending`); it is never said to be kept when it is not.
    """
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


async def kept(putting: Awaitable[None], what: str) -> Kept:
    """Whether something that must not be lost is on the ledger. Never raises but CancelledError."""
    try:
        await putting
    except PutOff:
        logger.warning("%s is not on the ledger; it waits on this machine", what)
        return "pending"
    except Exception as problem:
        # Its name alone: the text may quote the number.
        logger.error("%s could not be put on the ledger (%s)", what, type(problem).__name__)
        return "no"
    return "yes"
