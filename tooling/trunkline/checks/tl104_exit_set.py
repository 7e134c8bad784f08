"""TL104: a set of exits that cannot work.

Finds: a talk node without any exit, a route without `else` at its end or with one before it, an
`else` or a `when` where it means nothing, two exits of one node with the same `when` (case and
spaces aside), `if` and `requires`, an exit without `when` after one that is always taken before it,
an aside with exits of its own or without a node to go back to.

On the phone: the agent would be stuck on the node, or one of two exits could never be taken.

Fails:

    by_department:
      kind: route
      edges:
        - {to: cosmetic, if: slots.department == "cosmetic"}

Passes:

    by_department:
      kind: route
      edges:
        - {to: cosmetic, if: slots.department == "cosmetic"}
        - {to: medical, else: true}
"""

from collections.abc import Iterator, Sequence

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.edge import Edge
from trunkline.model.flow import Flow
from trunkline.model.nodes import RouteNode, TalkNode
from trunkline.model.repository import Repository

CODE = "TL104"


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """Exit sets that cannot work whoever uses the file."""
    yield from _duplicates(flow.anywhere)
    yield from _no_else(flow.anywhere)
    for node in flow.nodes.values():
        if isinstance(node, RouteNode):
            yield from _duplicates(node.edges)
            yield from _route(node)
        elif isinstance(node, TalkNode):
            yield from _duplicates(node.edges)
            yield from _no_else(node.edges)
            if node.aside and node.edges:
                message = f"`{node.id}` is an aside (`return: true`), so it has no exits of its own"
                help = "Remove `edges`, or remove `return` and let an exit lead on."
                yield error_at(CODE, node.place.at("edges").key, message, help)


def check(analysis: Analysis) -> Iterator[Finding]:
    """Exit sets that depend on the whole flow: what it offers anywhere, and how asides are met."""
    inlined = analysis.inlined
    for inner in inlined.nodes.values():
        node = inner.node
        if not isinstance(node, TalkNode) or node.aside or node.edges:
            continue
        if not inlined.whole.anywhere:
            message = f"`{node.id}` has no exit, so the conversation would be stuck there"
            help = "Give it `edges`, or `return: true` if it should go back to where it came from."
            yield error_at(CODE, node.place.key, message, help)
    whole = inlined.whole
    beginnings = [(whole.start, whole.place.at("start"))]
    beginnings += [(target, whole.place.at("answer", key)) for key, target in whole.answer.items()]
    for target, place in beginnings:
        begun = inlined.nodes.get(inlined.root.resolve(target or "") or "")
        if begun is not None and isinstance(begun.node, TalkNode) and begun.node.aside:
            message = f"`{target}` is an aside, and at the beginning there is nothing to go back to"
            yield error_at(CODE, place, message, "Begin with a node that has exits of its own.")


def _route(node: RouteNode) -> Iterator[Finding]:
    ends = [index for index, edge in enumerate(node.edges) if edge.otherwise]
    if not ends:
        message = f"the route `{node.id}` has no `else`, so it may have nowhere to go"
        help = "Add a last exit `- {to: <node>, else: true}`."
        yield error_at(CODE, node.place.key, message, help)
    for index in ends:
        edge = node.edges[index]
        if index < len(node.edges) - 1:
            message = f"`else` stands before the end of `{node.id}`; what follows is never taken"
            yield error_at(CODE, edge.place, message, "Move it to the end of `edges`.")
        elif edge.condition is not None or edge.requires:
            message = "an `else` with a condition may not hold, and then there is no exit"
            help = "Remove `if` and `requires` from it, or add another `else` after it."
            yield error_at(CODE, edge.place, message, help)
    for edge in node.edges:
        if edge.asks_model:
            message = (
                f"`{node.id}` is a route: it decides without the model, so `when` says nothing"
            )
            help = "Write the condition as `if`, or make the node a talk node."
            yield error_at(CODE, edge.place.at("when").key, message, help)


def _no_else(edges: Sequence[Edge]) -> Iterator[Finding]:
    for edge in edges:
        if edge.otherwise:
            message = "`else` is for routes only"
            help = "Remove it: an exit with only `to` is taken when no exit before it is."
            yield error_at(CODE, edge.place.at("else").key, message, help)


def _always(edge: Edge) -> bool:
    """An exit that the runtime takes whenever it comes to it."""
    conditional = edge.condition is not None or edge.requires
    return not (edge.asks_model or edge.otherwise or conditional)


def _duplicates(edges: Sequence[Edge]) -> Iterator[Finding]:
    first: dict[object, Edge] = {}
    always: Edge | None = None
    for edge in edges:
        if always is not None and not edge.asks_model and not _always(edge):
            line = always.place.mark.line
            message = f"this exit can never be taken: the one in line {line} always holds"
            help = "Move the exit without conditions to the end, or give it an `if`."
            yield error_at(CODE, edge.place, message, help)
        always = always or (edge if _always(edge) else None)
        if edge.otherwise:
            continue
        when = None if edge.when is None else " ".join(edge.when.casefold().split())
        same = (when, (edge.condition or "").strip(), frozenset(edge.requires))
        before = first.setdefault(same, edge)
        if before is not edge:
            line = before.place.mark.line
            message = (
                f"this exit can never be taken: the one in line {line} has the same conditions"
            )
            help = "Let their `when`, `if` or `requires` differ, or remove one of them."
            yield error_at(CODE, edge.place, message, help)
