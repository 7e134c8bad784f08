"""Every finding of a repository: what the last check found, if nothing has changed since."""

import json
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from trunkline.checking.compiler import compiler_digest
from trunkline.checking.inventory import Inventory
from trunkline.checking.kept import Kept
from trunkline.checking.modules import digests_of
from trunkline.checking.written_findings import as_lists, from_lists
from trunkline.finding import Finding
from trunkline.source.tree import Tree, WorkingTree

_WHOLE = "whole.json"


def check_repository(root: Path, day: date, clean: bool = False) -> tuple[Finding, ...]:
    """The findings of `compile_repository`, sorted; of a flow that is as it was, those of before.

    With `clean` nothing is looked up and everything is kept. Raises FatalError if there is no
    repository. Faults of the files are findings, never raised.
    """
    inventory = Inventory.of(WorkingTree(root))
    compiler = compiler_digest()
    kept = Kept(root) if compiler is not None else None
    key = _key(compiler, day, inventory)
    if kept is not None and not clean:
        found = _found(kept.read(_WHOLE), key, inventory.tree)
        if found is not None:
            return found
    # The compiler itself takes a fifth of a second to import.
    from trunkline.checking.changed import check_changed

    result = check_changed(inventory, day, compiler or "", kept, clean)
    if kept is not None and result.is_of_inventory:
        whole = {"key": key, "modules": result.modules, "findings": as_lists(result.findings)}
        kept.write(_WHOLE, whole)
    findings: tuple[Finding, ...] = result.findings
    return findings


def _key(compiler: str | None, day: date, inventory: Inventory) -> str:
    told = [compiler, day.isoformat(), *inventory.digests.items()]
    return sha256(json.dumps(told).encode()).hexdigest()


def _found(whole: Mapping[str, Any], key: str, tree: Tree) -> tuple[Finding, ...] | None:
    """The findings that were kept, if all that they rest on is still the same."""
    if whole.get("key") != key:
        return None
    modules: Mapping[str, str | None] = whole["modules"]
    if digests_of(tree, modules) != modules:
        return None
    return tuple(from_lists(whole["findings"]))
