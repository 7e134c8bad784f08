"""A whole repository as typed objects: tenants, flows, the catalogue and the policy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from trunkline.model.catalogue import Catalogue
from trunkline.model.flow import Flow
from trunkline.model.link_given import Given, links_of
from trunkline.model.place import Place
from trunkline.model.policy import Policy
from trunkline.model.settled import settled
from trunkline.model.tenant import Tenant
from trunkline.source import Document, Sources
from trunkline.source.layout import kind_of
from trunkline.source.tree import Tree
from trunkline_runtime.catalogue.entry import ToolEntry

_POLICY = "policy/"
_CATALOGUE = "catalog/"
_SHARED = "flows/shared/"


@dataclass(frozen=True)
class Repository:
    """What can be relied on in a repository: the documents that fit their schema.

    `flows` maps (tenant, flow) to the tenant's own file; `shared` an id to a shared flow.
    `broken` are the paths of files that exist but cannot be relied on; `tree` is where all of
    them come from, for checks that look beside them (None where there are no files).
    `channels` maps a tenant to its `channels.yaml`.

    `links` and `flow_ids` say what other flows hold where `flows` has only some of them: (tenant,
    or None for shared flows; flow) → what links to it give, and tenant → its flows.
    """

    tenants: Mapping[str, Tenant]
    flows: Mapping[tuple[str, str], Flow]
    shared: Mapping[str, Flow]
    catalogue: Catalogue
    policy: Policy
    broken: frozenset[str]
    tree: Tree | None = None
    channels: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    links: Mapping[tuple[str | None, str], frozenset[Given]] | None = None
    flow_ids: Mapping[str, frozenset[str]] | None = None

    @cached_property
    def unreadable_shared(self) -> frozenset[str]:
        """The ids of shared flows whose file has findings of its own."""
        return frozenset(
            PurePosixPath(path).stem for path in self.broken if path.startswith(_SHARED)
        )

    @cached_property
    def _links(self) -> Mapping[tuple[str | None, str], frozenset[Given]]:
        """(tenant, flow) → what links to it give; the tenant is None for links in shared flows."""
        if self.links is not None:
            return self.links
        found: dict[tuple[str | None, str], set[Given]] = {}
        holders: list[tuple[str | None, Flow]] = [
            *((tenant, flow) for (tenant, _), flow in self.flows.items()),
            *((None, flow) for flow in self.shared.values()),
        ]
        for tenant, flow in holders:
            for target, given in links_of(flow):
                found.setdefault((tenant, target), set()).add(given)
        return {key: frozenset(links) for key, links in found.items()}

    def given_by_links(self, tenant: str, flow: str) -> frozenset[str]:
        """The inputs and slots of a flow that a link may fill.

        A link in a shared flow counts for every tenant: whoever uses it, it may lead there.
        """
        links = self._links_to(tenant, flow)
        return frozenset(name for each in links for name in (*each.surely, *each.perhaps))

    def given_by_every_link(self, tenant: str, flow: str) -> frozenset[str]:
        """What each link to a flow surely gives; nothing where no other flow links to it."""
        links = self._links_to(tenant, flow)
        if all(each.holder == flow for each in links):
            return frozenset()
        return frozenset.intersection(*(frozenset(each.surely) for each in links))

    def _links_to(self, tenant: str, flow: str) -> frozenset[Given]:
        nothing: frozenset[Given] = frozenset()
        return self._links.get((tenant, flow), nothing) | self._links.get((None, flow), nothing)

    def flows_of(self, tenant: str) -> Iterator[Flow]:
        """The flows of one tenant that can be relied on, in the order of their paths."""
        return (flow for (owner, _), flow in self.flows.items() if owner == tenant)

    def flow_ids_of(self, tenant: str) -> frozenset[str]:
        """The ids of all flows of a tenant, readable or not."""
        return self._flow_ids.get(tenant, frozenset())

    @cached_property
    def _flow_ids(self) -> Mapping[str, frozenset[str]]:
        if self.flow_ids is not None:
            return self.flow_ids
        found: dict[str, set[str]] = {}
        for tenant, id in self.flows:
            found.setdefault(tenant, set()).add(id)
        for path in self.broken:
            if path.startswith("flows/") and kind_of(path) == "flow":
                found.setdefault(path.split("/")[1], set()).add(PurePosixPath(path).stem)
        return {tenant: frozenset(ids) for tenant, ids in found.items()}

    def whole_flow(self, tenant: str, id: str) -> Flow | None:
        """The file that says what a flow of a tenant is: its own, or the shared one it uses.

        None if it cannot be relied on.
        """
        flow = self.flows.get((tenant, id))
        if flow is None or flow.use is None:
            return flow
        return self.shared.get(flow.use.removeprefix("shared/"))


def read_model(sources: Sources) -> Repository:
    """The typed model of a repository that has been read."""
    flows = [Flow.read(document) for document in sources.of_kind("flow")]
    tenants = [Tenant.read(document) for document in sources.of_kind("tenant")]
    return Repository(
        tenants={tenant.id: tenant for tenant in tenants},
        flows={
            (flow.place.document.folder, flow.id): flow
            for flow in flows
            if not flow.path.startswith(_SHARED)
        },
        shared={flow.id: flow for flow in flows if flow.path.startswith(_SHARED)},
        catalogue=_catalogue(sources),
        policy=_policy(sources),
        broken=frozenset(sources.broken),
        channels={document.folder: document.data for document in sources.of_kind("channels")},
        tree=sources.tree,
    )


def _policy(sources: Sources) -> Policy:
    documents = {
        path.removeprefix(_POLICY): document
        for path, document in sources.documents.items()
        if path.startswith(_POLICY)
    }
    broken = (path for path in sources.broken if path.startswith(_POLICY))
    return Policy(
        {path: document.data for path, document in documents.items()},
        {path: Place(document) for path, document in documents.items()},
        frozenset(path.removeprefix(_POLICY) for path in broken),
    )


def _catalogue(sources: Sources) -> Catalogue:
    entries: dict[str, ToolEntry] = {}
    places: dict[str, Place] = {}
    for document in sources.of_kind("tool"):
        # Of two entries with one id the first counts; the other one is a TL102.
        if document.stem not in entries:
            # Its name is that of its file; an id that says something else is a TL102 as well.
            named = {**settled(document.data), "id": document.stem}
            entries[document.stem] = ToolEntry.from_document(document.folder, named)
            places[document.stem] = Place(document)
    broken = [path for path in sources.broken if kind_of(path) == "tool"]
    return Catalogue(
        entries,
        places,
        frozenset(PurePosixPath(path).stem for path in broken) - entries.keys(),
        _listed(sources.documents.get(f"{_CATALOGUE}facts.yaml"), "facts"),
        _listed(sources.documents.get(f"{_CATALOGUE}outcomes.yaml"), "outcomes"),
    )


def _listed(document: Document | None, key: str) -> Mapping[str, Any] | None:
    if document is None:
        return None
    listed: Mapping[str, Any] = document.data[key]
    return listed
