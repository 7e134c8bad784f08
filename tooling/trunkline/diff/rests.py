"""Which flows use a tool, and which proofs rest on what the catalogue says of it."""

from collections.abc import Iterator, Mapping
from functools import cache

from trunkline.diff.change import FlowId
from trunkline.diff.reached import tools_of
from trunkline.diff.snapshot import Document, Snapshot

Opened = Mapping[FlowId, tuple[str, ...]]


class Rests:
    """Looks the flows of both revisions through once per question."""

    def __init__(self, base: Snapshot, head: Snapshot) -> None:
        self._sides = (base, head)
        self.using = cache(self._using)
        self.resting = cache(self._resting)
        self.nodes = cache(self._nodes)

    def _using(self, tool: str) -> tuple[FlowId, ...]:
        """The flows that grant the tool."""
        return tuple(sorted({id for _, id, table in self._flows() if tool in tools_of(table)}))

    def _resting(self, tool: str, name: str) -> tuple[FlowId, ...]:
        """The flows in which a proof rests on the tool: on a fact or on an effect called `name`.

        On a fact: another tool is called where the policy requires the fact, it is proven there,
        and this tool is used (or, for no tool, a confirm node establishes it). On an effect: the
        policy requires facts for it, and the flow uses the tool.
        """
        return tuple(
            sorted(
                {id for side, id, table in self._flows() if self._does(side, id, table, tool, name)}
            )
        )

    def opens(self, tool: str, fact: str) -> Opened:
        """The tools, by flow, before which a fact is established that `tool` may establish."""
        opened: dict[FlowId, dict[str, None]] = {}
        for side, id, table in self._flows():
            proofs = side.proofs.get(id)
            if tool not in tools_of(table) or proofs is None:
                continue
            for (_, used), facts in proofs.at_tools.items():
                if fact in facts and used != tool:
                    opened.setdefault(id, {})[used] = None
        return {id: tuple(tools) for id, tools in sorted(opened.items())}

    def _nodes(self, tool: str) -> Mapping[FlowId, tuple[str, ...]]:
        """The nodes that grant the tool, by flow."""
        found: dict[FlowId, dict[str, None]] = {}
        for _, id, table in self._flows():
            for node, written in table["nodes"].items():
                if any(use["id"] == tool for use in written.get("tools", ())):
                    found.setdefault(id, {})[node] = None
        return {id: tuple(nodes) for id, nodes in found.items()}

    def _does(self, side: Snapshot, id: FlowId, table: Document, tool: str, name: str) -> bool:
        tools = tools_of(table)
        if tool and tool not in tools:
            return False
        required = side.required(id[0], table)
        if required.get(name):
            return True
        proofs = side.proofs.get(id)
        needing = {
            used
            for used in tools
            for effect in (side.entries[used].effects if used in side.entries else ())
            if name in required.get(effect, ())
        }
        if proofs is None:
            return bool(needing)
        return any(
            used in needing and name in facts for (_, used), facts in proofs.at_tools.items()
        ) or name in _guards(table)

    def _flows(self) -> Iterator[tuple[Snapshot, FlowId, Document]]:
        for side in self._sides:
            for id, table in side.tables.items():
                yield side, id, table


def _guards(table: Document) -> frozenset[str]:
    """The facts that exits of the flow require by name."""
    edges = [*table.get("anywhere", ())]
    for node in table["nodes"].values():
        edges += node.get("edges", ())
    return frozenset(name for edge in edges for name in edge.get("requires", ()))
