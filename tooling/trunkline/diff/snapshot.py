"""What one revision says, as far as calls are concerned: the input of a comparison."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trunkline.diff.change import FlowId
from trunkline_runtime.catalogue.entry import ToolEntry

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Proofs:
    """What the compiler proved of one flow.

    `at_tools` gives the facts that hold whenever a node's tool starts, for reachable nodes;
    `path` the shortest path to a node, `path_without` the shortest on which a fact is not
    proven where the node's tool starts.
    """

    reachable: frozenset[str]
    at_tools: Mapping[tuple[str, str], frozenset[str]]
    path: Callable[[str], tuple[str, ...]]
    path_without: Callable[[str, str], tuple[str, ...]]

    def renamed(self, names: Mapping[str, str]) -> "Proofs":
        """The same under other names of nodes (old → new)."""
        back = {new: old for old, new in names.items()}

        def path(node: str) -> tuple[str, ...]:
            return tuple(names.get(id, id) for id in self.path(back.get(node, node)))

        def path_without(node: str, fact: str) -> tuple[str, ...]:
            found = self.path_without(back.get(node, node), fact)
            return tuple(names.get(id, id) for id in found)

        return Proofs(
            frozenset(names.get(id, id) for id in self.reachable),
            {(names.get(id, id), tool): facts for (id, tool), facts in self.at_tools.items()},
            path,
            path_without,
        )


@dataclass(frozen=True)
class Origin:
    """A shared flow inside a flow: the prefix of its nodes' ids ("" for all), and its file."""

    prefix: str
    path: str


@dataclass(frozen=True)
class Gap:
    """What could not be read, and the first reason: file, line (0 if unknown), code, message."""

    path: str
    line: int
    code: str
    message: str

    def __str__(self) -> str:
        code = f"{self.code} " if self.code else ""
        line = f":{self.line}" if self.line else ""
        return f"{code}{self.path}{line}: {self.message}"


@dataclass(frozen=True)
class Snapshot:
    """One revision.

    `tables` are the node tables by tenant and flow; `proofs` hold for those of them that are
    sound enough to be analysed. `documents` are all files by path, as data: what a table does not
    hold (policy, tenants, channels, facts, outcomes, the text of shared flows) is read there.
    `unreadable` are the flows without a table, `partial` those with a table of which something is
    left out, `broken` the other files that cannot be read, by path.
    """

    tables: Mapping[FlowId, Document] = field(default_factory=dict)
    proofs: Mapping[FlowId, Proofs] = field(default_factory=dict)
    origins: Mapping[FlowId, tuple[Origin, ...]] = field(default_factory=dict)
    entries: Mapping[str, ToolEntry] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    unreadable: Mapping[FlowId, Gap] = field(default_factory=dict)
    partial: Mapping[FlowId, Gap] = field(default_factory=dict)
    broken: Mapping[str, Gap] = field(default_factory=dict)

    def document(self, path: str) -> Document:
        """A file as data; empty where there is none."""
        return self.documents.get(path, {})

    def facts(self) -> Mapping[str, str]:
        """What each fact of the catalogue means, by name."""
        declared = self.document("catalog/facts.yaml").get("facts", {})
        return {name: str(one.get("description", "")) for name, one in declared.items()}

    def tenants(self) -> Mapping[str, Document]:
        """The tenants' settings, by id."""
        return {
            path.split("/")[1]: document
            for path, document in self.documents.items()
            if path.startswith("flows/") and path.endswith("/tenant.yaml")
        }

    def channels(self) -> Mapping[str, Document]:
        """The tenants' channels, by tenant."""
        return {
            path.split("/")[1]: document
            for path, document in self.documents.items()
            if path.startswith("flows/") and path.endswith("/channels.yaml")
        }

    def required(self, tenant: str, table: Document) -> Mapping[str, frozenset[str]]:
        """Effect → facts that the policy requires for it in this flow."""
        rules = [
            *self.document("policy/requirements.yaml").get("requirements", ()),
            *self.tenants().get(tenant, {}).get("policy", {}).get("requirements", ()),
        ]
        required: dict[str, frozenset[str]] = {}
        for rule in rules:
            if applies(rule.get("applies_to", {}), table):
                known = required.get(rule["effect"], frozenset())
                required[rule["effect"]] = known | frozenset(rule["facts"])
        return required


def applies(applies_to: Document, table: Document) -> bool:
    """False only where the flow itself rules a policy rule out; regions are not known here."""
    purposes = applies_to.get("purpose")
    purpose = table.get("purpose")
    if purposes is not None and purpose is not None and purpose not in purposes:
        return False
    direction = table.get("direction")
    return bool(applies_to.get("direction", direction) == direction)
