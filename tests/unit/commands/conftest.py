"""A small repository and the command line on it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trunkline.commands.main import run

_CASES = Path(__file__).parents[2] / "examples/cases"

Ran = tuple[int, str, str]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the base repository: one tenant, no flows."""
    return Path(shutil.copytree(_CASES / "base", tmp_path / "repository"))


@pytest.fixture
def put(repository: Path) -> Callable[[str], Path]:
    """Puts a case among the flows of the repository."""
    return lambda case: Path(shutil.copy(_CASES / f"{case}.yaml", repository / "flows/acme"))


@pytest.fixture
def trunkline(repository: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `trunkline -C repository …`: exit code, stdout, stderr."""

    def runs(*arguments: str) -> Ran:
        code = run(["-C", str(repository), *arguments])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return runs
