"""Which flows a change outside of flows reaches: by the scope of a rule, by the tools they use."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from trunkline.diff.change import FlowId
from trunkline.diff.exits import Written
from trunkline.diff.snapshot import Snapshot, applies


@dataclass(frozen=True)
class Reached:
    """The flows of both revisions, for a document at `path`; `tenant` if it is a tenant's,
    `country` if it is one country's."""

    path: str
    flows: Mapping[FlowId, tuple[Written, ...]]
    effects: Mapping[str, frozenset[str]]
    tenant: str | None = None
    country: str = ""

    def by(self, *rules: Mapping[str, Any]) -> tuple[FlowId, ...]:
        """The flows that any of the rules may hold for, sorted."""
        return tuple(
            sorted(
                id
                for id, tables in self.flows.items()
                if any(self._holds(rule, id, table) for rule in rules for table in tables)
            )
        )

    def for_purpose(self, purpose: str) -> "Reached":
        """The same for what concerns one purpose only."""
        flows = {
            id: tables
            for id, tables in self.flows.items()
            if any(table.get("purpose") == purpose for table in tables)
        }
        return replace(self, flows=flows)

    def _holds(self, rule: Mapping[str, Any], id: FlowId, table: Written) -> bool:
        if self.tenant is not None and id[0] != self.tenant:
            return False
        target = rule.get("target", rule)
        named = target.get("tenant", id[0]) == id[0] and target.get("flow", id[1]) == id[1]
        tools = tools_of(table)
        granted = target.get("tool") is None or target["tool"] in tools
        effect = rule.get("effect")
        does = effect is None or any(effect in self.effects.get(tool, ()) for tool in tools)
        return named and granted and does and applies(rule.get("applies_to", {}), table)


def tools_of(table: Written) -> frozenset[str]:
    """Every tool that a flow names."""
    uses = [*table.get("after_call", ())]
    for node in table["nodes"].values():
        uses += node.get("tools", ())
    return frozenset(use["id"] for use in uses)


def reached(path: str, before: Snapshot, after: Snapshot, tenant: str | None = None) -> Reached:
    """For a document at `path`, in either revision."""
    flows = {
        id: tuple(side.tables[id] for side in (before, after) if id in side.tables)
        for id in before.tables.keys() | after.tables.keys()
    }
    effects = {
        tool: before_entry | after_entry
        for tool in before.entries.keys() | after.entries.keys()
        for before_entry in [_effects(before, tool)]
        for after_entry in [_effects(after, tool)]
    }
    return Reached(path, flows, effects, tenant)


def _effects(side: Snapshot, tool: str) -> frozenset[str]:
    entry = side.entries.get(tool)
    return entry.effects if entry is not None else frozenset()
