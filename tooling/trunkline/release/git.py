"""Git, asked by subprocess: the commit that a release comes from, and the tags that name it."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trunkline.failure import FatalError

SOURCES = ("flows", "catalog", "policy")  # what a release is made of
# A commit by its whole name: a release says `<sha>-dirty` or nothing where no commit describes it.
SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SECONDS = 60.0  # a git that takes longer hangs on a lock or on a network file system
# Variables that would point git at another repository (a hook that runs us sets some of them).
_ELSEWHERE = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_EXTERNAL_DIFF",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)

# What became of a tag: made now, there already, there on another commit, refused by git, or absent
# because this clone does not hold the commit.
TagState = Literal["made", "there", "elsewhere", "refused", "absent"]


@dataclass(frozen=True)
class Commit:
    """The commit of a working tree; `dirty` if a file that is compiled differs from it."""

    sha: str
    dirty: bool

    def __str__(self) -> str:
        return f"{self.sha}-dirty" if self.dirty else self.sha


def commit_of(root: Path) -> Commit | None:
    """The commit that `root` has checked out; None outside git or before the first commit.

    Raises FatalError where git itself refuses to read the repository.
    """
    inside = _git(root, "rev-parse", "--is-inside-work-tree")
    if inside is None:
        return None
    if inside.returncode != 0:
        if "not a git repository" in inside.stderr:
            return None
        raise FatalError(f"git can't read {root}: {_first_line(inside.stderr)}")
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head is None or head.returncode != 0:
        return None
    return Commit(head.stdout.strip(), _is_dirty(root))


def tags(root: Path) -> dict[str, str]:
    """Every tag and the commit that it stands on."""
    form = "%(refname:strip=2)%00%(objectname)%00%(*objectname)"
    listed = _git(root, "for-each-ref", f"--format={form}", "refs/tags/")
    if listed is None or listed.returncode != 0:
        return {}
    rows = (line.split("\0") for line in listed.stdout.splitlines())
    return {name: peeled or target for name, target, peeled in rows}


def make_tag(root: Path, name: str, sha: str) -> TagState:
    """Tags the commit `sha`. A tag that is there is never moved: then the answer says where.

    `update-ref` with an empty old value makes the tag only if no one else just did.
    """
    made = _git(root, "update-ref", f"refs/tags/{name}", sha, "0" * len(sha))
    if made is not None and made.returncode == 0:
        return "made"
    found = tags(root).get(name)
    if found is None:
        return "refused"
    return "there" if found == sha else "elsewhere"


@dataclass(frozen=True)
class Change:
    """A commit: who made it and what its first line says."""

    sha: str
    author: str
    subject: str


def last_change(root: Path, path: str) -> Change | None:
    """The last commit that changed what is at `path`; None if none did."""
    form = "%H%x00%an%x00%s"
    found = _git(root, "log", "-1", f"--format={form}", "--", path)
    parts = found.stdout.strip("\n").split("\0") if found and found.returncode == 0 else []
    return Change(parts[0], parts[1] or "unknown", parts[2]) if len(parts) == 3 else None


def first_parent(root: Path, sha: str) -> str | None:
    """The first parent of a commit: what was there before it was merged. None for a first one."""
    found = _git(root, "rev-parse", "--verify", "--quiet", f"{sha}^1^{{commit}}")
    return found.stdout.strip() if found and found.returncode == 0 else None


def is_ancestor(root: Path, sha: str, of: str) -> bool:
    """True if `of` holds the commit `sha`, or is it."""
    found = _git(root, "merge-base", "--is-ancestor", sha, of)
    return found is not None and found.returncode == 0


def has_commit(root: Path, sha: str) -> bool:
    """True if the repository holds the commit `sha`."""
    found = _git(root, "cat-file", "-e", f"{sha}^{{commit}}")
    return found is not None and found.returncode == 0


def _is_dirty(root: Path) -> bool:
    """True if a file that compiling reads is changed, removed or not in the commit.

    Only the sources count: a built store beside them, or an edited README, changes no release.
    """
    changed = _git(root, "diff", "--quiet", "--no-ext-diff", "HEAD", "--", *SOURCES)
    unknown = _git(root, "ls-files", "--others", "-z", "--", *SOURCES)
    if changed is None or unknown is None:
        return True
    new = [path for path in unknown.stdout.split("\0") if path.endswith((".yaml", ".yml"))]
    return changed.returncode != 0 or unknown.returncode != 0 or bool(new)


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str] | None:
    """Runs git on `root`; None if there is no git. Raises FatalError if it hangs.

    Nothing that the repository configures is run (hooks, a file-system monitor): a repository
    that is published is data.
    """
    environment = {key: value for key, value in os.environ.items() if key not in _ELSEWHERE}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    guarded = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
    try:
        return subprocess.run(
            ["git", "-C", str(root), *guarded, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired:
        raise FatalError(f"git gave no answer about {root} for {_SECONDS:.0f} s") from None


def _first_line(text: str) -> str:
    return next(iter(text.strip().splitlines()), "it gave no reason")
