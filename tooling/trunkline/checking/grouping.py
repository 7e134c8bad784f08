"""Which flows of a tenant are checked together: those from which links lead to each other."""

import re
from collections.abc import Callable, Iterable, Mapping

from trunkline.checking.inventory import Inventory
from trunkline.checking.record import Record
from trunkline.checking.terms import Item, reads_of
from trunkline.graph.reach import components
from trunkline.source.layout import is_shared

# What a file with a link node must hold: the word as a whole scalar, or an escape that may hide it.
# Each begins with what it looks for, which is found many times faster than a look behind.
_LINK = re.compile(rb"""link(?<![\w-]link)["']?\s*(?:[,}\]#\r\n]|\Z)""").search
_ESCAPE = re.compile(rb"\\[xuU\r\n]").search


def with_linked(
    own: Iterable[str],
    inventory: Inventory,
    records: Mapping[str, Record],
    record: Callable[[str], Record],
) -> list[str]:
    """The tenants' flows that have links or are led to by one; each then has its record.

    What others depend on must be known before they are looked at; the rest is read but once, when
    it is checked.
    """
    known = dict.fromkeys(own)
    shared = any(found.links for path, found in records.items() if is_shared(path))
    linking = [path for path in known if _links(path, inventory, records, record, shared)]
    found = dict.fromkeys(linking)
    for path in linking:
        for reached in reads_of(Item(path.split("/")[1], (path,)), records):
            if reached in known and reached not in found:
                record(reached)
                found[reached] = None
    return list(found)


def _links(
    path: str,
    inventory: Inventory,
    records: Mapping[str, Record],
    record: Callable[[str], Record],
    shared: bool,
) -> bool:
    if path in records:
        return bool(_leads_on(records[path], records))
    raw, _, _ = inventory.read(path)
    if raw is None or not (may_link(raw) or (shared and b"shared" in raw)):
        return False
    return bool(_leads_on(record(path), records))


def may_link(raw: bytes) -> bool:
    """False if no node of the file can be a link; true too where only the reader can tell."""
    return bool(_LINK(raw) or _ESCAPE(raw))


def _leads_on(found: Record, records: Mapping[str, Record]) -> bool:
    """True for a flow with a link of its own or in a shared flow that it uses."""
    if found.links:
        return True
    waiting, seen = list(found.uses), set(found.uses)
    while waiting:
        shared = records.get(f"flows/shared/{waiting.pop()}.yaml")
        if shared is None:
            continue
        if shared.links:
            return True
        waiting += [id for id in shared.uses if id not in seen]
        seen.update(shared.uses)
    return False


def groups_of(
    own: Iterable[str], linking: Iterable[str], records: Mapping[str, Record]
) -> list[Item]:
    """An item for each flow, or for all flows of a tenant that lead to each other."""
    tenants: dict[str, list[str]] = {}
    for path in sorted(linking):
        tenants.setdefault(path.split("/")[1], []).append(path)
    grouped: dict[str, tuple[str, ...]] = {}
    for tenant, paths in tenants.items():
        numbers = {path: number for number, path in enumerate(paths)}
        successors = [
            [
                numbers[reached]
                for reached in reads_of(Item(tenant, (path,)), records)
                if reached in numbers and reached != path
            ]
            for path in paths
        ]
        for component in components(successors):
            together = tuple(paths[number] for number in sorted(component))
            grouped.update(dict.fromkeys(together, together))
    told = dict.fromkeys(grouped.get(path, (path,)) for path in own if not is_shared(path))
    return [Item(paths[0].split("/")[1], paths) for paths in told]
