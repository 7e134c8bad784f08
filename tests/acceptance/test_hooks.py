"""The pre-commit hooks: this repository's own, and those that other repositories use."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def run(cwd: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # A test may itself run in a hook, whose GIT_DIR is not the one that is meant here.
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    who = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "t"), ("EMAIL", "t@example.com"))
    }
    return subprocess.run(
        command,
        cwd=cwd,
        env={**clean, **who, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def git(cwd: Path, *arguments: str) -> None:
    done = run(cwd, "git", *arguments)
    assert done.returncode == 0, done.stderr


def copy_of_this(to: Path) -> Path:
    """This repository as it stands, committed or not, as a repository of one commit."""
    listed = run(ROOT, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name)
    git(to, "init", "--quiet", "--initial-branch", "main")
    git(to, "add", "--all")
    git(to, "commit", "--quiet", "--message", "as it stands")
    return to


def flows_only(to: Path) -> Path:
    """A repository that holds only flows/, catalog/ and policy/."""
    for name in ("flows", "catalog", "policy"):
        shutil.copytree(ROOT / name, to / name)
    git(to, "init", "--quiet", "--initial-branch", "main")
    git(to, "add", "--all")
    git(to, "commit", "--quiet", "--message", "flows")
    return to


FLOW = "flows/northwind-energy/overdue-invoice.yaml"


def spoil(repository: Path) -> None:
    """Takes the proof of identity out of the one way to the account."""
    text = (repository / FLOW).read_text(encoding="utf-8")
    assert "requires: [identity_verified]" in text
    spoilt = text.replace("        requires: [identity_verified]\n", "")
    (repository / FLOW).write_text(spoilt, encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    repository = copy_of_this(tmp_path)
    (repository / ".venv").symlink_to(BIN.parent)
    return repository


def hook(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(repository, str(BIN / "pre-commit"), "run", *arguments)


def outcome(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Name of the hook and what became of it, line by line."""
    found = re.findall(
        r"^(.+?)\.{3,}(?:\(.+\))?(Passed|Failed|Skipped)$", done.stdout, re.MULTILINE
    )
    return [f"{name}: {became}" for name, became in found]


def test_a_clean_repository_passes_every_hook(here: Path) -> None:
    done = hook(here, "--all-files")
    assert outcome(done) == [
        "check the files that change: Passed",
        "compile every flow: Passed",
        "code owners are those of the tenants: Passed",
    ]
    assert done.returncode == 0


def test_a_changed_flow_is_checked_and_a_finding_stops_the_commit(here: Path) -> None:
    spoil(here)
    git(here, "add", FLOW)
    done = hook(here)
    assert outcome(done) == [
        "check the files that change: Failed",
        "compile every flow: Failed",
        "code owners are those of the tenants: Skipped",
    ]
    assert "TL401" in done.stdout
    assert FLOW in done.stdout


def test_a_deletion_is_caught_although_hooks_are_not_told_of_deletions(here: Path) -> None:
    git(here, "rm", "--quiet", "catalog/tools/billing/take_payment.yaml")
    done = hook(here)
    assert outcome(done) == [
        "check the files that change: Skipped",
        "compile every flow: Failed",
        "code owners are those of the tenants: Skipped",
    ]
    assert "TL301" in done.stdout


def test_a_new_tenant_makes_the_code_owners_stale(here: Path) -> None:
    (here / ".github/CODEOWNERS").write_text("* @nobody\n", encoding="utf-8")
    git(here, "add", ".github/CODEOWNERS")
    done = hook(here)
    assert outcome(done)[2] == "code owners are those of the tenants: Failed"
    assert "files were modified by this hook" in done.stdout
    git(here, "add", ".github/CODEOWNERS")
    assert outcome(hook(here, "--all-files"))[2] == "code owners are those of the tenants: Passed"


def test_another_repository_uses_the_hooks(tmp_path: Path) -> None:
    """`pre-commit try-repo`, without a network: what our wheel needs comes from this environment.

    pre-commit makes a fresh environment and installs this repository there with pip.
    """
    (tmp_path / "trunkline").mkdir()
    (tmp_path / "calls").mkdir()
    tool = copy_of_this(tmp_path / "trunkline")
    calls = flows_only(tmp_path / "calls")
    installed = next(BIN.parent.glob("lib/python*/site-packages"))

    def tried(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run(
            calls,
            *(str(BIN / "pre-commit"), "try-repo", str(tool), *arguments),
            PRE_COMMIT_HOME=str(tmp_path / "home"),
            PYTHONPATH=str(installed),
            PIP_NO_INDEX="1",
            PIP_NO_BUILD_ISOLATION="0",  # pip's spelling of "use what is installed"
            VIRTUALENV_NO_PERIODIC_UPDATE="1",
        )

    clean = tried("--all-files", "--verbose")
    assert outcome(clean) == [
        "check the files that change: Passed",
        "compile every flow: Passed",
    ], clean.stdout + clean.stderr
    spoil(calls)
    done = tried("trunkline-check", "--files", FLOW)
    assert outcome(done) == ["check the files that change: Failed"]
    assert "TL401" in done.stdout
