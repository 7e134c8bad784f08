"""What a tool's result does to the call: the slots that it sets, the facts that it establishes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.known import SlotValue
from trunkline_runtime.call.rules import establish, set_slot, still_holds
from trunkline_runtime.call.values import flatten
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import EvaluationError, Unset
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.parts import ToolUse


@dataclass(frozen=True)
class Started:
    """A call of a tool as it was when it started: what its result is measured against.

    `rests_on` are the slots bound into it, `spoken` whether each argument that must come from the
    caller did, `flow` how many flows the call had left. `seen` is the tick at which its arguments
    were read, `tick` that of the start, which comes later: the gate decides in between.
    """

    seen: int
    tick: int
    node: str
    rests_on: frozenset[str]
    spoken: bool
    flow: int


def apply_result(
    call: Call, entry: ToolEntry, use: ToolUse, args: Mapping[str, Json], result: Json, at: Started
) -> None:
    """Sets slots, then establishes facts: those that nothing has overtaken since the start.

    A result that arrives after the call has gone on in another flow does nothing there.
    """
    if call.state.links != at.flow:
        return
    call.state.results[entry.id] = result
    values = {**call.values(), **flatten("args", dict(args)), **flatten("result", result)}
    _set_slots(call, use, values, at)
    if not at.spoken:
        return
    subject = subject_of(call, entry, args, result)
    if entry.subject is not None and subject is None:
        return  # a fact about somebody of whom nobody can tell who it is would count for anybody
    for fact, condition in entry.establishes.items():
        if call.conditions.of_tool(entry.id, condition).holds(values) and still_holds(
            call.state, fact, at.rests_on, seen=at.seen, started=at.tick
        ):
            establish(call.state, fact, by=entry.id, subject=subject, slots=at.rests_on)


def _set_slots(call: Call, use: ToolUse, values: Mapping[str, Json], at: Started) -> None:
    for name, bound in use.sets.items():
        # The start of this call unset the slot; if it was changed since, by the caller or by
        # another call, the newer value stays.
        if name in call.state.slots:
            continue
        value: Json
        if isinstance(bound, str):
            try:
                value = call.conditions.of_tool(use.id, bound).value(values)
            except (Unset, EvaluationError):
                continue
        else:
            value = bound
        call.keep_private(name, value)
        set_slot(call.state, name, SlotValue(value, "tool", at.node, by=use.id))


def subject_of(
    call: Call, entry: ToolEntry, args: Mapping[str, Json], result: Json = None
) -> str | None:
    """Whom a call is about, by the entry's `subject`; None where it has none or cannot tell."""
    if entry.subject is None:
        return None
    given: dict[str, Any] = {**flatten("args", dict(args))}
    if result is not None:
        given |= flatten("result", result)
    try:
        value = call.conditions.of_tool(entry.id, entry.subject).value({**call.values(), **given})
    except (Unset, EvaluationError):
        return None
    return None if value is None else str(value)
