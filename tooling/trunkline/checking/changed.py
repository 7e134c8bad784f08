"""The findings of a repository in which something changed: anew where it did, else as kept."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from trunkline.checking.collector import rarely_collecting
from trunkline.checking.grouping import groups_of, with_linked
from trunkline.checking.inventory import Inventory
from trunkline.checking.kept import Kept
from trunkline.checking.modules import digests_of
from trunkline.checking.record import Record, given_by
from trunkline.checking.shelf import FlowsOnShelf, Shelf
from trunkline.checking.terms import NOBODY, Item, Terms, flow_path, id_of, reads_of, shared_path
from trunkline.checking.work import Bench
from trunkline.checking.workers import all_done
from trunkline.checking.written_findings import as_lists, from_lists
from trunkline.checks.all import CATALOGUE_CHECKS
from trunkline.checks.applied import faults_of_rest, faults_of_tenant
from trunkline.checks.tl106_needless_ignore import without_ignored
from trunkline.finding import Finding, in_order
from trunkline.gathered import FlowKey, Gathered, users
from trunkline.graph.analysis import Analysis, analyse
from trunkline.model.repository import Repository, read_model
from trunkline.source.document import Document
from trunkline.source.fit import identity_findings
from trunkline.source.ignores import ignores
from trunkline.source.layout import is_shared, kind_of
from trunkline.source.repository import Sources, unread_files

_PARTS = "parts.json"


@dataclass(frozen=True)
class Result:
    """The findings, sorted. `modules` are the Python modules that tools name, with digests.

    `is_of_inventory` is False if a file was changed while it was checked.
    """

    findings: tuple[Finding, ...]
    modules: Mapping[str, str | None]
    is_of_inventory: bool


@dataclass
class _State:
    """What one check has read and found so far, and what it keeps for the next one."""

    inventory: Inventory
    shelf: Shelf
    known: Mapping[str, list[Any]]
    records: dict[str, Record] = field(default_factory=dict)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_of_inventory: bool = True

    def record(self, path: str) -> Record:
        """What is known of a file by itself; it is read only if it has changed."""
        if path not in self.records:
            self.records[path] = self.as_before(path) or self.shelf.record(path)
        return self.records[path]

    def as_before(self, path: str) -> Record | None:
        """What was known of a file, if it has not changed."""
        written = self.known.get(path)
        same = written is not None and written[0] == self.inventory.digests[path]
        return Record.from_list(written) if same and written is not None else None


@rarely_collecting()
def check_changed(
    inventory: Inventory, day: date, compiler: str, kept: Kept | None, clean: bool = False
) -> Result:
    """The findings of a repository; what is found is kept for the next time."""
    parts = kept.read(_PARTS) if kept is not None and not clean else {}
    if parts.get("compiler") != compiler:
        parts = {}
    shelf = Shelf(inventory)
    state = _State(inventory, shelf, parts.get("files", {}))
    base, documents, findings = _base(state)
    flows = [path for path in inventory.digests if kind_of(path) == "flow"]
    terms, items = _prepare(state, base, day, flows)
    old: Mapping[str, dict[str, Any]] = parts.get("results", {})
    waiting = [item for item in items if not _is_known(item, terms, state, old)]
    waiting += _files_alone(state, documents, base.broken)
    for done in all_done(Bench(terms, shelf, state.records), waiting):
        state.records.update(done.records)
        if done.key is not None:
            state.results[done.key] = done.result
        state.is_of_inventory = state.is_of_inventory and done.remember
    findings += unread_files(inventory.tree, inventory.digests)
    for path in inventory.digests:
        if kind_of(path) is not None and path not in documents and path not in base.broken:
            findings += state.records[path].findings
    state.is_of_inventory = state.is_of_inventory and shelf.is_of_inventory
    modules = digests_of(inventory.tree, _modules(base))
    catalogue = _of_catalogue(base, [terms.law, modules], parts.get("catalogue", []))
    findings += from_lists(catalogue[1])
    findings += _gathered(state, terms, base, flows)
    comments = {path: ignores(document) for path, document in documents.items()}
    comments |= {path: record.comments for path, record in state.records.items()}
    told = in_order(list(without_ignored(findings, comments)))
    if kept is not None and state.is_of_inventory:
        files = {path: record.as_list() for path, record in state.records.items()}
        new = {"compiler": compiler, "files": files, "results": state.results}
        kept.write(_PARTS, {**new, "catalogue": catalogue})
    return Result(told, modules, state.is_of_inventory)


def _base(state: _State) -> tuple[Repository, Mapping[str, Document], list[Finding]]:
    """Tenants, catalogue and policy: few files, that are read each time."""
    documents: dict[str, Document] = {}
    broken: list[str] = []
    findings: list[Finding] = []
    for path in state.inventory.digests:
        kind = kind_of(path)
        if kind is None or (path.startswith("flows/") and kind != "tenant"):
            continue
        before = state.as_before(path)
        document, state.records[path] = state.shelf.read(path, before)
        if document is not None:
            documents[path] = document
        else:
            broken.append(path)
            findings += state.records[path].findings
    others = [path for path in state.inventory.digests if kind_of(path) and path not in documents]
    findings += identity_findings(documents.values(), others)
    tree = state.inventory.tree
    base = read_model(Sources(documents, tuple(broken), (), tree))
    return base, documents, findings


def _prepare(
    state: _State, base: Repository, day: date, flows: list[str]
) -> tuple[Terms, list[Item]]:
    """The terms of this check and its items, once all is read that they depend on."""
    shared: list[str] = []
    own: list[str] = []
    for path in flows:
        (shared if is_shared(path) else own).append(path)
        if is_shared(path):
            state.record(path)
        else:
            before = state.as_before(path)
            if before is not None:
                state.records[path] = before
    linking = with_linked(own, state.inventory, state.records, state.record)
    flow_ids: dict[str, set[str]] = {}
    for path in own:
        flow_ids.setdefault(_tenant(path), set()).add(id_of(path))
    holders: dict[tuple[str | None, str], Record] = {
        (None if is_shared(path) else _tenant(path), id_of(path)): state.records[path]
        for path in (*shared, *linking)
    }
    terms = Terms(
        base,
        day,
        state.inventory.digests,
        {id_of(path): state.records[path].fits for path in shared},
        {tenant: frozenset(ids) for tenant, ids in flow_ids.items()},
        given_by(holders),
    )
    items = [Item(NOBODY, (path,)) for path in shared]
    items += groups_of(own, linking, state.records)
    return terms, items


def _files_alone(
    state: _State, documents: Mapping[str, Document], broken: frozenset[str]
) -> Iterator[Item]:
    """Files that changed and on which nothing else depends: scenarios and channels."""
    for path in state.inventory.digests:
        if kind_of(path) in (None, "flow") or path in documents or path in broken:
            continue
        before = state.as_before(path)
        if before is None:
            yield Item(NOBODY, (path,))
        else:
            state.records[path] = before


def _is_known(item: Item, terms: Terms, state: _State, old: Mapping[str, dict[str, Any]]) -> bool:
    """Takes over what was found before, if the item is in all it depends on what it was."""
    if any(path not in state.records for path in item.paths):
        return False
    key = terms.key(item, reads_of(item, state.records))
    if key not in old:
        return False
    state.results[key] = old[key]
    return True


def _gathered(state: _State, terms: Terms, base: Repository, flows: list[str]) -> Iterator[Finding]:
    """All findings but those of the files by themselves, each fault once."""
    gathered = Gathered()
    of_flows = {
        path: told for result in state.results.values() for path, told in result["flows"].items()
    }
    made_of: dict[FlowKey, list[str]] = {
        (_tenant(path), id_of(path)): told[0]
        for path, told in of_flows.items()
        if not is_shared(path)
    }
    used_by = users(made_of)
    for path, (_, in_file, on_paths) in of_flows.items():
        gathered.add(from_lists(in_file), used_by.get(path, ()))
        if on_paths:
            gathered.add(from_lists(on_paths), [(_tenant(path), id_of(path))])
    for result in state.results.values():
        for finding in from_lists(result["together"]):
            tenant = _tenant(next(iter(result["flows"])))
            having = [key for key in used_by.get(finding.path, ()) if key[0] == tenant]
            gathered.add([finding], having)
    fitting = {path for path in flows if state.records[path].fits}
    whole = _whole(state, terms, base, fitting)
    for settings in base.tenants.values():
        gathered.add(faults_of_tenant(settings, whole), ())
    gathered.add(faults_of_rest(whole, _Analyses(whole), terms.day), ())
    yield from gathered.findings()


def _of_catalogue(base: Repository, rests_on: list[Any], before: list[Any]) -> list[Any]:
    """What the findings of the catalogue rest on, and the findings: as before if it is the same."""
    if before and before[0] == rests_on:
        return before
    return [rests_on, as_lists(found for check in CATALOGUE_CHECKS for found in check(base))]


def _whole(state: _State, terms: Terms, base: Repository, fitting: set[str]) -> Repository:
    """The repository with all its flows, of which none is read before it is looked at."""
    own = {(_tenant(path), id_of(path)): path for path in sorted(fitting) if not is_shared(path)}
    shared = {id_of(path): path for path in sorted(fitting) if is_shared(path)}
    broken = {path for path, record in state.records.items() if not record.fits}
    return replace(
        base,
        flows=FlowsOnShelf(own, flow_path, state.shelf),
        shared=FlowsOnShelf(shared, shared_path, state.shelf),
        broken=base.broken | broken,
        links=terms.links,
        flow_ids=terms.flow_ids,
    )


class _Analyses(Mapping[FlowKey, Analysis]):
    """The analyses of a repository; one is made when it is looked at, which few ever are."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def __getitem__(self, key: FlowKey) -> Analysis:
        return analyse(self._repository, key[0], self._repository.flows[key])

    def __iter__(self) -> Iterator[FlowKey]:
        return iter(self._repository.flows)

    def __len__(self) -> int:
        return len(self._repository.flows)


def _modules(base: Repository) -> tuple[str, ...]:
    named = (entry.run.get("python", "") for entry in base.catalogue.entries.values())
    return tuple(sorted({name.partition(":")[0] for name in named if name}))


def _tenant(path: str) -> str:
    return path.split("/")[1]
