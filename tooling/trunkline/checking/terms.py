"""What the results of a flow depend on: each part has a share in the key that they are kept by."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from hashlib import sha256
from typing import Any

from trunkline.checking.days import dates_in, meaning_of
from trunkline.checking.record import Record
from trunkline.checking.shelf import FlowsOnShelf, Shelf
from trunkline.model.link_given import Given
from trunkline.model.repository import Repository
from trunkline.source.layout import is_shared, kind_of

# A flow that belongs to no tenant: a shared one, looked at by itself.
NOBODY = ""


@dataclass(frozen=True)
class Item:
    """Flow files that are checked together: most alone, those that link to each other in a ring.

    `tenant` is NOBODY for a shared flow. A file that is no flow is an item by itself too.
    """

    tenant: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Terms:
    """All that a check knows before it looks at flows.

    `base` is the repository without its flows: tenants, catalogue, policy. `digests` maps every
    path to what it is known by. `shared` maps the id of each shared flow to whether it can be
    relied on; `flow_ids` a tenant to its flows; `links` as in Repository.
    """

    base: Repository
    day: date
    digests: Mapping[str, str]
    shared: Mapping[str, bool]
    flow_ids: Mapping[str, frozenset[str]]
    links: Mapping[tuple[str | None, str], frozenset[Given]]
    _common: dict[str, str] = field(default_factory=dict)

    def key(self, item: Item, reads: Iterable[str]) -> str:
        """What the results of an item are kept by; `reads` are the files that it is made of."""
        given = [sorted(self._given(item.tenant, path)) for path in item.paths]
        made_of = [(path, self.digests.get(path)) for path in sorted(reads)]
        return _digest([self._of_tenant(item.tenant), item.paths, made_of, given])

    def view(self, item: Item, reads: Collection[str], shelf: Shelf) -> Repository:
        """The repository as far as the key of the item covers it."""
        own, tenant = self.base.tenants.get(item.tenant), item.tenant
        keys = dict.fromkeys(
            (tenant, id_of(path))
            for path in sorted(reads)
            if not is_shared(path) and path in self.digests and shelf.flow(path) is not None
        )
        return Repository(
            tenants={} if own is None else {tenant: own},
            flows=FlowsOnShelf(keys, flow_path, shelf, reads),
            shared=FlowsOnShelf(self._readable, shared_path, shelf, reads),
            catalogue=self.base.catalogue,
            policy=self.base.policy,
            broken=self._unreadable,
            links=self.links,
            flow_ids=self.flow_ids,
        )

    @cached_property
    def _readable(self) -> Mapping[str, bool]:
        return {id: fits for id, fits in self.shared.items() if fits}

    @cached_property
    def _unreadable(self) -> frozenset[str]:
        return frozenset(shared_path(id) for id, fits in self.shared.items() if not fits)

    def _given(self, tenant: str, path: str) -> frozenset[Given]:
        flow = id_of(path)
        nothing: frozenset[Given] = frozenset()
        return self.links.get((tenant, flow), nothing) | self.links.get((None, flow), nothing)

    def _of_tenant(self, tenant: str) -> str:
        """The part of the key that all flows of a tenant have."""
        if tenant not in self._common:
            own = self.base.tenants.get(tenant)
            settings = f"flows/{tenant}/tenant.yaml"
            dates = {*self._dates, *dates_in(own.written if own else None)}
            self._common[tenant] = _digest(
                [
                    self.law,
                    self.digests.get(settings),
                    sorted(self.flow_ids.get(tenant, ())),
                    meaning_of(self.day, sorted(dates)),
                ]
            )
        return self._common[tenant]

    @cached_property
    def law(self) -> str:
        """Catalogue, policy, and the names of shared flows."""
        above = [each for each in self.digests.items() if not each[0].startswith("flows/")]
        return _digest([above, list(self.shared.items())])

    @cached_property
    def _dates(self) -> frozenset[str]:
        return frozenset(dates_in(dict(self.base.policy.documents)))


def reads_of(item: Item, records: Mapping[str, Record]) -> frozenset[str]:
    """The files of an item, the shared flows in them, and the flows that a call may go on in."""
    found: set[str] = set()
    waiting = list(item.paths)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        record = records.get(path)
        if record is None:
            continue
        waiting += [shared_path(id) for id in record.uses]
        if item.tenant != NOBODY:
            waiting += [
                linked
                for flow, _ in record.links
                if kind_of(linked := flow_path((item.tenant, flow))) == "flow"
            ]
    return frozenset(found)


def id_of(path: str) -> str:
    """The id of the flow in a file."""
    return path.rsplit("/", 1)[-1].removesuffix(".yaml")


def shared_path(id: str) -> str:
    """The file of a shared flow."""
    return f"flows/shared/{id}.yaml"


def flow_path(key: tuple[str, str]) -> str:
    """The file of a tenant's flow."""
    return f"flows/{key[0]}/{key[1]}.yaml"


def _digest(value: Any) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()
