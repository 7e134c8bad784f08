"""The table of a flow that has errors: what can be read of it, with every target as written."""

from typing import Any

from trunkline.graph.analysis import Analysis
from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.scope import Scope
from trunkline.table.flow import table_of
from trunkline_runtime.catalogue.entry import ToolEntry


class _AsWritten(Scope):
    """A scope in which a target that does not exist stays as it is written."""

    __slots__ = ()

    def resolve(self, target: str) -> str | None:
        found = super().resolve(target)
        return target if found is None else found


def lenient_table(analysis: Analysis) -> dict[str, Any]:
    """The table as far as it goes.

    An exit to a node that is not there keeps its target, a tool that the catalogue lacks has an
    empty entry, and a sub-flow that cannot be found leaves its node out.
    """
    entries = dict(analysis.catalogue.entries)
    for tool in analysis.tools - entries.keys():
        entries[tool] = _unknown(tool)
    return table_of(_as_written(analysis.inlined), entries, analysis.slots_from_links)


def _as_written(inlined: Inlined) -> Inlined:
    copies: dict[int, Scope] = {}
    root = _copied(inlined.root, None, copies)
    nodes = {
        id: InlinedNode(id, inner.node, copies[_identity(inner.scope)])
        for id, inner in inlined.nodes.items()
    }
    return Inlined(inlined.tenant, inlined.flow, root, nodes, inlined.obstacles)


def _copied(scope: Scope, host: Scope | None, copies: dict[int, Scope]) -> Scope:
    copy = _AsWritten(scope.flow, scope.prefix, scope.params, host, scope.node)
    copies[_identity(scope)] = copy
    for id, inner in scope.inner.items():
        copy.inner[id] = _copied(inner, copy, copies)
    return copy


def _identity(scope: Scope) -> int:
    return id(scope)  # scopes hold each other, so they are compared by what they are


def _unknown(tool: str) -> ToolEntry:
    anything: dict[str, Any] = {"type": "object"}
    return ToolEntry.from_document(
        "",
        {"id": tool, "description": "", "parameters": anything, "result": anything, "run": {}},
    )
