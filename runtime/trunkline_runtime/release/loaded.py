"""A release in memory, the pin that a call takes on it, and the policy of the moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.failure import FatalError
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.settings import TenantSettings


@dataclass(frozen=True)
class Release:
    """One verified release of a tenant. It never changes; calls share it.

    `digest` is the manifest's, `content` that of what it says, `policy` that of the policy it was
    checked against. `facts` and `outcomes` map a name to its catalogue entry and hold what this
    tenant's flows name; a catalogue without such a list gives an empty one.
    """

    tenant: str
    tag: str
    digest: str
    sequence: int
    content: str
    policy: str
    commit: str | None
    compiler: str
    tables: Mapping[str, NodeTable]
    entries: Mapping[str, ToolEntry]
    facts: Mapping[str, Mapping[str, Any]]
    outcomes: Mapping[str, Mapping[str, Any]]
    settings: TenantSettings


@dataclass(frozen=True)
class Pin:
    """What a call runs on from its first word to its last: one flow of one release.

    Raises FatalError for a flow that the release does not hold.
    """

    release: Release
    flow: str

    def __post_init__(self) -> None:
        if self.flow not in self.release.tables:
            known = ", ".join(sorted(self.release.tables)) or "none"
            raise FatalError(
                f"{self.release.tenant} {self.release.tag} has no flow {self.flow!r}; "
                f"its flows: {known}"
            )

    def linked(self, flow: str) -> "Pin":
        """The pin with which a call goes on in another flow: of the same release."""
        return Pin(self.release, flow)

    @property
    def table(self) -> NodeTable:
        return self.release.tables[self.flow]

    @property
    def entries(self) -> Mapping[str, ToolEntry]:
        return self.release.entries

    @property
    def settings(self) -> TenantSettings:
        return self.release.settings

    @property
    def tag(self) -> str:
        return self.release.tag

    @property
    def digest(self) -> str:
        """The digest of the flow's node table: what this call is pinned to."""
        return self.table.digest


@dataclass(frozen=True)
class PolicySnapshot:
    """The newest verified policy. `digest` is its content digest: what a decision records.

    `documents` maps a path under `policy/` to the document.
    """

    digest: str
    sequence: int
    documents: Mapping[str, Json]
