"""LangGraph is loaded for a new graph and not again; what is remembered can hide no edge."""

import subprocess
import sys
from pathlib import Path

import pytest

from trunkline.graph import remembered
from trunkline.graph.cache_folder import cache_folder
from trunkline.graph.remembered import compiled_adjacency

NODES = ["hello", "ask", "bye"]
TARGETS = {"hello": ["ask", "bye"], "ask": ["bye"]}
EDGES = {("hello", "ask"), ("hello", "bye"), ("ask", "bye")}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUNKLINE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def marks(cache: Path) -> list[Path]:
    return sorted((cache / "graphs").glob("*"))


def test_a_graph_is_compiled_once_and_another_one_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = []
    real = remembered.adjacency
    monkeypatch.setattr(
        remembered,
        "adjacency",
        lambda nodes, targets: compiled.append(nodes) or real(nodes, targets),
    )
    assert compiled_adjacency(NODES, TARGETS) == EDGES
    assert compiled_adjacency(NODES, TARGETS) == EDGES
    assert len(compiled) == 1
    assert compiled_adjacency(NODES, {**TARGETS, "bye": ["hello"]}) == {*EDGES, ("bye", "hello")}
    assert len(compiled) == 2
    assert [path.read_bytes() for path in marks(cache)] == [b"", b""]


def test_what_langgraph_sees_otherwise_is_not_remembered(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = frozenset(EDGES - {("ask", "bye")})
    monkeypatch.setattr(remembered, "adjacency", lambda nodes, targets: fewer)
    assert compiled_adjacency(NODES, TARGETS) == fewer
    assert marks(cache) == []


def test_a_cache_that_cannot_be_written_costs_time_and_nothing_else(cache: Path) -> None:
    cache.write_text("in the way")
    assert compiled_adjacency(NODES, TARGETS) == EDGES


def test_the_folder_is_ours_or_the_users_or_none(
    monkeypatch: pytest.MonkeyPatch, cache: Path, tmp_path: Path
) -> None:
    assert cache_folder() == cache
    monkeypatch.delenv("TRUNKLINE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "trunkline"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache/trunkline"


def test_checking_an_unchanged_repository_does_not_load_langgraph() -> None:
    """The second of two runs over the shipped flows; each is a process of its own."""
    code = (
        "import sys; from pathlib import Path; from trunkline.compile import compile_repository; "
        "compile_repository(Path(sys.argv[1])); print('langgraph' in sys.modules)"
    )
    root = Path(__file__).parents[3]
    loaded = [
        subprocess.run(
            [sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    ]
    assert loaded == ["True", "False"]
