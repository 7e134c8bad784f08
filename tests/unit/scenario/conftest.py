"""A copy of the starter tenants that a test may change."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trunkline.commands.main import run

ROOT = Path(__file__).parents[3]
Ran = tuple[int, str, str]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One tenant with one flow, the catalogue and the policy."""
    for part in ("flows/atlas-research", "catalog", "policy"):
        shutil.copytree(ROOT / part, tmp_path / part)
    return tmp_path


@pytest.fixture
def edit(repository: Path) -> Callable[[str, str, str], None]:
    """Puts one text in the place of another in a file."""

    def edit(path: str, before: str, after: str) -> None:
        file = repository / path
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after, 1), encoding="utf-8")

    return edit


@pytest.fixture
def trunkline(repository: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `trunkline -C repository …`: exit code, stdout, stderr."""

    def runs(*arguments: str) -> Ran:
        code = run(["-C", str(repository), *arguments])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return runs
