"""Remembers which graphs LangGraph has compiled, so that it is loaded only for new ones.

What is kept is one empty file for each graph of which LangGraph gave back just the edges that went
in. Nothing of the graph is read from it: whoever writes there can save us the compiling, but not
take an edge out of a proof.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from trunkline.graph.cache_folder import cache_folder
from trunkline.graph.compiled import adjacency


def compiled_adjacency(
    nodes: Iterable[str], targets: Mapping[str, Iterable[str]]
) -> frozenset[tuple[str, str]]:
    """The (source, target) pairs of the compiled graph, compiled anew only if it is a new one."""
    ids = list(nodes)
    asked = {source: list(reached) for source, reached in targets.items()}
    expected = frozenset((source, target) for source, many in asked.items() for target in many)
    mark = _mark(ids, asked)
    if mark.is_file():
        return expected
    found = adjacency(ids, asked)
    if found == expected:
        _remember(mark)
    return found


def _mark(nodes: list[str], targets: Mapping[str, list[str]]) -> Path:
    graph = json.dumps([_langgraph(), nodes, targets])
    return cache_folder() / "graphs" / sha256(graph.encode()).hexdigest()


@cache
def _langgraph() -> str:
    """Its version: another LangGraph may see another graph in the same nodes."""
    return version("langgraph")


def _remember(mark: Path) -> None:
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError:
        pass  # a full or read-only disk costs a second the next time, and nothing else
