"""All that is known of a flow and of each of its nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from trunkline.graph.analysis import Analysis
from trunkline.graph.cap_loads import CapLoad, cap_loads
from trunkline.graph.changes import FACTS, SLOTS
from trunkline.graph.inline import InlinedNode
from trunkline.graph.trace import shortest_path
from trunkline.graph.worst_case import WorstCase, worst_case
from trunkline.model.place import Place
from trunkline.model.policy import facts_of


@dataclass(frozen=True)
class ToolAccount:
    """A tool of a node: the facts that the policy requires for it, and those that it brings."""

    id: str
    place: Place
    effects: tuple[str, ...]
    requires: tuple[str, ...]
    establishes: tuple[str, ...]
    max_calls: int


@dataclass(frozen=True)
class NodeAccount:
    """A node: where it stands, what is known whenever a call comes to it, how it comes there.

    `path` is the shortest path, None if there is none; then nothing is known either. `comes_from`
    and `goes_to` are the nodes beside it, with every kind of edge counted.
    """

    id: str
    kind: str
    place: Place
    path: tuple[str, ...] | None
    facts: tuple[str, ...]
    slots: tuple[str, ...]
    tools: tuple[ToolAccount, ...]
    comes_from: tuple[str, ...]
    goes_to: tuple[str, ...]


@dataclass(frozen=True)
class FlowAccount:
    """A flow: the files that it is made of, its nodes in their order, its worst case.

    `caps` are the spend caps that count something of it, with what they count at worst.
    """

    name: str
    files: tuple[str, ...]
    nodes: tuple[NodeAccount, ...]
    worst: WorstCase
    caps: tuple[CapLoad, ...]


def account(analysis: Analysis, today: date, nodes: Sequence[str] | None = None) -> FlowAccount:
    """What is known of a flow and its nodes, or of those named. The flow has a graph.

    `today` decides which caps and exceptions are in force.
    """
    inlined = analysis.inlined
    chosen = inlined.nodes.values() if nodes is None else (inlined.nodes[id] for id in nodes)
    files = dict.fromkeys([inlined.flow.path, *(scope.flow.path for scope in inlined.scopes)])
    return FlowAccount(
        name=f"{inlined.tenant}/{inlined.flow.id}",
        files=tuple(files),
        nodes=tuple(_node(analysis, inner) for inner in chosen),
        worst=worst_case(analysis),
        caps=cap_loads(analysis, today).caps,
    )


def _node(analysis: Analysis, inner: InlinedNode) -> NodeAccount:
    graph, bits = analysis.graph, analysis.changes.bits
    vertices = [each for each in graph.of_node[inner.id] if each in analysis.reached]
    known = -1 if vertices else 0
    for vertex in vertices:
        known &= analysis.known[vertex] or 0
    path = shortest_path(graph, frozenset(vertices))
    here = frozenset(graph.of_node[inner.id])
    sources = {
        graph.vertices[passage.source].id: None
        for vertex in here
        for passage in graph.into[vertex]
        if passage.source >= 0
    }
    targets = {
        graph.vertices[passage.target].id: None for vertex in here for passage in graph.out[vertex]
    }
    order = {id: number for number, id in enumerate(analysis.inlined.nodes)}
    facts = analysis.catalogue.fact_names
    slots = analysis.inlined.whole.slots
    return NodeAccount(
        id=inner.id,
        kind=type(inner.node).__name__.removesuffix("Node").lower(),
        place=inner.node.place.key,
        path=None if path is None else graph.names(path),
        facts=tuple(sorted(fact for fact in facts if bits.of(FACTS, [fact]) & known)),
        slots=tuple(slot for slot in slots if bits.of(SLOTS, [slot]) & known),
        tools=_tools(analysis, inner),
        comes_from=tuple(sorted(sources, key=order.__getitem__)),
        goes_to=tuple(sorted(targets, key=order.__getitem__)),
    )


def _tools(analysis: Analysis, inner: InlinedNode) -> tuple[ToolAccount, ...]:
    found = []
    for use in getattr(inner.node, "tools", ()):
        entry = analysis.catalogue.entries.get(use.id)
        effects = entry.effects if entry else frozenset()
        found.append(
            ToolAccount(
                id=use.id,
                place=use.place,
                effects=tuple(sorted(effects)),
                requires=tuple(facts_of(effects, analysis.required_facts)),
                establishes=tuple(sorted(entry.establishes)) if entry else (),
                max_calls=use.max_calls,
            )
        )
    return tuple(found)
