"""A recorded moment, seen by another release: which of its guards hold then."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from trunkline_runtime.call.conditions import Conditions, conditions_of
from trunkline_runtime.call.exits import lacks
from trunkline_runtime.call.known import Fact, SlotValue
from trunkline_runtime.call.masking import MASK
from trunkline_runtime.call.moment import Moment
from trunkline_runtime.call.state import CallState, PinnedTo, Visit
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.parts import Edge

Holds = Literal["open", "closed", "unclear"]


@dataclass(frozen=True)
class Recalled:
    """What a flow of a release makes of a moment."""

    table: NodeTable
    conditions: Conditions
    known: Moment
    values: dict[str, Json]
    state: CallState

    @classmethod
    def of(cls, release: Release, flow: str, node: str, known: Moment) -> "Recalled":
        table = release.tables[flow]
        conditions = conditions_of(table, release.entries, release.facts)
        masked = {name for name, value in known.values.items() if MASK in str(value)}
        known = replace(known, hidden=tuple(sorted({*known.hidden, *masked})))
        values = {name: value for name, value in known.values.items() if name not in masked}
        values |= {f"facts.{name}": name in known.facts for name in conditions.facts}
        values |= {f"failed.{tool}": tool in known.failed for tool in table.tools}
        return cls(table, conditions, known, values, _state(table, node, known))

    def guard(self, edge: Edge) -> Holds:
        """Whether an edge's `requires` and `if` hold."""
        if any(fact not in self.known.facts for fact in edge.required_facts):
            return "closed"
        if any(name not in self.state.slots for name in edge.required_slots):
            return "closed"
        return self.condition(edge.condition)

    def condition(self, text: str | None) -> Holds:
        """Whether an expression holds; unclear if it reads a value that is not shown."""
        if text is None:
            return "open"
        expression = self.conditions.of(text)
        if any(name in self.known.hidden for name in expression.names):
            return "unclear"
        return "open" if expression.holds(self.values) else "closed"

    def lacks(self, edges: Iterable[Edge]) -> str:
        """What edges that are closed need, in words."""
        missing = [
            lack for edge in edges for lack in lacks(edge, self.state, self.conditions, self.values)
        ]
        return "; ".join(dict.fromkeys(missing))


def _state(table: NodeTable, node: str, known: Moment) -> CallState:
    """As much of a call's state as exits look at. A hidden value is there, and nobody reads it."""
    rooms: dict[str, dict[str, Json]] = {"slots": {}, "inputs": {}}
    for name in (*known.values, *known.hidden):
        room, _, rest = name.partition(".")
        if room in rooms:
            rooms[room][rest] = known.values.get(name)
    return CallState(
        call_id="replay",
        tenant=table.tenant,
        flow=table.flow,
        pin=PinnedTo("", ""),
        direction=table.direction,
        language=table.language,
        started=datetime.min,
        visit=Visit(0, node),
        inputs=rooms["inputs"],
        slots={name: SlotValue(value, "given", node) for name, value in rooms["slots"].items()},
        declined=set(known.declined),
        ask_again=set(known.ask_again),
        facts={name: Fact(None, "", frozenset()) for name in known.facts},
        disclosed=set(known.disclosed),
    )
