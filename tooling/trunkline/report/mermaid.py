"""A flow as Mermaid text: nodes by kind, exits with what they wait for, sub-flows as frames."""

from collections.abc import Iterator

from trunkline.graph.edge import CONFIRM_KINDS, GraphEdge, Kind
from trunkline.graph.edges import graph_edges
from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.scope import Scope
from trunkline.model.nodes import (
    ConfirmNode,
    EndNode,
    LinkNode,
    RouteNode,
    SubflowNode,
    TalkNode,
    TransferNode,
)
from trunkline.report.printable import printable

_LONGEST = 60
# What Mermaid would read as its own; `#` first, because the others become entities with one.
_ENTITIES = {
    "#": "#35;",
    '"': "#quot;",
    "<": "#lt;",
    ">": "#gt;",
    "&": "#amp;",
    "`": "#96;",
    "|": "#124;",
    "\\": "#92;",
}
# Ways that every node has alike are drawn once, from a node that stands for all of them.
_FROM_EVERYWHERE = frozenset({Kind.ANYWHERE, Kind.KEY, Kind.SILENCE, Kind.LIMITS, Kind.ERROR})
_CONFIRMED = {Kind.ON_YES: "yes", Kind.ON_NO: "no", Kind.ON_UNCLEAR: "unclear"}


def mermaid(inlined: Inlined) -> str:
    """The drawing, in the order of the files: the same bytes on every run."""
    return "".join(f"{line}\n" for line in _Drawing(inlined).lines())


def escaped(text: str, longest: int = _LONGEST) -> str:
    """Text for a label in quotes: on one line, cut, with nothing in it that Mermaid reads."""
    shown = " ".join(printable(text).split())
    if len(shown) > longest:
        shown = shown[: longest - 1].rstrip() + "…"
    return "".join(_ENTITIES.get(character, character) for character in shown)


class _Drawing:
    """Numbers the nodes, so that no id of a flow can be a word of Mermaid."""

    def __init__(self, inlined: Inlined) -> None:
        self._inlined = inlined
        self._names = {id: f"n{number}" for number, id in enumerate(inlined.nodes)}
        self._frames = 0

    def lines(self) -> Iterator[str]:
        yield "flowchart TD"
        yield '  begin(("call begins"))'
        yield from self._scope(self._inlined.root, "  ")
        edges = graph_edges(self._inlined)
        own = [edge for edge in edges if not self._is_from_everywhere(edge)]
        # One arrow for each way that many nodes have.
        shared = dict.fromkeys(self._edge(edge) for edge in edges if self._is_from_everywhere(edge))
        if shared:
            yield '  anywhere(("at any time"))'
        yield from (self._edge(edge) for edge in own if edge.kind is not Kind.BACK)
        yield from shared

    def _scope(self, scope: Scope, indent: str) -> Iterator[str]:
        for id, node in scope.flow.nodes.items():
            if not isinstance(node, SubflowNode):
                yield indent + self._node(self._inlined.nodes[scope.id_of(id)])
            elif id in scope.inner:
                self._frames += 1
                yield f'{indent}subgraph s{self._frames}["{escaped(f"{id}: {node.flow}")}"]'
                yield from self._scope(scope.inner[id], indent + "  ")
                yield f"{indent}end"

    def _node(self, inner: InlinedNode) -> str:
        name, node = self._names[inner.id], inner.node
        label = escaped(node.id)
        match node:
            case TalkNode():
                tools = ", ".join(use.id for use in node.tools)
                label = escaped(f"{node.id}: {tools}") if tools else label
                return f'{name}("{label}")' if node.aside else f'{name}["{label}"]'
            case ConfirmNode():
                return f'{name}{{{{"{label}"}}}}'
            case RouteNode():
                return f'{name}{{"{label}"}}'
            case TransferNode():
                return f'{name}[/"{label}"/]'
            case LinkNode():
                return f'{name}[["{escaped(f"{node.id}: {node.flow}")}"]]'
            case EndNode():
                return f'{name}(["{escaped(f"{node.id}: {node.outcome}")}"])'
        return f'{name}["{label}"]'

    def _is_from_everywhere(self, edge: GraphEdge) -> bool:
        """A way that the flow gives to all of its nodes, and not one that a node has by itself."""
        return (
            edge.kind in _FROM_EVERYWHERE
            and edge.place.document is self._inlined.whole.place.document
        ) and edge.place.keys[0] != "nodes"

    def _edge(self, edge: GraphEdge) -> str:
        source = "begin" if edge.source is None else self._names[edge.source]
        if self._is_from_everywhere(edge):
            source = "anywhere"
        arrow = "-->" if edge.kind in {Kind.LOCAL, Kind.START, *CONFIRM_KINDS} else "-.->"
        if edge.kind is Kind.LOCAL and not edge.asks_model:
            arrow = "==>"
        label = escaped(_label(edge))
        told = f'|"{label}"|' if label else ""
        return f"  {source} {arrow}{told} {self._names[edge.target]}"


def _label(edge: GraphEdge) -> str:
    written = edge.edge
    if written is not None:
        conditions = [f"if {written.condition}"] if written.condition else []
        conditions += [f"needs {', '.join(sorted(written.requires))}"] if written.requires else []
        parts = [written.when or "", "else" if written.otherwise else "", *conditions]
        return "; ".join(part for part in parts if part)
    if edge.kind is Kind.KEY:
        return f"key {edge.label}"
    if edge.kind is Kind.ON_FAILURE:
        return "nobody answers"
    if edge.kind in (Kind.START, Kind.BACK):
        return ""
    return _CONFIRMED.get(edge.kind, edge.label or edge.kind.value)
