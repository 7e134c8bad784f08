"""One flow in one revision, with what is needed to judge it: catalogue, proofs, policy."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from trunkline.diff.exits import Written, ways
from trunkline.diff.phrases import quoted, ticked
from trunkline.diff.snapshot import Proofs
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.parts import DEFAULT_MAX_CALLS

SENSITIVE = ("payment", "transfer")


def _nothing(flow: str) -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True)
class Side:
    """A flow's table beside what it is judged by. `proofs` is None where nothing is proven;
    `linked` tells what another flow of the tenant leads to: `payment`, `transfer`; `facts` what
    each fact means.
    """

    table: Written
    entries: Mapping[str, ToolEntry]
    required: Mapping[str, frozenset[str]]
    proofs: Proofs | None = None
    linked: Callable[[str], frozenset[str]] = _nothing
    facts: Mapping[str, str] = field(default_factory=dict)

    def meaning(self, fact: str) -> str:
        """The fact's name, with what it means where the catalogue says so."""
        described = self.facts.get(fact, "").rstrip(".")
        return f"{ticked(fact)} ({quoted(described)})" if described else ticked(fact)

    @property
    def nodes(self) -> Mapping[str, Any]:
        """The nodes, by id."""
        nodes: Mapping[str, Any] = self.table["nodes"]
        return nodes

    @cached_property
    def onward(self) -> Mapping[str | None, tuple[str, ...]]:
        """Node → the nodes it leads to, in order; None where the call begins."""
        found: dict[str | None, dict[str, None]] = {}
        for source, to, _ in ways(self.table):
            found.setdefault(source, {})[to] = None
        return {source: tuple(reached) for source, reached in found.items()}

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The nodes that a call can come to: as proven, else by the exits as they stand."""
        return self.proofs.reachable if self.proofs is not None else frozenset(self.paths(()))

    def paths(self, without: Collection[str]) -> dict[str, str | None]:
        """Each node that a call can come to without passing one of `without`, and the node before
        it on the shortest such path; None where the call begins."""
        came_from: dict[str, str | None] = {}
        level: list[str | None] = [None]
        while level:
            following: list[str | None] = []
            for source in level:
                for to in self.onward.get(source, ()):
                    if to not in without and to not in came_from:
                        came_from[to] = source
                        following.append(to)
            level = following
        return came_from

    def path_round(self, node: str, without: Collection[str]) -> tuple[str, ...]:
        """The shortest path to `node` that passes none of `without`; empty if there is none."""
        came_from = self.paths(without)
        path: list[str] = []
        step: str | None = node if node in came_from else None
        while step is not None:
            path.append(step)
            step = came_from[step]
        return tuple(reversed(path))

    def leads(self, node: str) -> frozenset[str]:
        """What a node is that a reviewer must weigh a new way to: `payment`, `transfer`."""
        written = self.nodes.get(node, {})
        found = {effect for use in written.get("tools", ()) for effect in self.effects(use["id"])}
        if written.get("kind") == "transfer":
            found.add("transfer")
        if written.get("kind") == "link":
            found |= self.linked(str(written.get("flow")))
        return frozenset(found & set(SENSITIVE))

    def effects(self, tool: str) -> frozenset[str]:
        """The effects of a tool; none of one that the catalogue lacks."""
        entry = self.entries.get(tool)
        return entry.effects if entry is not None else frozenset()

    def required_facts(self, tool: str) -> frozenset[str]:
        """The facts that the policy requires before the tool."""
        facts = (self.required.get(effect, frozenset()) for effect in self.effects(tool))
        return frozenset().union(*facts)

    def uses(self) -> Iterator[tuple[str | None, Written]]:
        """Every tool that a reachable node grants, and those that run after the call (None)."""
        for id, node in self.nodes.items():
            if id in self.reachable:
                for use in node.get("tools", ()):
                    yield id, use
        for use in self.table.get("after_call", ()):
            yield None, use

    def worst_case(self) -> dict[str, int]:
        """The most that one call can cost, in micro-units by currency: every tool as often as
        `max_calls` allows."""
        total: dict[str, int] = {}
        for _, use in self.uses():
            entry = self.entries.get(use["id"])
            if entry is not None and entry.cost is not None:
                worst = entry.cost.worst_micros * use.get("max_calls", DEFAULT_MAX_CALLS)
                total[entry.cost.currency] = total.get(entry.cost.currency, 0) + worst
        return {currency: micros for currency, micros in total.items() if micros}
