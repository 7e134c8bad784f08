"""The node tables and tools in memory, by digest: releases that hold the same ones share them."""

from collections.abc import Callable
from threading import Lock
from weakref import WeakValueDictionary

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.node_table import NodeTable


class Shelf:
    """What the releases in this process are made of. A thing leaves with the last that holds it.

    Digests name the bytes, so what is found here needs no reading, proving or checking again.
    """

    def __init__(self) -> None:
        self._tables: WeakValueDictionary[str, NodeTable] = WeakValueDictionary()
        self._entries: WeakValueDictionary[str, ToolEntry] = WeakValueDictionary()
        self._lock = Lock()

    def table(self, digest: str, load: Callable[[], NodeTable]) -> NodeTable:
        """The table whose layer has this digest; `load` reads it if it is not here."""
        with self._lock:
            known = self._tables.get(digest)
        if known is not None:
            return known
        loaded = load()
        with self._lock:
            return self._tables.setdefault(digest, loaded)

    def entry(self, digest: str, load: Callable[[], ToolEntry]) -> ToolEntry:
        """The catalogue entry whose layer has this digest; `load` reads it if it is not here."""
        with self._lock:
            known = self._entries.get(digest)
        if known is not None:
            return known
        loaded = load()
        with self._lock:
            return self._entries.setdefault(digest, loaded)
