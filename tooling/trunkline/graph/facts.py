"""Where facts come from in a flow, on which slots they rest, and what could establish them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.params import names_in_expression, names_in_template
from trunkline.graph.spoken import only_collected, unspoken
from trunkline.model.catalogue import Catalogue
from trunkline.model.nodes import ConfirmNode
from trunkline.model.tool_use import ToolUse


@dataclass(frozen=True, slots=True)
class Unproving:
    """A tool that could establish a fact, but not as it is used here: its arguments in `spoken`
    that are not bound to what the caller said."""

    node: InlinedNode
    use: ToolUse
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Establishers:
    """The facts that the reachable part of a flow can establish, and uses that fail to."""

    facts: frozenset[str]
    unproving: Mapping[str, tuple[Unproving, ...]]


def rests_on(inlined: Inlined, catalogue: Catalogue) -> Mapping[str, frozenset[str]]:
    """Fact → the slots on whose values it rests, over all places of the flow that establish it.

    Those bound into a tool that establishes it, and those read out by a confirm node.
    """
    slots: dict[str, set[str]] = {}
    for inner, use in inlined.uses():
        entry = catalogue.entries.get(use.id)
        if entry is not None and entry.establishes:
            bound = set(_slots_bound(inner, use))
            for fact in entry.establishes:
                slots.setdefault(fact, set()).update(bound)
    for inner in inlined.nodes.values():
        node, scope = inner.node, inner.scope
        if isinstance(node, ConfirmNode):
            read = names_in_template(node.say, scope.params, node.place.at("say"))
            spoken = {reading.name for reading in read if reading.root == "slots"}
            for fact in node.establishes:
                slots.setdefault(fact, set()).update(spoken)
    return {fact: frozenset(read) for fact, read in slots.items()}


def establishers(
    inlined: Inlined,
    catalogue: Catalogue,
    reached: frozenset[str],
    given_by_links: frozenset[str],
) -> Establishers:
    """What the nodes that a call can reach (inlined ids) can establish."""
    nodes = [inner for inner in inlined.nodes.values() if inner.id in reached]
    collected = only_collected(inlined, nodes, given_by_links)
    facts: set[str] = set()
    unproving: dict[str, list[Unproving]] = {}
    for inner in nodes:
        if isinstance(inner.node, ConfirmNode):
            facts.update(fact for fact in inner.node.establishes if catalogue.may_confirm(fact))
        for use in getattr(inner.node, "tools", ()):
            entry = catalogue.entries.get(use.id)
            if entry is None or not entry.establishes:
                continue
            missing = unspoken(entry, use, inner.scope, collected)
            for fact in entry.establishes:
                if missing:
                    unproving.setdefault(fact, []).append(Unproving(inner, use, missing))
                else:
                    facts.add(fact)
    return Establishers(frozenset(facts), {fact: tuple(uses) for fact, uses in unproving.items()})


def _slots_bound(inner: InlinedNode, use: ToolUse) -> Iterator[str]:
    for argument, bound in use.bind.items():
        if isinstance(bound, str):
            place = use.place.at("with", argument)
            for reading in names_in_expression(bound, inner.scope.params, place):
                if reading.root == "slots":
                    yield reading.name
