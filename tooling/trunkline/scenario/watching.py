"""Watches one call of a scenario: what it reaches, and how it stood when it left the way."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from trunkline.scenario.result import SeenExit, Sight, Way
from trunkline.scenario.ways import (
    NODE,
    OPEN,
    REFUSAL,
    SHUT,
    guard_way,
    is_guarded,
    way_of,
    written_edges,
)
from trunkline_runtime.call.call import Call
from trunkline_runtime.call.exits import Move, collected, lacks, missing_slots
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.table.nodes import ConfirmNode, RouteNode, TalkNode
from trunkline_runtime.table.parts import Edge

# Where each edge stands: (tenant, *its name) → (path, line).
Lines = Mapping[Way, tuple[str, int]]


def names_of(release: Release) -> dict[int, Way]:
    """Identity of an edge → its name, for all tables of a release."""
    return {
        id(edge): way for table in release.tables.values() for way, edge in written_edges(table)
    }


class Watch:
    """Notes what a call reaches. `expected` are the nodes that it should pass, if that is said.

    `story` gives the lines of the transcript so far.
    """

    def __init__(
        self,
        names: Mapping[int, Way],
        lines: Lines,
        tenant: str,
        expected: Sequence[str] | None,
        story: Callable[[], tuple[str, ...]],
    ) -> None:
        self._names = names
        self._lines = lines
        self._tenant = tenant
        self._expected = expected
        self._story = story
        self.reached: set[Way] = set()
        self.turned: Sight | None = None
        self.last: Sight | None = None

    def looked_at(self, edge: Edge, holds: bool) -> None:
        way = self._names.get(id(edge))
        if way is not None and is_guarded(edge):
            self.reached.add(guard_way(way, OPEN if holds else SHUT))

    def moves(self, call: Call, move: Move) -> None:
        table = call.table
        # At the beginning the call stands on its first node without having gone there.
        before = call.state.node if call.state.path else ""
        way = way_of(table, before, move, self._names)
        if way is not None:
            self.reached.add(way)
        if move.to:
            self.reached.add((NODE, table.flow, move.to))
        if self._expected is not None and self.turned is None and move.to:
            passed = sum(bool(step.node) for step in call.state.path)
            wanted = self._expected[passed] if passed < len(self._expected) else None
            if wanted != move.to:
                ought = f"to {wanted}" if wanted is not None else "nowhere any more"
                said = f"went to {move.to} ({move.reason}), and should have gone {ought}"
                self.turned = self._seen(call, said)

    def stopped(self, call: Call) -> None:
        self.last = self._seen(call, "")
        for refusal in call.state.refusals:
            self.reached.add((REFUSAL, call.table.flow, refusal.node, refusal.to))

    def _seen(self, call: Call, turned: str) -> Sight:
        begun = bool(call.state.path)
        exits = tuple(self._exits(call)) if begun else ()
        return Sight(
            self._story(), call.table.flow, call.state.node if begun else "", exits, turned
        )

    def _exits(self, call: Call) -> Iterator[SeenExit]:
        node, values = call.node, call.values()
        if isinstance(node, ConfirmNode):
            yield SeenExit(node.on_yes, None, True, "on a yes")
            yield SeenExit(node.on_no, None, True, "on a no")
            yield SeenExit(node.on_unclear, None, True, "on neither, in the end")
        if not isinstance(node, TalkNode | RouteNode):
            return
        waits = ""
        if isinstance(node, TalkNode) and not collected(node, call.state):
            waits = f"{', '.join(missing_slots(node, call.state))} is not collected yet"
        for edge in (*node.edges, *(call.table.anywhere if isinstance(node, TalkNode) else ())):
            missing = list(lacks(edge, call.state, call.conditions, values))
            if not edge.asks_model and waits:
                missing.insert(0, waits)
            way = (self._tenant, *self._names.get(id(edge), ()))
            path, line = self._lines.get(way, ("", 0))
            why = "; ".join(missing) or ("the model may choose it" if edge.when else "it holds")
            yield SeenExit(edge.to, edge.when, not missing, why, path, line)
