"""Keeping a store that lives on a branch of its own: one commit for what publish wrote there."""

import os
import subprocess
from pathlib import Path
from typing import Literal

from trunkline.failure import FatalError
from trunkline_runtime.table.exclusive import LOCK_FILE

Kept = Literal["pushed", "same"]

# The commit is the store's own, not a person's; a runner has no name to give it either.
_WHO = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "trunkline"), ("EMAIL", "trunkline@users.noreply.github.com"))
}
# What a hook sets to point git at the repository that it runs for.
_ELSEWHERE = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"})


def keep(store: Path, message: str) -> Kept:
    """Commits what is new in the checkout `store` and pushes it to the branch it is on.

    Raises FatalError if it is no checkout of a branch, or if the branch has moved on: then
    another publish was faster, and this one has released nothing.
    """
    if _git(store, "rev-parse", "--show-prefix") != "":
        raise FatalError(f"{store} is no checkout of its own: check out the branch of the store")
    branch = _git(store, "branch", "--show-current")
    if not branch:
        raise FatalError(f"{store} is on no branch: check out the branch of the store by its name")
    _must(store, "add", "--all", "--", ".", f":(exclude){LOCK_FILE}")
    if _git(store, "diff", "--cached", "--name-only"):
        _must(store, "commit", "--quiet", "--message", message)
    there = _git(store, "ls-remote", "--quiet", "origin", f"refs/heads/{branch}")
    if there is not None and there.split("\t")[0] == _git(store, "rev-parse", "HEAD"):
        return "same"
    _must(store, "push", "--quiet", "origin", f"HEAD:refs/heads/{branch}")
    return "pushed"


def _git(store: Path, *arguments: str) -> str | None:
    """What git prints; None if it refuses."""
    found = _run(store, *arguments)
    return found.stdout.strip() if found.returncode == 0 else None


def _must(store: Path, *arguments: str) -> None:
    done = _run(store, *arguments)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        said = next((line for line in lines if "rejected" in line), lines[-1] if lines else "")
        raise FatalError(
            f"git {arguments[0]} failed in {store}, so nothing is kept: {said.strip()}"
        )


def _run(store: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in _ELSEWHERE}
    try:
        return subprocess.run(
            ["git", "-C", str(store), *arguments],
            env={**environment, **_WHO, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )
    except FileNotFoundError:
        raise FatalError("there is no git on this machine") from None
    except subprocess.TimeoutExpired:
        raise FatalError(f"git {arguments[0]} gave no answer within 120 s") from None
