"""The record of a call: what it was pinned to, where it went and why, what its tools did.

It holds no word of the caller and no personal data: what was said is in the state of the call, and
the state is a secret. Private values and long numbers are blacked out wherever they stand.

A form with more members has the same version: who reads it leaves out what it does not know. The
version rises when a member goes or means something else.
"""

from collections.abc import Collection, Mapping

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import ToolCall
from trunkline_runtime.call.known import SlotValue
from trunkline_runtime.call.masking import MASK, masked, masked_text
from trunkline_runtime.call.moment import Moment
from trunkline_runtime.call.path import Refusal, Step
from trunkline_runtime.gate.cost import Amount, Uncountable, worst_cost
from trunkline_runtime.table.canonical import Json

VERSION = 1


def record_of(call: Call) -> dict[str, Json]:
    """The record as JSON, in this version's form. `seconds` are whole calls or runs of a tool."""
    state = call.state
    private = frozenset(state.private)
    seconds = (call.clock.now() - state.started).total_seconds()
    return {
        "version": VERSION,
        "call_id": state.call_id,
        "tenant": state.tenant,
        "flow": call.table.flow,
        "direction": state.direction,
        "purpose": call.table.purpose,
        "pin": {
            "release": call.pin.tag,
            "manifest": call.pin.release.digest,
            "table": call.pin.digest,
        },
        "policy": call.policy.digest,
        "started": state.started.isoformat().replace("+00:00", "Z"),
        "seconds": round(seconds, 3),
        "channel": state.channel,
        "trace": state.trace,
        "dial": state.dial,
        "answered_by": state.answered_by,
        "outcome": state.outcome,
        "path": [_step(step, private) for step in state.path],
        "refused": [_refusal(refusal, private) for refusal in state.refusals],
        "tools": [_tool(call, tool, private) for tool in state.tools],
        "slots": {name: _slot(call, name, slot) for name, slot in sorted(state.slots.items())},
        "declined": sorted(state.declined),
        "facts": {
            name: {"by": fact.by, "slots": sorted(fact.slots)}
            for name, fact in sorted(state.facts.items())
        },
        "disclosed": sorted(state.disclosed),
        "turns": {
            "caller": sum(said.who == "caller" for said in state.history),
            "agent": sum(said.who == "agent" for said in state.history),
        },
        "timings": {
            "answers": [answer.to_json() for answer in state.answers],
            "swaps": [swap.to_json() for swap in state.swaps],
        },
        "costs": _costs(call),
        "usage": [dict(used) for used in state.usage],
        "opt_out": state.opt_out,
        "contact": state.contact,
        "failures": [masked_text(why, private) for why in state.failures],
    }


def _costs(call: Call) -> dict[str, Json]:
    """What the tools have cost, in micro-units by currency: as much as the spend caps count."""
    sums: dict[str, int] = {}
    for tool in call.state.tools:
        cost = _cost(call, tool)
        if cost is not None:
            sums[cost.currency] = sums.get(cost.currency, 0) + cost.micros
    return dict(sorted(sums.items()))


def _cost(call: Call, tool: ToolCall) -> Amount | None:
    """None for a tool that is free, never started, or certainly did nothing."""
    entry = call.entries.get(tool.tool)
    if entry is None or tool.ending not in ("done", "unknown"):
        return None
    try:
        return worst_cost(entry, tool.args)
    except Uncountable:
        return None  # then the gate has not allowed it


def _tool(call: Call, tool: ToolCall, private: Collection[str]) -> Mapping[str, Json]:
    cost, entry = _cost(call, tool), call.entries.get(tool.tool)
    declared = entry.parameters.get("properties", {}) if entry is not None else {}
    args: dict[str, Json] = {
        # a model may make up a name
        name if name in declared else masked_text(name, private): (
            MASK if name in tool.private else masked(value, private)
        )
        for name, value in tool.args.items()
    }
    return {
        "tool": tool.tool,
        "node": tool.node,
        "visit": tool.visit,
        "at": tool.at,
        "args": args,
        "outcome": tool.outcome,
        "decision": tool.decision,
        "allowed": tool.allowed,
        "rules": list(tool.rules),
        "reasons": [masked_text(reason, private) for reason in tool.reasons],
        "seconds": tool.seconds,
        "known": _known(tool.known, private),
        "ending": tool.ending,
        "cost": None if cost is None else {"micros": cost.micros, "currency": cost.currency},
    }


def _step(step: Step, private: Collection[str]) -> Mapping[str, Json]:
    """Names of nodes and instants are the flow's and the clock's: a caller of the name Bill must
    not black out a node `bill`.
    """
    words = masked_text(step.reason.words, private)
    return {**step.to_json(), "why": words, "known": _known(step.known, private)}


def _refusal(refusal: Refusal, private: Collection[str]) -> Mapping[str, Json]:
    missing = [masked_text(each, private) for each in refusal.missing]
    return {**refusal.to_json(), "missing": missing, "known": _known(refusal.known, private)}


def _known(known: Moment, private: Collection[str]) -> Mapping[str, Json]:
    """A value that became private after that moment is one that is not shown."""
    shown = {name: value for name, value in known.values.items() if masked(value, private) == value}
    hidden = sorted({*known.hidden, *(known.values.keys() - shown.keys())})
    return {**known.to_json(), "values": shown, "hidden": hidden}


def _slot(call: Call, name: str, slot: SlotValue) -> Mapping[str, Json]:
    shown = MASK if call.is_private(f"slots.{name}") else masked(slot.value, call.state.private)
    return {"value": shown, "source": slot.source, "node": slot.node, "by": slot.by}
