"""`trunkline diff` on real git repositories: formats, exit codes, acceptance, bad input."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

from trunkline.commands.main import run

TOP = Path(__file__).parents[2]
BASE = TOP / "tests" / "examples" / "diff" / "base"
INVOICE = "flows/acme/invoice.yaml"
GUARD = (", requires: [identity_verified]", "")
WORDS = ("say: Thank you. Goodbye.", "say: Thank you very much. Goodbye.")


def git(root: Path, *arguments: str) -> str:
    environment = {
        **os.environ,
        **{"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
    }
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", *arguments]
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    shutil.copytree(BASE, root)
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "The first")
    return root


def edit(root: Path, path: str, old: str, new: str) -> None:
    text = (root / path).read_text("utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new, 1), "utf-8")


@dataclass(frozen=True)
class Done:
    """What a command returned and printed."""

    returncode: int
    stdout: str
    stderr: str


def diff(root: Path, *arguments: str) -> Done:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["-C", str(root), "diff", *arguments])
    return Done(code, out.getvalue(), err.getvalue())


def diff_with_seed(root: Path, seed: str, *arguments: str) -> str:
    """Standard output of a process of its own, whose sets and dictionaries hash by `seed`."""
    command = "from trunkline.commands.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "-C", str(root), "diff", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
        timeout=120,
        check=True,
    )
    return done.stdout


def test_no_change_is_one_line(root: Path) -> None:
    done = diff(root, "main", "--fail-on", "info")
    assert (done.returncode, done.stdout, done.stderr) == (0, "No change in calls.\n", "")


@pytest.mark.parametrize(
    ("old", "new", "exits"),
    [
        (*WORDS, {"info": 1, "risky": 0, "breaking": 0}),
        ("when: the person declines", "when: they decline", {"info": 1, "risky": 1, "breaking": 0}),
        (*GUARD, {"info": 1, "risky": 1, "breaking": 1}),
    ],
    ids=["info", "risky", "breaking"],
)
def test_fail_on(root: Path, old: str, new: str, exits: dict[str, int]) -> None:
    edit(root, INVOICE, old, new)
    assert diff(root, "main").returncode == 0
    found = {level: diff(root, "main", "--fail-on", level).returncode for level in exits}
    assert found == exits


def test_what_compliance_accepted_fails_no_more(root: Path) -> None:
    edit(root, INVOICE, *GUARD)
    listed = json.loads(diff(root, "main", "--format", "json").stdout)["changes"]
    breaking = [change for change in listed if change["level"] == "breaking"]
    assert len(breaking) == 1
    accepted = (
        "accepted:\n"
        f"  - fingerprint: {breaking[0]['fingerprint']}\n"
        "    reason: A trial with staff only.\n"
        "    approver: compliance@example.com\n"
    )
    edit(root, "policy/accepted.yaml", "accepted: []\n", accepted)
    done = diff(root, "main", "--fail-on", "breaking", "--format", "markdown")
    assert done.returncode == 0
    assert "Accepted by compliance&#64;\u2060example.com: A trial with staff only." in done.stdout
    # It is the change that is accepted, not the branch: a push that makes it worse is refused.
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Accepted")
    edit(root, INVOICE, "id: get_invoice", "id: take_payment")
    assert diff(root, "HEAD~1", "--fail-on", "breaking").returncode == 1
    # What is risky is weighed in the review; the list is for breaking changes.
    assert diff(root, "HEAD~1", "HEAD", "--fail-on", "breaking").returncode == 0
    assert diff(root, "HEAD~1", "HEAD", "--fail-on", "risky").returncode == 1


def test_each_format_is_the_same_on_every_run(root: Path) -> None:
    edit(root, INVOICE, *GUARD)
    edit(root, "policy/spend.yaml", "2000000", "3000000")
    for form in ("text", "json", "markdown"):
        told = {diff(root, "main", "--format", form).stdout}
        told |= {diff_with_seed(root, seed, "main", "--format", form) for seed in ("1", "2")}
        assert len(told) == 1
        assert "take_payment" in told.pop()


def test_revisions_may_be_anything_that_git_names(root: Path) -> None:
    git(root, "tag", "--annotate", "--message", "A release", "acme/v1")
    edit(root, INVOICE, *WORDS)
    git(root, "commit", "--quiet", "--all", "--message", "Words")
    head = git(root, "rev-parse", "HEAD")
    document = json.loads(diff(root, "acme/v1", head[:10], "--format", "json").stdout)
    assert (document["base"], document["head"]) == (git(root, "rev-parse", "HEAD~1"), head)
    assert [change["kind"] for change in document["changes"]] == ["say-changed"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such"], "git knows no revision 'no-such'"),
        (["main", "no-such"], "git knows no revision 'no-such'"),
        (["--fail-on", "never", "main"], "is not one of 'info', 'risky', 'breaking'"),
        ([], "Missing argument 'BASE'"),
    ],
)
def test_bad_input_is_one_message(root: Path, arguments: list[str], message: str) -> None:
    done = diff(root, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_git(tmp_path: Path) -> None:
    shutil.copytree(BASE, tmp_path / "plain")
    done = diff(tmp_path / "plain", "main")
    assert done.returncode == 2
    assert "is no git repository" in done.stderr


def test_the_shipped_repository_against_itself() -> None:
    """Its own history is no part of a release's files, so the commit that is out now will do."""
    done = diff(TOP, "HEAD", "HEAD", "--format", "markdown", "--fail-on", "info")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("**No change in calls.**")
