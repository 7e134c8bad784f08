"""The work on one item: everything that is found in flows that are checked together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trunkline.checking.record import Record
from trunkline.checking.shelf import Shelf
from trunkline.checking.terms import NOBODY, Item, Terms, reads_of
from trunkline.checking.written_findings import as_lists
from trunkline.checks.all import FLOWS_CHECKS
from trunkline.checks.applied import faults_of_file, faults_of_flow
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis, analyse, files_of
from trunkline.source.layout import kind_of


@dataclass(frozen=True)
class Done:
    """An item that was checked. `key` and `result` are what is kept of it; no flow has no key.

    `records` are those of its files that had none; `remember` is False if a file was changed
    while it was checked. `result` is JSON: for each flow the files that it is made of, what is
    found in its file and what on its paths; and what is found in the flows together.
    """

    item: Item
    key: str | None
    result: dict[str, Any]
    records: Mapping[str, Record] = field(default_factory=dict)
    remember: bool = True


class Bench:
    """Checks items, one after the other. Nothing that was read for one is kept for the last."""

    def __init__(self, terms: Terms, shelf: Shelf, records: Mapping[str, Record]) -> None:
        self._terms, self._shelf, self._records = terms, shelf, records

    def do(self, item: Item) -> Done:
        """Reads the files of an item and checks them."""
        self._shelf.is_of_inventory = True
        new = {path: self._shelf.record(path) for path in item.paths if path not in self._records}
        if kind_of(item.paths[0]) != "flow":
            return Done(item, None, {}, new, self._shelf.is_of_inventory)
        reads = reads_of(item, {**self._records, **new} if new else self._records)
        result = self._result(item, reads)
        key = self._terms.key(item, reads)
        return Done(item, key, result, new, self._shelf.is_of_inventory)

    def _result(self, item: Item, reads: frozenset[str]) -> dict[str, Any]:
        repository = self._terms.view(item, reads, self._shelf)
        flows: dict[str, Any] = {}
        analyses: list[Analysis] = []
        for path in item.paths:
            flow = self._shelf.flow(path)
            if flow is None:
                continue
            in_file = as_lists(faults_of_file(flow, repository))
            made_of: tuple[str, ...] = ()
            on_paths: list[Finding] = []
            if item.tenant != NOBODY:
                analysis = analyse(repository, item.tenant, flow)
                analyses.append(analysis)
                made_of = files_of(analysis)
                on_paths = list(faults_of_flow(analysis, self._terms.day))
            flows[path] = [list(made_of), in_file, as_lists(on_paths)]
        together = [found for check in FLOWS_CHECKS for found in check(analyses)]
        return {"flows": flows, "together": as_lists(together)}
