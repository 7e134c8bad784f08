"""Puts shared flows in the place of the nodes and files that use them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trunkline.graph.params import Param, param_of_expression, param_of_literal
from trunkline.graph.scope import Scope
from trunkline.model.flow import Flow
from trunkline.model.nodes import Node, SubflowNode, TalkNode
from trunkline.model.place import Place
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.expression.lexer import LONGEST

SHARED = "shared/"

# Beyond these a flow is refused instead of proven: sub-flows in sub-flows double with each level,
# and asides are proven once for each node that they can be entered from.
MOST_NODES = 1_000
MOST_WAYS = 50_000
_OTHER_WAYS = 4  # silence, limits, error, the way back of an aside


@dataclass(frozen=True, slots=True, eq=False)
class InlinedNode:
    """A node under its inlined id (`verify/ask`), with the file that it stands in."""

    id: str
    node: Node
    scope: Scope


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a shared flow could not be put in the place that names it.

    `kind` is `missing` (no such file), `unreadable` (it has findings of its own), `loop` (it
    holds itself), `whole` (a whole flow where a sub-flow is wanted), `subflow` (the reverse) or
    `size` (with it, the flow is too large to be proven).
    """

    kind: str
    flow: str
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Inlined:
    """A tenant's flow with everything that it uses in its place.

    `flow` is the tenant's own file; `root` holds the flow itself: that file, or the shared one
    that it uses. With `obstacles` the nodes are not complete, and nothing is proven.
    """

    tenant: str
    flow: Flow
    root: Scope
    nodes: Mapping[str, InlinedNode]
    obstacles: tuple[Obstacle, ...]

    @property
    def whole(self) -> Flow:
        """The file that says what holds for the whole call: slots, keys, limits, …"""
        return self.root.flow

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Every file at every place where it stands."""
        return tuple(self.root.all())

    def uses(self) -> Iterator[tuple[InlinedNode, ToolUse]]:
        """Every tool that a node grants, in the order of the nodes."""
        for inlined in self.nodes.values():
            for use in getattr(inlined.node, "tools", ()):
                yield inlined, use


def inline(
    tenant: str, flow: Flow, shared: Mapping[str, Flow], unreadable: frozenset[str] = frozenset()
) -> Inlined:
    """The flow of a tenant with all shared flows in place.

    `shared` maps an id to a readable shared flow; `unreadable` are the ids of the others.
    """
    obstacles: list[Obstacle] = []
    library = _Library(shared, unreadable, obstacles)
    root = _root(flow, library)
    _open(root, library, (root.flow.path,))
    if library.nodes > MOST_NODES or _ways(root) > MOST_WAYS:
        obstacles.append(Obstacle("size", flow.id, root.flow.place.at("nodes").key))
    nodes = {
        scope.id_of(id): InlinedNode(scope.id_of(id), node, scope)
        for scope in root.all()
        for id, node in scope.flow.nodes.items()
        if not isinstance(node, SubflowNode)
    }
    return Inlined(tenant, flow, root, nodes, tuple(obstacles))


@dataclass(slots=True)
class _Library:
    """The shared flows, what stood in the way of using one, and how many nodes were put in."""

    shared: Mapping[str, Flow]
    unreadable: frozenset[str]
    obstacles: list[Obstacle]
    nodes: int = 0

    def find(self, named: str, place: Place, subflow: bool) -> Flow | None:
        """The shared flow that is named, if it is there and of the kind that is wanted."""
        id = named.removeprefix(SHARED)
        found = self.shared.get(id)
        if found is None:
            kind = "unreadable" if id in self.unreadable else "missing"
        elif (found.exits is not None) == subflow:
            return found
        else:
            kind = "whole" if subflow else "subflow"
        self.obstacles.append(Obstacle(kind, named, place))
        return None


def _root(flow: Flow, library: _Library) -> Scope:
    if flow.use is None:
        return Scope(flow)
    used = library.find(flow.use, flow.place.at("use"), subflow=False)
    if used is None:
        return Scope(flow)
    params = {
        name: param_of_literal(used.params[name], value, flow.place.at("with", name))
        for name, value in flow.given.items()
        if name in used.params
    }
    return Scope(used, params=params)


def _open(scope: Scope, library: _Library, above: tuple[str, ...]) -> None:
    """Puts each sub-flow of a scope inside it; `above` are the files that hold it."""
    for id, node in scope.flow.nodes.items():
        if not isinstance(node, SubflowNode):
            continue
        place = node.place.at("flow")
        flow = library.find(node.flow, place, subflow=True)
        if flow is None:
            continue
        if flow.path in above:
            library.obstacles.append(Obstacle("loop", node.flow, place))
            continue
        library.nodes += len(flow.nodes)
        if library.nodes > MOST_NODES:
            return
        params = _params(flow, node, scope)
        if any(len(param.expression) > LONGEST for param in params.values()):
            # A param that is given twice what it was given above doubles with each level.
            library.obstacles.append(Obstacle("size", node.flow, place))
            continue
        inner = Scope(flow, f"{scope.prefix}{id}/", params, scope, node)
        scope.inner[id] = inner
        _open(inner, library, (*above, flow.path))


def _ways(root: Scope) -> int:
    """About how many edges the flow has, with each aside once for each node it can serve."""
    nodes = [node for scope in root.all() for node in scope.flow.nodes.values()]
    asides = sum(isinstance(node, TalkNode) and node.aside for node in nodes)
    everywhere = len(root.flow.anywhere) + len(root.flow.keys) + _OTHER_WAYS
    own = sum(len(getattr(node, "edges", ())) for node in nodes)
    return own + (1 + asides) * len(nodes) * everywhere


def _params(flow: Flow, node: SubflowNode, host: Scope) -> dict[str, Param]:
    params: dict[str, Param] = {}
    for name, value in node.bind.items():
        declaration = flow.params.get(name)
        if declaration is None:
            continue
        place = node.place.at("with", name)
        if isinstance(value, str):
            params[name] = param_of_expression(declaration, value, host.params, place)
        else:
            params[name] = param_of_literal(declaration, value, place)
    return params
