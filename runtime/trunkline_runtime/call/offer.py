"""The catalogue tools that a node offers at this moment."""

from collections.abc import Mapping

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collect_schema import COLLECT
from trunkline_runtime.call.move_to import MOVE_TO
from trunkline_runtime.call.steps import STEP
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.table.parts import ToolUse
from trunkline_runtime.tools.arguments import unfilled

_RESERVED = frozenset({MOVE_TO, COLLECT, STEP})


def offered_uses(call: Call, node: TalkNode, moment: int) -> list[ToolUse]:
    """The uses whose `if` holds and whose bound slots, where the node fills them, are set.

    One with an argument whose values are not known (`x-enum-from`) is not offered.

    `moment` tells generations apart: the length of the dialogue. A tool that is offered `once` is
    offered at one moment of a visit, however often LiveKit generates at that moment. Of two uses of
    one tool the first that is offered counts: two tools of one name would end the session.
    """
    values = call.values()
    filled_here = set(node.collect) | {name for use in node.tools for name in use.sets}
    offered: dict[str, ToolUse] = {}
    for use in node.tools:
        if (
            use.id in call.entries
            and use.id not in _RESERVED
            and use.id not in offered
            and _ready(call, use, filled_here)
            and not unfilled(call.entries[use.id], call.state.results)
            and _wanted(call, use, values)
            and (not use.once or call.state.visit.once.setdefault(use.id, moment) == moment)
        ):
            offered[use.id] = use
    return list(offered.values())


def _ready(call: Call, use: ToolUse, filled_here: set[str]) -> bool:
    read: set[str] = set()
    for bound in use.bind.values():
        if isinstance(bound, str):
            read |= call.conditions.of(bound).slots
    return all(name in call.state.slots for name in read & filled_here)


def _wanted(call: Call, use: ToolUse, values: Mapping[str, Json]) -> bool:
    return use.condition is None or call.conditions.of(use.condition).holds(values)
