"""A repository of any size: real flows of 20 nodes, no two of them with the same graph.

Each is the shipped flow `overdue-invoice` with questions of its own between greeting and proof, so
that reading, schema, expressions, facts, slots, disclosures and costs are those of a real flow.
"""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
NODES = 20
FLOWS_OF_A_TENANT = 50
_MODEL = ROOT / "flows/northwind-energy"
_TENANT = "northwind-energy"


class _Plain(yaml.CSafeDumper):
    """Writes a value that stands in two places twice: flows have no anchors."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def make_repository(folder: Path, flows: int) -> Path:
    """Writes flows below `folder`, 50 to a tenant, with the shipped catalogue and policy."""
    shutil.copytree(ROOT / "catalog", folder / "catalog")
    shutil.copytree(ROOT / "policy", folder / "policy")
    tenants = [f"tenant-{number}" for number in range(-(-flows // FLOWS_OF_A_TENANT))]
    _grant(folder / "policy/purposes.yaml", tenants)
    for number in range(flows):
        tenant = tenants[number // FLOWS_OF_A_TENANT]
        home = folder / "flows" / tenant
        if not home.is_dir():
            home.mkdir(parents=True)
            (home / "tenant.yaml").write_text(_settings(tenant), "utf-8")
        (home / f"flow-{number}.yaml").write_text(flow_text(number), "utf-8")
    return folder


def flow_text(number: int, extra: int = 0) -> str:
    """The file of one flow; with `extra`, one whose graph is another."""
    return dumped(made_flow(number, extra))


def dumped(document: Any) -> str:
    """A document as block YAML, the way that operators write it."""
    return str(yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=96))


def made_flow(number: int, extra: int = 0) -> dict[str, Any]:
    """The data of one flow: the shipped one, and questions until it has 20 nodes."""
    chance = Random(f"{number} {extra}")
    flow: dict[str, Any] = yaml.safe_load(_model())
    flow["id"] = f"flow-{number}"
    nodes = flow["nodes"]
    names = [f"question_{number}_{each}_{extra}" for each in range(NODES - len(nodes))]
    way = [*names, "verify"]
    _lead(nodes["greeting"], way[0])
    for position, name in enumerate(names):
        slot = f"answer_{position}"
        flow["slots"][slot] = {"type": "string", "description": f"Answer {position}", "ask": "How?"}
        later = chance.sample(way[position + 1 :], k=min(2, len(way) - position - 1))
        nodes[name] = {
            "instructions": f"Ask question {position} of {number}, and listen to the answer.",
            "collect": [slot],
            "edges": [{"to": each, "when": f"they answer in a way {each}"} for each in later]
            + [{"to": "goodbye", "when": "they want to stop"}],
        }
    flow["nodes"] = nodes
    return flow


def _lead(node: dict[str, Any], target: str) -> None:
    node["edges"].insert(0, {"to": target, "when": "the person asks something first"})


@cache
def _model() -> str:
    return (_MODEL / "overdue-invoice.yaml").read_text("utf-8")


def _settings(tenant: str) -> str:
    variable = tenant.upper().replace("-", "_")
    text = (_MODEL / "tenant.yaml").read_text("utf-8")
    settings = yaml.safe_load(text.replace("NORTHWIND_ENERGY", variable))
    del settings["inbound"]
    return dumped({**settings, "id": tenant})


def _grant(file: Path, tenants: list[str]) -> None:
    policy = yaml.safe_load(file.read_text("utf-8"))
    policy["grants"] = dict.fromkeys(tenants, policy["grants"][_TENANT])
    policy["consents"] = list(_consents(policy["consents"][0], tenants))
    file.write_text(dumped(policy), "utf-8")


def _consents(one: dict[str, Any], tenants: list[str]) -> Iterator[dict[str, Any]]:
    for tenant in tenants:
        yield {**one, "tenant": tenant}
