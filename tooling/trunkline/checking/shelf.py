"""The flows of an inventory, each read when it is asked for."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

from trunkline.checking.inventory import Inventory
from trunkline.checking.record import Record, record_of
from trunkline.model.flow import Flow
from trunkline.source.document import Document
from trunkline.source.layout import is_shared, kind_of
from trunkline.source.reader import read_document
from trunkline.source.repository import read_file

_Key = TypeVar("_Key")
_RECENT = 32  # flows of tenants; those that many link to are asked for again and again


class Shelf:
    """Reads files. Shared flows stay, of tenants' flows the last few: memory does not grow."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self.is_of_inventory = True
        self._shared: dict[str, Flow | None] = {}
        self._recent: OrderedDict[str, Flow | None] = OrderedDict()

    def flow(self, path: str) -> Flow | None:
        """The flow in a file; None if it cannot be relied on."""
        flows = self._shared if is_shared(path) else self._recent
        if path not in flows:
            self.record(path)
        elif flows is self._recent:
            self._recent.move_to_end(path)
        return flows[path]

    def record(self, path: str) -> Record:
        """Reads a file and tells what is known of it by itself."""
        _, record = self.read(path)
        return record

    def read(self, path: str, before: Record | None = None) -> tuple[Document | None, Record]:
        """The document in a file, or None if it cannot be relied on; and its record.

        `before` is its record if it has not changed: what fitted its schema still does.
        """
        raw, why, same = self.inventory.read(path)
        self.is_of_inventory = self.is_of_inventory and same
        if before is not None and before.fits and same and raw is not None:
            return read_document(path, kind_of(path) or "", raw)[0], before
        kind = kind_of(path) or ""
        document, findings = read_file(path, kind, raw, why)
        flow = Flow.read(document) if document is not None and kind == "flow" else None
        if kind == "flow":
            self._keep(path, flow)
        return document, record_of(self.inventory.digests[path], document, findings, flow)

    def _keep(self, path: str, flow: Flow | None) -> None:
        if is_shared(path):
            self._shared[path] = flow
            return
        self._recent[path] = flow
        if len(self._recent) > _RECENT:
            self._recent.popitem(last=False)


class FlowsOnShelf(Mapping[_Key, Flow]):
    """Flows by key, read when they are looked up; only `allowed` ones may be.

    A check that looked at a flow on which its result is not known to depend would find what the
    next check does not: that is a bug, and is told at once.
    """

    def __init__(
        self,
        keys: Collection[_Key],
        path_of: Callable[[_Key], str],
        shelf: Shelf,
        allowed: Collection[str] | None = None,
    ) -> None:
        self._keys, self._path_of, self._shelf, self._allowed = keys, path_of, shelf, allowed

    def __getitem__(self, key: _Key) -> Flow:
        if key not in self._keys:
            raise KeyError(key)
        path = self._path_of(key)
        assert self._allowed is None or path in self._allowed, f"{path} is no part of the key"
        flow = self._shelf.flow(path)
        if flow is None:
            raise KeyError(key)
        return flow

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
