"""Milliseconds of processor for each flow of a repository: a check, or what any check must do.

`check_floor.py ours FOLDER` checks it clean, without what importing takes. `check_floor.py floor
FOLDER` composes each file, holds it against its schema with jsonschema, and builds, compiles and
draws its graph with LangGraph: the same nodes and edges that the check builds.
"""

import os
import shutil
import sys
import time
from datetime import date
from pathlib import Path

import yaml

from trunkline.checking import changed, check
from trunkline.compile import compile_repository
from trunkline.graph import remembered
from trunkline.graph.compiled import adjacency
from trunkline_runtime.schema import validator


def ours(root: Path, flows: int) -> float:
    adjacency(["a"], {"a": ["a"]})
    assert changed.__name__
    shutil.rmtree(os.environ["TRUNKLINE_CACHE_DIR"], ignore_errors=True)
    began = time.process_time()
    found = check.check_repository(root, date(2026, 11, 29), clean=True)
    took = time.process_time() - began
    assert not found
    return took * 1000 / flows


def floor(root: Path, flows: int) -> float:
    graphs = graphs_of(root)
    files = [file.read_bytes() for file in sorted(root.glob("flows/*/flow-*.yaml"))]
    data = [yaml.load(file, Loader=yaml.CSafeLoader) for file in files]
    validate = validator("flow")
    adjacency(["a"], {"a": ["a"]})
    began = time.process_time()
    for file, document, graph in zip(files, data, graphs, strict=True):
        yaml.compose(file, Loader=yaml.CSafeLoader)
        assert validate.is_valid(document)
        adjacency(*graph)
    return (time.process_time() - began) * 1000 / flows


def graphs_of(root: Path) -> list[tuple[list[str], dict[str, list[str]]]]:
    """The nodes and edges that a check hands to LangGraph, flow by flow."""
    found: list[tuple[list[str], dict[str, list[str]]]] = []

    def seen(nodes: list[str], targets: dict[str, list[str]]) -> frozenset[tuple[str, str]]:
        found.append((nodes, targets))
        return frozenset((source, target) for source, many in targets.items() for target in many)

    remembered.adjacency = seen  # type: ignore[assignment]
    shutil.rmtree(os.environ["TRUNKLINE_CACHE_DIR"], ignore_errors=True)
    compile_repository(root, date(2026, 11, 29))
    return found


if __name__ == "__main__":
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    folder = Path(sys.argv[2])
    count = len(list(folder.glob("flows/*/flow-*.yaml")))
    print({"ours": ours, "floor": floor}[sys.argv[1]](folder, count))
