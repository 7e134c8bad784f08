"""What each edge of a flow proves, sets, revokes and clears."""

from collections.abc import Iterable, Mapping, Sequence

from trunkline.graph.conditions import Conditions
from trunkline.graph.edge import GraphEdge, Kind
from trunkline.graph.facts import rests_on
from trunkline.graph.flow_graph import FlowGraph
from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.known import Change
from trunkline.graph.lexed import facts_needed
from trunkline.model.catalogue import Catalogue
from trunkline.model.nodes import ConfirmNode, TalkNode
from trunkline_runtime.catalogue.entry import ToolEntry, run_by

FACTS = "facts."
SLOTS = "slots."


class Bits:
    """A bit for each fact and slot (`facts.x`, `slots.x`), given out as they are asked for."""

    def __init__(self) -> None:
        self._positions: dict[str, int] = {}

    def of(self, prefix: str, names: Iterable[str]) -> int:
        """The bits of some names, together."""
        together = 0
        for name in names:
            position = self._positions.setdefault(prefix + name, len(self._positions))
            together |= 1 << position
        return together

    @property
    def all(self) -> int:
        """Every bit that has been given out."""
        return (1 << len(self._positions)) - 1


class Changes:
    """The change that each edge of an inlined flow makes, in the bits of one flow."""

    def __init__(self, inlined: Inlined, catalogue: Catalogue, conditions: Conditions) -> None:
        self.bits = Bits()
        self._inlined = inlined
        self._catalogue = catalogue
        self._conditions = conditions
        self._rests_on = rests_on(inlined, catalogue)
        self._lost = {id: self._lost_on(inner) for id, inner in inlined.nodes.items()}

    @property
    def entries(self) -> Mapping[str, ToolEntry]:
        """The entries of the catalogue, by tool."""
        return self._catalogue.entries

    def beside(self, graph: FlowGraph) -> Sequence[Sequence[Change]]:
        """The changes beside `graph.out`, each edge computed once."""
        of_edge: dict[GraphEdge, Change] = {}
        for edge in graph.edges:
            of_edge[edge] = self.of(edge)
        return [[of_edge[passage.edge] for passage in out] for out in graph.out]

    def lost_on(self, id: str) -> int:
        """What a node may take away before anything on it runs or leaves it.

        Facts that its tools revoke; facts that rest on a slot which it collects or its tools set;
        the slots that its tools set, each unset while the call of the tool runs; and the optional
        slots that it collects.
        """
        return self._lost[id]

    def of(self, edge: GraphEdge) -> Change:
        """What the edge does to what is known on entry to its source."""
        if edge.source is None:
            return Change()
        loses = self._lost[edge.source]
        if edge.instead_of is not None:
            # What the refused edge required held; what it clears on arrival was not cleared.
            return Change(loses, self.of(edge.instead_of).gains)
        gains = self._gained_by_node(edge)
        written = edge.edge
        if written is None:
            return Change(loses, gains)
        gains |= self.bits.of(FACTS, written.required_facts)
        gains |= self.bits.of(SLOTS, written.required_slots)
        if written.condition is not None:
            meaning = self._conditions.meaning(edge.scope, written.condition)
            # One that does not type-check is a finding of its own; no lost proof follows from it.
            needed = meaning.conjunct_facts if meaning else facts_needed(written.condition)
            gains |= self.bits.of(FACTS, needed)
        cleared = frozenset(written.clears)
        clears = self.bits.of(SLOTS, cleared) | self.resting_on(cleared)
        return Change(loses, gains, clears)

    def collected_before(self, edge: GraphEdge) -> int:
        """The slots that are set because the edge waits for them: each that is not optional."""
        node = self._inlined.nodes[edge.source or ""].node
        if edge.kind is not Kind.LOCAL or edge.asks_model or not isinstance(node, TalkNode):
            return 0
        declared = self._inlined.whole.slots
        return self.bits.of(
            SLOTS,
            (slot for slot in node.collect if slot in declared and not declared[slot].optional),
        )

    def _gained_by_node(self, edge: GraphEdge) -> int:
        node = self._inlined.nodes[edge.source or ""].node
        if edge.kind is Kind.ON_YES and isinstance(node, ConfirmNode):
            return self.bits.of(FACTS, filter(self._catalogue.may_confirm, node.establishes))
        return self.collected_before(edge)

    def _lost_on(self, inner: InlinedNode) -> int:
        if not isinstance(inner.node, TalkNode):
            return 0
        sets = {slot for use in inner.node.tools for slot in use.sets}
        revoked = {
            fact
            for use in inner.node.tools
            for entry in run_by(self._catalogue.entries, use.id)
            for fact in entry.revokes
        }
        touched = frozenset(sets | set(inner.node.collect))
        # Asked again, the caller may decline what was set before.
        declared = self._inlined.whole.slots
        declined = {
            slot for slot in inner.node.collect if slot in declared and declared[slot].optional
        }
        return (
            self.bits.of(FACTS, revoked)
            | self.bits.of(SLOTS, sets | declined)
            | self.resting_on(touched)
        )

    def resting_on(self, slots: frozenset[str]) -> int:
        """The facts that fall when one of the slots changes."""
        return self.bits.of(FACTS, (fact for fact, read in self._rests_on.items() if read & slots))
