"""The self-test of a release: everything that its flows name is in it and is what they name."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline_runtime.release.loaded import Release
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import (
    ConfirmNode,
    LinkNode,
    Node,
    NumberChoice,
    RouteNode,
    TalkNode,
    TransferNode,
)
from trunkline_runtime.table.parts import ToolUse


def problems(release: Release, config: Mapping[str, Any]) -> tuple[str, ...]:
    """What makes a release unusable, each fault as a sentence; empty if it is sound."""
    return tuple(_problems(release, config))


def _problems(release: Release, config: Mapping[str, Any]) -> Iterator[str]:
    if release.settings.id != release.tenant:
        yield f"its settings are those of {release.settings.id}"
    digests = {flow: table.digest for flow, table in release.tables.items()}
    for flow in sorted(digests.keys() | config["flows"].keys()):
        if digests.get(flow) != config["flows"].get(flow):
            yield f"its config and its node table of {flow} differ"
    for number, flow in release.settings.inbound.items():
        if flow not in release.tables:
            # The number itself stays out of the message.
            yield f"a number ending in {number[-2:]} leads to the flow {flow}, which it lacks"
    for flow, table in sorted(release.tables.items()):
        for fault in _in_table(release, table):
            yield f"flow {flow}: {fault}"


def _in_table(release: Release, table: NodeTable) -> Iterator[str]:
    if table.tenant != release.tenant:
        yield f"it belongs to {table.tenant}"
    for tool, named in table.tools.items():
        entry = release.entries.get(tool)
        if entry is None:
            yield f"the tool {tool} has no catalogue entry"
        elif entry.digest != named:
            yield f"the tool {tool} was compiled as {named} and its entry is {entry.digest}"
        elif entry.connection not in release.settings.connections:
            yield f"the tool {tool} needs the connection {entry.connection}, which is not set up"
    for tool in sorted({use.id for use in _uses(table)} - table.tools.keys()):
        yield f"the tool {tool} is granted and not listed"
    for target in sorted(set(_targets(table)) - table.nodes.keys()):
        yield f"an exit leads to {target}, which is no node"
    for node in table.nodes.values():
        yield from _in_node(release, node)


def _in_node(release: Release, node: Node) -> Iterator[str]:
    if isinstance(node, TransferNode):
        for name in sorted(set(_number_names(node)) - release.settings.numbers.keys()):
            yield f"node {node.id} transfers to the number {name}, which the settings lack"
    if isinstance(node, LinkNode) and node.flow not in release.tables:
        yield f"node {node.id} goes on in the flow {node.flow}, which the release lacks"


def _number_names(node: TransferNode) -> Iterator[str]:
    if isinstance(node.number, NumberChoice):
        yield from node.number.names.values()
        if node.number.default is not None:
            yield node.number.default
    else:
        yield node.number


def _uses(table: NodeTable) -> Iterator[ToolUse]:
    yield from table.after_call
    for node in table.nodes.values():
        if isinstance(node, TalkNode):
            yield from node.tools


def _targets(table: NodeTable) -> Iterator[str]:
    named = [table.start, table.silence.to, table.limits.to, table.error]
    yield from (target for target in named if target is not None)
    yield from (edge.to for edge in table.anywhere)
    yield from table.keys.values()
    yield from table.answer.values()
    for node in table.nodes.values():
        yield from _exits(node)


def _exits(node: Node) -> Iterator[str]:
    if isinstance(node, TalkNode):
        yield from (edge.to for edge in node.edges)
        yield from node.keys.values()
        for part in (node.silence, node.limits):
            if part is not None and part.to is not None:
                yield part.to
    elif isinstance(node, RouteNode):
        yield from (edge.to for edge in node.edges)
    elif isinstance(node, ConfirmNode):
        yield from (node.on_yes, node.on_no, node.on_unclear)
    elif isinstance(node, TransferNode):
        yield node.on_failure
