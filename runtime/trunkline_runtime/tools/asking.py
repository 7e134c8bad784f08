"""Asks the gate about one call of a tool, on facts that still hold when the answer is there."""

from collections.abc import Mapping
from dataclasses import replace

from trunkline_runtime.call.call import Call
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.decision import Decision
from trunkline_runtime.gate.request import FactRecord, Gate, ToolRequest
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.checked import Place
from trunkline_runtime.tools.result import subject_of

# Facts can fall while the gate decides; the decision is then asked for anew, this often at most.
_MOST_DECISIONS = 3


async def ask_gate(
    gate: Gate,
    call: Call,
    entry: ToolEntry,
    args: Mapping[str, Json],
    bound: frozenset[str],
    attempt: str,
    place: Place,
    address: Mapping[str, Json] | None,
) -> Decision:
    """The decision. One that allowed on facts which fell meanwhile is withdrawn and asked anew."""
    for _ in range(_MOST_DECISIONS):
        facts = dict(call.state.facts)
        request = _request(call, entry, args, bound, attempt, place, address)
        decision = await gate.decide(request)
        if not decision.allowed or facts == call.state.facts:
            return decision
        await gate.settle(decision, "withdrawn")
    return replace(decision, allowed=False)


def _request(
    call: Call,
    entry: ToolEntry,
    args: Mapping[str, Json],
    bound: frozenset[str],
    attempt: str,
    place: Place,
    address: Mapping[str, Json] | None,
) -> ToolRequest:
    state = call.state
    return ToolRequest(
        call_id=state.call_id,
        tenant=state.tenant,
        flow=state.flow,
        node=place.node,
        pin_digest=call.pin.digest,
        tool=entry,
        tool_id=entry.id,
        granted=place.granted,
        args=args,
        bound=bound,
        attempt=attempt,
        facts={name: FactRecord(fact.subject) for name, fact in state.facts.items()},
        subject=subject_of(call, entry, args),
        party=state.party,
        address=address,
        purpose=call.table.purpose or "",
        direction=state.direction,
        now=call.clock.now(),
        disclosed=frozenset(state.disclosed),
        consents=frozenset(state.consents),
    )
