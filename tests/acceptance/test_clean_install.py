"""A machine that only runs calls: the runtime extra alone, in an environment of its own.

Making it takes 1 s from uv's cache and some 200 MB of downloads where there is none yet.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trunkline_runtime.table.exclusive import exclusive

TOP = Path(__file__).parents[2]
RUNTIME = f"{TOP}[runtime]"
# Distributions that the tooling extra brings and the runtime must do without.
TOOLING_ONLY = ("langgraph", "langgraph-checkpoint", "langchain-core", "merman", "pre-commit")


@pytest.fixture
def clean(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The `bin` of an environment with `trunkline[runtime]` as locked; made once for all."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "clean"
    folder.mkdir(exist_ok=True)
    with exclusive(folder, wait_seconds=300):
        if not (folder / "made").exists():
            _make(folder)
            (folder / "made").touch()
    return folder / "environment" / "bin"


def _make(folder: Path) -> None:
    constraints = folder / "constraints.txt"
    locked = re.findall(r"^\S+==[^\s;]+", (TOP / "requirements.lock").read_text(), re.MULTILINE)
    constraints.write_text("\n".join(locked))
    python = str(folder / "environment")
    _uv(folder, "venv", "--python", sys.executable, python)
    # uv would take a wheel of this checkout that it built before the last change.
    fresh = ("--reinstall-package", "trunkline")
    _uv(folder, "pip", "install", *fresh, "--python", python, "-c", str(constraints), RUNTIME)


def _uv(folder: Path, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "uv", "--quiet", *arguments], check=True, cwd=folder)


def run(command: Path, *arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [str(command), *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_tooling_is_not_there(clean: Path, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from importlib.metadata import distributions\n"
        "print(*sorted(each.name for each in distributions()))\n"
        "from importlib.util import find_spec\n"
        "assert find_spec('langgraph') is None and find_spec('livekit.agents') is not None"
    )
    installed = run(clean / "python", "-c", script, cwd=tmp_path).split()
    assert "trunkline" in installed
    assert set(installed).isdisjoint(TOOLING_ONLY)


def test_every_command_of_the_runtime_starts(clean: Path, tmp_path: Path) -> None:
    runtime = clean / "trunkline-runtime"
    listed = run(runtime, "--help", cwd=tmp_path).split("Commands:")[1]
    commands = re.findall(r"^  (\S+)", listed, re.MULTILINE)
    assert {"pull", "pins", "verify"} <= set(commands)
    for command in commands:
        assert run(runtime, command, "--help", cwd=tmp_path).startswith("Usage: trunkline-runtime")


def test_it_pulls_what_the_tooling_publishes(clean: Path, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / part, repository / part)
    tooling = Path(sys.executable).with_name("trunkline")
    runtime = clean / "trunkline-runtime"
    run(tooling, "-C", "repository", "publish", "--to", "store", cwd=tmp_path)
    for tenant in ("northwind-energy", "harbor-medical", "atlas-research"):
        pulled = run(runtime, "pull", tenant, "--from", "store", "--into", "cache", cwd=tmp_path)
        assert pulled.startswith(f"{tenant} v1 is verified and current\n")
    assert "8 sound, 0 refused" in run(runtime, "verify", "--into", "cache", cwd=tmp_path)
    script = (
        "import sys; from pathlib import Path\n"
        "from trunkline_runtime.release.cache import current_policy, current_release\n"
        "from trunkline_runtime.release.loaded import Pin\n"
        "pin = Pin(current_release(Path('cache'), 'northwind-energy'), 'overdue-invoice')\n"
        "print(pin.table.start, pin.release.policy == current_policy(Path('cache')).digest)"
    )
    assert run(clean / "python", "-c", script, cwd=tmp_path) == "greeting True\n"
