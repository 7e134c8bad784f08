"""Which mutants give a finding, by kind."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import yaml
from faults import KINDS, Fault, faults_of
from files_tree import BASE, FLOW, FilesTree, files_below, written
from grammar import TOOLS, make_flow

from trunkline.compile import compile_repository

ROOT = Path(__file__).parents[2]
SHIPPED = (
    "flows/northwind-energy/overdue-invoice.yaml",
    "flows/northwind-energy/service-line.yaml",
    "flows/harbor-medical/appointments.yaml",
    "flows/harbor-medical/bills.yaml",
    "flows/atlas-research/assistant.yaml",
)
# A tool of the shipped catalogue whose effect requires a proof.
CHARGE = {
    "take_payment": {
        "id": "take_payment",
        "with": {"account_id": '"A-1001"', "amount": 1.5, "capture_token": '"cap_abcdefgh"'},
    }
}
PAY = {"take_payment": TOOLS["pay"][1]}


@dataclass
class Share:
    """How many mutants there were and how many gave a finding, by kind; and those that did not."""

    tried: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    escaped: list[Fault] = field(default_factory=list)

    @property
    def all(self) -> float:
        return sum(self.caught.values()) / sum(self.tried.values())

    def add(self, fault: Fault, caught: bool) -> None:
        self.tried[fault.kind] += 1
        self.caught[fault.kind] += caught
        if not caught:
            self.escaped.append(fault)

    def of(self, kind: str) -> float:
        return self.caught[kind] / self.tried[kind] if self.tried[kind] else 1.0

    def table(self) -> str:
        rows = [(kind, self.caught[kind], self.tried[kind]) for kind in KINDS if self.tried[kind]]
        rows.append(("all", sum(self.caught.values()), sum(self.tried.values())))
        return "\n".join(
            f"  {kind:24} {caught:5} of {tried:5}  {caught / tried:6.1%}"
            for kind, caught, tried in rows
        )


def share_of_shipped(paths: Iterable[str] = SHIPPED, keep: float = 1.0) -> Share:
    """The mutants of the shipped flows; `keep` is the share of them that is tried."""
    chance, share = Random(1), Share()
    for path in paths:
        files = _of_tenant(path.split("/")[1])
        flow = yaml.safe_load(files[path])
        tools = CHARGE if "northwind" in path else {}
        for fault in faults_of(flow, tools, chance):
            if chance.random() < keep:
                share.add(fault, _is_caught({**files, path: written(fault.flow)}))
    return share


def share_of_generated(count: int) -> Share:
    """The mutants of the first `count` generated flows without a finding of their own."""
    share, seed = Share(), 0
    files = files_below(BASE)
    while count:
        flow = make_flow(seed, 2 + seed % 7)
        seed += 1
        if _is_caught({**files, FLOW: written(flow)}, errors_only=True):
            continue
        count -= 1
        for fault in faults_of(flow, PAY, Random(seed)):
            caught = _is_caught({**files, FLOW: written(fault.flow)}, errors_only=True)
            share.add(fault, caught)
    return share


def _of_tenant(tenant: str) -> Mapping[str, bytes]:
    """What one tenant's flows need; scenarios play no part in a check."""
    kept = (f"flows/{tenant}/", "flows/shared/", "catalog/", "policy/")
    return {
        path: data
        for path, data in files_below(ROOT).items()
        if path.startswith(kept) and "/scenarios/" not in path and "/tests/" not in path
    }


def _is_caught(files: Mapping[str, bytes], errors_only: bool = False) -> bool:
    """True if there is a finding. Generated flows have warnings to begin with."""
    found: Any = compile_repository(FilesTree(files)).findings
    return any(not errors_only or finding.severity == "error" for finding in found)
