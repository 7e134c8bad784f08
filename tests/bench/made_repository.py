"""A repository of any size: real flows of 20 nodes, no two of them with the same graph.

Each is the shipped flow `overdue-invoice` with questions of its own between greeting and proof, so
that reading, schema, expressions, facts, slots, disclosures and costs are those of a real flow.
"""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
NODES = 20
FLOWS_OF_A_TENANT = 50
_MODEL = ROOT / "flows/northwind-energy"
_TENANT = "northwind-energy"
_NUMBER, _EXTRA = "NUMBER_OF_FLOW", "OTHER_GRAPH"


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
    """The file of one flow; with another `extra`, one whose graph is another."""
    return _template().replace(_NUMBER, str(number)).replace(_EXTRA, str(extra))


def made_flow(number: int) -> dict[str, Any]:
    """The data of one flow."""
    made: dict[str, Any] = yaml.load(flow_text(number), Loader=yaml.CSafeLoader)
    return made


@cache
def _template() -> str:
    """The shipped flow, and questions until it has 20 nodes."""
    flow: dict[str, Any] = yaml.safe_load((_MODEL / "overdue-invoice.yaml").read_text("utf-8"))
    flow["id"] = f"flow-{_NUMBER}"
    nodes = flow["nodes"]
    names = [f"question_{_NUMBER}_{each}_{_EXTRA}" for each in range(NODES - len(nodes))]
    way = [*names, "verify"]
    first = {"to": way[0], "when": "the person asks something first"}
    nodes["greeting"]["edges"].insert(0, first)
    for position, name in enumerate(names):
        slot = f"answer_{position}"
        flow["slots"][slot] = {"type": "string", "description": f"Answer {position}", "ask": "How?"}
        nodes[name] = {
            "instructions": f"Ask question {position} of {_NUMBER}, and listen to the answer.",
            "collect": [slot],
            "edges": [
                {"to": way[position + 1], "when": "they answer"},
                {"to": "goodbye", "when": "they want to stop"},
            ],
        }
    return dumped(flow)


def dumped(document: Any) -> str:
    """A document as block YAML, the way that operators write it."""
    return str(yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=96))


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
