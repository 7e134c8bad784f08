"""Whether a call of a tool may be put to the gate: granted, not used up, with fitting arguments."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import ToolOutcome
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import Unusable, assembled


@dataclass(frozen=True)
class Place:
    """Where a call of a tool comes from: the node, its visit, and the tools granted there.

    A call does not begin after its visit is over, except that of a subagent (`visit` is None),
    which works on while the call moves. None begins for a caller who is gone, except what runs
    `after_call`. What a subagent uses is counted where the subagent was begun, in that `flow`
    (None: the one that the call is in).
    """

    node: str
    visit: int | None
    granted: frozenset[str]
    after_call: bool = False
    flow: str | None = None


@dataclass(frozen=True)
class Report:
    """What became of a call. `words` are for the model; `result` is set only for `done`.

    `stopped`: nobody waits for it any more.
    """

    outcome: ToolOutcome
    words: str
    result: Json = None
    stopped: bool = False


@dataclass(frozen=True)
class Ready:
    """A call that may be put to the gate.

    `counted` is the key under which it is counted, `seen` the tick at which its arguments were.
    """

    entry: ToolEntry
    args: Mapping[str, Json]
    counted: str
    seen: int


def checked(call: Call, use: ToolUse, chosen: Mapping[str, Json], place: Place) -> Report | Ready:
    """All arguments of a call that the model (or nobody, after the call) has asked for."""
    state = call.state
    entry = call.entries.get(use.id)
    here = place.visit is None or place.visit == state.visit.number
    left = gone(call, place, use)
    if left is not None and (here or state.over):
        return left
    if entry is None or use.id not in place.granted or left is not None:
        at = place.node if place.visit is None else state.node
        return Report("refused", f"There is no tool {use.id!r} at {at}.")
    counted = f"{place.flow or state.flow}/{place.node}/{use.id}"
    used = used_up(call, counted, use)
    if used is not None:
        return used
    try:
        args = assembled(
            entry,
            use,
            chosen,
            call.conditions,
            call.values(),
            state.results,
            on_a_node=not place.after_call,
        )
    except Unusable as unusable:
        return Report("refused", unusable.words)
    return Ready(entry, args, counted, state.tick)


def used_up(call: Call, counted: str, use: ToolUse) -> Report | None:
    """Why a call of a tool is one too many; None while it is not."""
    if call.state.calls.get(counted, 0) < use.max_calls:
        return None
    return Report("used_up", f"{use.id} was called as often as it may be in this call.")


def gone(call: Call, place: Place, use: ToolUse) -> Report | None:
    """Why a call that has not begun yet does not begin any more; None while it may."""
    state = call.state
    if state.over and not place.after_call:
        return Report("refused", "The call is over.")
    if place.visit is not None and place.visit != state.visit.number:
        return Report("refused", f"The call has moved on to {state.node}.")
    if use.condition is not None and not call.conditions.of(use.condition).holds(call.values()):
        # It held when the tool was offered; what it rests on has fallen since.
        return Report("refused", f"Not possible any more: {use.id} is no longer offered.")
    return None
