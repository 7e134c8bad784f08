"""Every place of a flow that reads a slot, and what is set by the time it is read."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline.graph.changes import SLOTS, Changes
from trunkline.graph.conditions import Conditions
from trunkline.graph.edge import GraphEdge
from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.params import Reading, names_in_expression, names_in_template
from trunkline.graph.scope import Scope
from trunkline.model.nodes import (
    ConfirmNode,
    EndNode,
    LinkNode,
    TalkNode,
    TransferNode,
)
from trunkline.model.place import Place
from trunkline.model.policy import disclosed
from trunkline.model.tool_use import ToolUse

_OF_SILENCE = "`say` of `silence`"


@dataclass(frozen=True, slots=True)
class Read:
    """A slot that is read on a node (an inlined id), and where to point.

    Of what is known on entry to the node, `lost` may be gone and `gained` is known besides when
    the slot is read. `by` says what reads it.
    """

    slot: str
    node: str
    place: Place
    by: str
    lost: int = 0
    gained: int = 0


class Reads:
    """Finds the reads of one inlined flow. Slots that the flow does not declare are left out."""

    def __init__(
        self,
        inlined: Inlined,
        conditions: Conditions,
        changes: Changes,
        disclosures: Mapping[str, Any] | None,
    ) -> None:
        self._inlined = inlined
        self._conditions = conditions
        self._changes = changes
        self._disclosures = disclosures or {}

    def all(self, edges: tuple[GraphEdge, ...]) -> Iterator[Read]:
        """Every read on every node, reachable or not."""
        for inner in self._inlined.nodes.values():
            yield from self._on_node(inner)
        for scope in self._inlined.root.all():
            yield from self._on_entry(scope)
        for edge in edges:
            yield from self._on_edge(edge)

    def _on_node(self, inner: InlinedNode) -> Iterator[Read]:
        node, place = inner.node, inner.node.place
        match node:
            case TalkNode():
                for key in ("say", "say_again"):
                    yield from self._words(inner, getattr(node, key), place.at(key), f"`{key}`")
                for index, name in enumerate(node.speak):
                    yield from self._disclosure(inner, name, place.at("speak", index))
                # All that is not said on entry may be said while a tool fetches a slot anew, or
                # after the caller has declined what is asked again.
                lost = self._changes.bits.of(SLOTS, {*_sets(node), *self._declined(node)})
                at = place.at("instructions")
                yield from self._words(inner, node.instructions, at, "`instructions`", lost)
                yield from self._silence(inner, node, lost)
                yield from self._asks(inner, node, lost)
                for use in node.tools:
                    yield from self._tool(inner, node, use)
            case ConfirmNode() | EndNode() | TransferNode():
                yield from self._words(inner, node.say, place.at("say"), "`say`")
        if isinstance(node, ConfirmNode):
            yield from self._silence_of_flow(inner, 0)
        if isinstance(node, TransferNode) and node.decided_by and not node.has_default_number:
            yield from self._known(
                [Reading("slots", node.decided_by, place.at("number", "by"))], inner.id, "`number`"
            )
        if isinstance(node, LinkNode):
            for name, value in node.bind.items():
                yield from self._value(inner, value, place.at("with", name), "`with`")

    def _words(
        self, inner: InlinedNode, text: str | None, place: Place, by: str, lost: int = 0
    ) -> Iterator[Read]:
        if text is not None:
            names = names_in_template(text, inner.scope.params, place)
            yield from self._known(names, inner.id, by, lost)

    def _disclosure(self, inner: InlinedNode, name: str, place: Place) -> Iterator[Read]:
        """What the words of the policy read, where the flow speaks them."""
        text = disclosed(self._disclosures, name, self._inlined.whole.language)
        if text is not None:
            yield from self._known(names_in_template(text, {}, place), inner.id, "`speak`")

    def _silence(self, inner: InlinedNode, node: TalkNode, lost: int) -> Iterator[Read]:
        if "say" in node.silence:
            place = node.place.at("silence", "say")
            yield from self._words(inner, node.silence["say"], place, _OF_SILENCE, lost)
        else:
            yield from self._silence_of_flow(inner, lost)

    def _silence_of_flow(self, inner: InlinedNode, lost: int) -> Iterator[Read]:
        whole = self._inlined.whole
        if "say" in whole.silence:
            place = whole.place.at("silence", "say")
            names = names_in_template(whole.silence["say"], self._inlined.root.params, place)
            yield from self._known(names, inner.id, _OF_SILENCE, lost)

    def _asks(self, inner: InlinedNode, node: TalkNode, lost: int) -> Iterator[Read]:
        """The words that ask for a slot; they stand in the host, whose slots these are."""
        root = self._inlined.root
        for slot in node.collect:
            declared = self._inlined.whole.slots.get(slot)
            if declared is not None and declared.ask is not None:
                names = names_in_template(declared.ask, root.params, declared.place.at("ask"))
                yield from self._known(names, inner.id, f"`ask` of `slots.{slot}`", lost)

    def _tool(self, inner: InlinedNode, node: TalkNode, use: ToolUse) -> Iterator[Read]:
        """A tool is offered once what its node collects or sets for it is set."""
        gained = self._changes.bits.of(SLOTS, {*_sets(node), *node.collect})
        for argument, value in use.bind.items():
            place = use.place.at("with", argument)
            yield from self._value(inner, value, place, "`with`", gained)
        if use.condition is not None:
            place = use.place.at("if")
            yield from self._value(inner, use.condition, place, "`if` of this tool", gained)
        yield from self._result(inner, node, use)

    def _result(self, inner: InlinedNode, node: TalkNode, use: ToolUse) -> Iterator[Read]:
        """What `sets` reads, when the result is there: the slots that tools set are unset then.

        A slot that the node asks for is set if the tool waited for it, to have it as an argument.
        """
        entry = self._changes.entries.get(use.id)
        if entry is None:
            return
        declined = set(self._declined(node))
        lost = self._changes.bits.of(SLOTS, {*_sets(node), *declined})
        waited_for = {
            name
            for value in use.bind.values()
            if isinstance(value, str)
            and (meaning := self._conditions.meaning(inner.scope, value)) is not None
            for name in meaning.slots
        }
        asked = (waited_for & {*node.collect}) - declined - _sets(node)
        gained = self._changes.bits.of(SLOTS, asked)
        for slot, value in use.sets.items():
            if isinstance(value, str) and self._conditions.meaning(inner.scope, value, entry):
                place = use.place.at("sets", slot)
                names = names_in_expression(value, inner.scope.params, place)
                yield from self._known(names, inner.id, "`sets`", lost, gained)

    def _value(
        self, inner: InlinedNode, value: object, place: Place, by: str, gained: int = 0
    ) -> Iterator[Read]:
        if isinstance(value, str) and self._conditions.meaning(inner.scope, value) is not None:
            names = names_in_expression(value, inner.scope.params, place)
            yield from self._known(names, inner.id, by, gained=gained)

    def _on_entry(self, scope: Scope) -> Iterator[Read]:
        """What a host gives to a sub-flow must be set where the call enters it."""
        entry = scope.resolve(scope.flow.start or "")
        if scope.host is None or scope.node is None or entry is None:
            return
        for name, value in scope.node.bind.items():
            place = scope.node.place.at("with", name)
            if isinstance(value, str) and self._conditions.meaning(scope.host, value) is not None:
                names = names_in_expression(value, scope.host.params, place)
                yield from self._known(names, entry, "`with`")

    def _on_edge(self, edge: GraphEdge) -> Iterator[Read]:
        """What an edge reads is read after its `requires`, and once what it waits for is set."""
        written = edge.edge
        if written is None or edge.source is None:
            return
        gained = self._changes.collected_before(edge) | self._changes.bits.of(
            SLOTS, written.required_slots
        )
        lost = self._changes.lost_on(edge.source)
        params = edge.scope.params
        condition = written.condition
        if condition and self._conditions.meaning(edge.scope, condition) is not None:
            names = names_in_expression(condition, params, edge.place.at("if"))
            yield from self._known(names, edge.source, "`if`", lost, gained)
        if written.say is not None:
            names = names_in_template(written.say, params, edge.place.at("say"))
            yield from self._known(names, edge.source, "`say` of this edge", lost, gained)

    def _declined(self, node: TalkNode) -> Iterator[str]:
        """The optional slots that a node asks for."""
        declared = self._inlined.whole.slots
        return (name for name in node.collect if name in declared and declared[name].optional)

    def _known(
        self,
        names: Iterable[Reading],
        node: str,
        by: str,
        lost: int = 0,
        gained: int = 0,
    ) -> Iterator[Read]:
        for reading in names:
            if reading.root == "slots" and reading.name in self._inlined.whole.slots:
                by_whom = "`with`" if reading.given else by
                yield Read(reading.name, node, reading.place, by_whom, lost, gained)


def _sets(node: TalkNode) -> set[str]:
    """The slots that the results of a node's tools set."""
    return {slot for use in node.tools for slot in use.sets}
