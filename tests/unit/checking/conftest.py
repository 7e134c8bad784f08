"""A repository of the conformance corpus's base, and a cache folder of the test's own."""

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from trunkline.checking.check import check_repository
from trunkline.checking.kept import Kept
from trunkline.compile import compile_repository
from trunkline.finding import Finding

BASE = Path(__file__).parents[2] / "examples/base"
DAY = date(2026, 11, 29)

FLOW = """
schema_version: 1
id: {id}
direction: inbound
language: en-US
start: hello
nodes:
  hello:
    instructions: Greet.
    edges:
      - {{to: bye, when: they are done}}
  bye: {{{bye}}}
"""
END = "kind: end, say: Goodbye., outcome: done"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUNKLINE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return shutil.copytree(BASE, tmp_path / "repository")


@pytest.fixture
def kept(repository: Path) -> Path:
    """The folder in which the results of the repository are kept."""
    return Kept(repository).folder


@pytest.fixture
def same(repository: Path) -> Callable[..., tuple[Finding, ...]]:
    """Checks what changed, and clean; asserts that both find the same, and returns it."""

    def checked(day: date = DAY) -> tuple[Finding, ...]:
        found = check_repository(repository, day)
        assert found == compile_repository(repository, day).findings
        assert check_repository(repository, day) == found
        return found

    return checked


@pytest.fixture
def put(repository: Path) -> Callable[[str, str | None], None]:
    """Writes a file of the repository; takes it away if there is no text."""

    def written(path: str, text: str | None) -> None:
        file = repository / path
        if text is None:
            file.unlink()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    return written


@pytest.fixture
def flow(put: Callable[[str, str | None], None]) -> Callable[..., None]:
    """Writes a flow of the tenant acme of two nodes; `bye` is what its second node holds."""

    def written(id: str, bye: str = END, folder: str = "acme") -> None:
        put(f"flows/{folder}/{id}.yaml", FLOW.format(id=id, bye=bye))

    return written
