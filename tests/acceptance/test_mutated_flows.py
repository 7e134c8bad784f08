"""Flows with parts taken out, doubled and exchanged: findings or a sound table, never a crash."""

import copy
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.compile import compile_repository
from trunkline_runtime.table.node_table import NodeTable

ROOT = Path(__file__).parents[2]
FLOWS = (
    "flows/northwind-energy/overdue-invoice.yaml",
    "flows/harbor-medical/appointments.yaml",
    "flows/atlas-research/assistant.yaml",
)
SHARED = """
schema_version: 1
id: verify
exits: [known, unknown]
params: {who: {type: string}, most: {type: number}}
start: ask
nodes:
  ask:
    instructions: "Verify {{ params.who }}."
    collect: [full_name, postcode]
    tools: [{id: lookup_crm, with: {full_name: slots.full_name, postcode: slots.postcode}}]
    edges:
      - {to: exit/known, when: it is them, requires: [identity_verified]}
      - {to: why, when: it is not, if: params.most > 1.0}
      - {to: exit/unknown, when: they refuse}
  why: {return: true, instructions: "Explain."}
"""
HOST = {
    "kind": "subflow",
    "flow": "shared/verify",
    "with": {"who": "inputs.account_id", "most": 3},
    "exits": {"known": "state_invoice", "unknown": "goodbye"},
}
PIECES = ("{{", "}}", '"', "(", "&& ", "facts.", "params.x", "exit/", "\\", "{{ params.most }}")
Keys = tuple[str | int, ...]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mutated")
    for folder in ("catalog", "flows"):
        shutil.copytree(ROOT / folder, root / folder)
    (root / "policy").mkdir()
    shutil.copy(ROOT / "policy/requirements.yaml", root / "policy")
    (root / "flows/shared").mkdir(exist_ok=True)
    return root


def originals() -> dict[str, Any]:
    texts = {path: (ROOT / path).read_text() for path in FLOWS}
    flows = {path: yaml.safe_load(text) for path, text in texts.items()}
    flows["flows/shared/verify.yaml"] = yaml.safe_load(SHARED)
    nodes = flows[FLOWS[0]]["nodes"]
    nodes["check"] = HOST
    nodes["greeting"]["edges"].append({"to": "check", "when": "they want to be sure"})
    return flows


def places(value: Any, keys: Keys = ()) -> Iterator[Keys]:
    if keys:
        yield keys
    inner = value.items() if isinstance(value, dict) else ()
    for key, each in enumerate(value) if isinstance(value, list) else inner:
        yield from places(each, (*keys, key))


def at(value: Any, keys: Keys) -> Any:
    for key in keys:
        value = value[key]
    return value


def mutate(chance: random.Random, flow: Any, pool: list[Any]) -> None:
    """Takes out, exchanges, doubles, renames or damages one part of a flow."""
    where = list(places(flow))
    keys = chance.choice(where)
    holder, key = at(flow, keys[:-1]), keys[-1]
    here = holder[key]
    match chance.randrange(5):
        case 0:
            del holder[key]
        case 1:
            holder[key] = copy.deepcopy(chance.choice(pool))
        case 2 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(here))
        case 3 if isinstance(here, str):
            alike = [at(flow, other) for other in where if other[-1] == key]
            holder[key] = chance.choice([each for each in alike if isinstance(each, str)])
        case 4 if isinstance(here, str):
            cut = chance.randrange(len(here) + 1)
            holder[key] = here[:cut] + chance.choice(PIECES) + here[cut:]


def written(flow: Any) -> str:
    return yaml.dump(flow, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)


@pytest.mark.parametrize("seed", range(4))
def test_mutants_are_found_or_compile(repository: Path, seed: int) -> None:
    chance = random.Random(seed)
    flows = originals()
    pool = [at(flow, keys) for flow in flows.values() for keys in places(flow)]
    clean = broken = 0
    for path, flow in flows.items():
        (repository / path).write_text(written(flow))
    for _ in range(12):
        mutants = copy.deepcopy(flows)
        for _ in range(chance.choice((1, 1, 2, 4))):
            mutate(chance, mutants[chance.choice(list(mutants))], pool)
        for path, mutant in mutants.items():
            if mutant != flows[path]:
                (repository / path).write_text(written(mutant))
        compiled = compile_repository(repository)
        for table in compiled.tables.values():
            NodeTable.from_json(table)
        broken += compiled.has_errors
        clean += not compiled.has_errors
        assert compiled.has_errors or len(compiled.tables) >= len(FLOWS)
        for path, mutant in mutants.items():
            if mutant != flows[path]:
                (repository / path).write_text(written(flows[path]))
    assert clean
    assert broken
