"""The expressions of a node table, compiled once: guards, bound arguments, what results mean."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from threading import Lock

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import (
    CelType,
    Expression,
    ExpressionError,
    call_names,
    compile_expression,
    schema_names,
    type_of_declaration,
)
from trunkline_runtime.failure import Refused
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import (
    ConfirmNode,
    LinkNode,
    RouteNode,
    TalkNode,
)
from trunkline_runtime.table.parts import Edge, ToolUse

_BOOLEAN = type_of_declaration("boolean")


class Conditions:
    """Every expression of one table, type-checked over the names that it may read.

    Raises Refused for an expression that does not compile: the release was made by another
    compiler, and a call must not begin on it.
    """

    def __init__(
        self, table: NodeTable, entries: Mapping[str, ToolEntry], facts: Iterable[str]
    ) -> None:
        self.facts = frozenset(facts) | frozenset(_facts_named(table, entries))
        self._flow = _flow_names(table, self.facts)
        self._entries = entries
        self._compiled: dict[tuple[str | None, str], Expression] = {}
        for tool, text in _texts(table, entries):
            try:
                self._compile(tool, text)
            except ExpressionError as error:
                raise Refused(
                    f"{table.tenant}/{table.flow} cannot run: `{text}` is not usable here "
                    f"({error.message})"
                ) from None

    def of(self, text: str) -> Expression:
        """An expression over slots, facts, inputs, failed and call: a guard, a `with`."""
        return self._compile(None, text)

    def of_tool(self, tool: str, text: str) -> Expression:
        """An expression that may also read `args` and `result` of a tool: `sets`, `establishes`."""
        return self._compile(tool, text)

    def _compile(self, tool: str | None, text: str) -> Expression:
        key = (tool, text)
        if key not in self._compiled:
            names = self._flow
            if tool is not None:
                entry = self._entries[tool]
                names = {
                    **self._flow,
                    **dict(schema_names("args", entry.parameters)),
                    **dict(schema_names("result", entry.result)),
                }
            self._compiled[key] = compile_expression(text, names)
        return self._compiled[key]


def _flow_names(table: NodeTable, facts: frozenset[str]) -> dict[str, CelType]:
    return {
        **call_names(),
        **{f"slots.{name}": type_of_declaration(slot.type) for name, slot in table.slots.items()},
        **{f"inputs.{name}": type_of_declaration(slot.type) for name, slot in table.inputs.items()},
        **{f"facts.{name}": _BOOLEAN for name in facts},
        **{f"failed.{tool}": _BOOLEAN for tool in table.tools},
    }


def uses(table: NodeTable) -> Iterator[ToolUse]:
    """Every tool use of a table, those after the call included."""
    for node in table.nodes.values():
        if isinstance(node, TalkNode):
            yield from node.tools
    yield from table.after_call


def edges(table: NodeTable) -> Iterator[Edge]:
    """Every written exit of a table."""
    for node in table.nodes.values():
        if isinstance(node, TalkNode | RouteNode):
            yield from node.edges
    yield from table.anywhere


def _facts_named(table: NodeTable, entries: Mapping[str, ToolEntry]) -> Iterator[str]:
    for tool in table.tools:
        if tool in entries:
            yield from entries[tool].establishes
            yield from entries[tool].revokes
    for node in table.nodes.values():
        if isinstance(node, ConfirmNode):
            yield from node.establishes
    for edge in edges(table):
        yield from edge.required_facts


def _texts(table: NodeTable, entries: Mapping[str, ToolEntry]) -> Iterator[tuple[str | None, str]]:
    for edge in edges(table):
        if edge.condition is not None:
            yield None, edge.condition
    for use in uses(table):
        if use.condition is not None:
            yield None, use.condition
        yield from ((None, text) for text in use.bind.values() if isinstance(text, str))
        yield from ((use.id, text) for text in use.sets.values() if isinstance(text, str))
    for node in table.nodes.values():
        if isinstance(node, LinkNode):
            yield from ((None, text) for text in node.bind.values() if isinstance(text, str))
    for tool in table.tools:
        if tool in entries:
            entry = entries[tool]
            yield from ((tool, text) for text in entry.establishes.values())
            if entry.subject is not None:
                yield tool, entry.subject


_KEPT = 64
_cache: OrderedDict[str, Conditions] = OrderedDict()
_lock = Lock()


def conditions_of(
    table: NodeTable, entries: Mapping[str, ToolEntry], facts: Iterable[str] = ()
) -> Conditions:
    """The compiled expressions of a table; shared by all calls on it (about 1 ms each to compile).

    A table's digest covers the digests of its tools, so it names the expressions of both.
    """
    key = table.digest
    with _lock:
        known = _cache.get(key)
        if known is not None:
            _cache.move_to_end(key)
            return known
    made = Conditions(table, entries, facts)
    with _lock:
        _cache[key] = made
        while len(_cache) > _KEPT:
            _cache.popitem(last=False)
    return made
