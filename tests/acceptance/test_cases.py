"""The cases that must behave: each file in a copy of the base repository, by the real command."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trunkline.commands.main import run

_CASES = Path(__file__).parents[1] / "examples/cases"
_EXPECTED = {
    f"{folder}/{name}": expected
    for folder in ("reading", "graph")
    for name, expected in json.loads((_CASES / folder / "expected.json").read_text()).items()
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return Path(shutil.copytree(_CASES / "base", tmp_path / "repository"))


def _put(repository: Path, case: str) -> str:
    """Puts the case into the repository and says where."""
    path = f"flows/acme/{Path(case).name}"
    shutil.copy(_CASES / case, repository / path)
    return path


def _errors(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in told["findings"] if finding["severity"] == "error"]


def _codes(expected: list[str]) -> Iterator[set[str]]:
    """Every set of codes that will do: `A|B` stands for one of the two."""
    if not expected:
        yield set()
        return
    for code in expected[0].split("|"):
        for rest in _codes(expected[1:]):
            yield {code, *rest}


def _hold(errors: list[dict[str, Any]], expected: dict[str, Any], path: str) -> None:
    codes = {finding["code"] for finding in errors}
    assert codes in list(_codes(expected["codes"])), errors
    assert {finding["path"] for finding in errors} <= {path}
    if expected["first_line"] is not None:
        assert errors[0]["line"] == expected["first_line"]
    if "trace" in expected:
        assert errors[0]["trace"] == expected["trace"]
    if any(code.startswith("TL0") for code in codes):
        assert all(code.startswith("TL0") for code in codes)


@pytest.mark.parametrize("case", _EXPECTED)
def test_case(case: str, repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = _put(repository, case)
    before = time.monotonic()
    code = run(["-C", str(repository), "check", "--format", "json"])
    seconds = time.monotonic() - before
    out, err = capfd.readouterr()
    errors = _errors(json.loads(out))
    _hold(errors, _EXPECTED[case], path)
    assert code == (1 if errors else 0)
    assert err == ""
    assert seconds < 1


@pytest.mark.parametrize("format", ["text", "github", "sarif"])
@pytest.mark.parametrize("case", ["reading/alias-bomb.yaml", "graph/skip-verification.yaml"])
def test_every_format_tells_it(
    case: str, format: str, repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = _put(repository, case)
    assert run(["-C", str(repository), "check", "--format", format]) == 1
    out = capfd.readouterr().out
    assert path in out
    assert _EXPECTED[case]["codes"][0] in out


def test_all_files_are_listed() -> None:
    found = {f"{file.parent.name}/{file.name}" for file in _CASES.glob("*/*.yaml")}
    assert found == set(_EXPECTED)


@pytest.mark.parametrize("case", ["reading/tagged.yaml", "graph/good.yaml", "graph/trapped.yaml"])
def test_the_installed_command(case: str, repository: Path) -> None:
    """The same through the entry point, with another hash seed and an ASCII terminal."""
    path = _put(repository, case)
    command = [str(Path(sys.executable).with_name("trunkline")), "-C", str(repository), "check"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "77", "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(
        [*command, "--format", "json"], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    errors = _errors(json.loads(ran.stdout))
    _hold(errors, _EXPECTED[case], path)
    assert ran.returncode == (1 if errors else 0)
    text = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (text.returncode, text.stderr) == (ran.returncode, "")
