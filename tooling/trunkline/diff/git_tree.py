"""The files of a commit, read from git's objects: nothing is checked out, no file is written."""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from trunkline.failure import FatalError
from trunkline.source.decoding import LARGEST_FILE
from trunkline.source.layout import DEEPEST, FOLDERS
from trunkline.source.tree import UnreadableError

_SECONDS = 120.0  # a git that takes longer hangs on a lock or on a network file system
_FILE, _LINK = "100", "120000"  # modes: a file begins with 100 whether it may be run or not
_LINKS_FOLLOWED = 8
# Variables that would point git at another repository (a hook that runs us sets some of them).
_ELSEWHERE = re.compile(r"GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|NAMESPACE)")


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a commit holds at a path: its mode, the object's id and its size in bytes."""

    mode: str
    object_id: str
    size: int


class GitTree:
    """The files of one commit, as `read_repository` wants them.

    A symbolic link is followed only to a file of the same commit, as in a working tree.
    """

    def __init__(self, root: Path, commit: str) -> None:
        """`root` is the repository or a folder in it. Raises FatalError if git cannot read it."""
        self._root = root
        self._entries = _list(root, commit)
        self._held: dict[str, bytes] = {}
        if not any(path.startswith("flows/") for path in self._entries):
            raise FatalError(f"{commit[:12]} holds no folder flows/: nothing to compare")

    def paths(self) -> list[str]:
        """Every `.yaml` and `.yml` in the folders that are read, sorted."""
        return sorted(path for path in self._entries if _is_read(path))

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises UnreadableError."""
        if path not in self._entries:
            raise UnreadableError("it is not there")
        entry = self._entries[path]
        for _ in range(_LINKS_FOLLOWED):
            if entry.mode != _LINK:
                break
            path = self._target(path, entry)
            entry = self._entries[path]
        if not entry.mode.startswith(_FILE):
            raise UnreadableError("this is a link that leads to itself, or no file")
        return self._content(entry)

    def _target(self, link: str, entry: _Entry) -> str:
        written = os.fsdecode(self._content(entry))
        target = os.path.normpath(f"{PurePosixPath(link).parent}/{written}")
        if written.startswith("/") or target.startswith("../"):
            raise UnreadableError("this is a link to a file outside the repository")
        if target not in self._entries:
            raise UnreadableError("this is a link to a file that is not there")
        return target

    def _content(self, entry: _Entry) -> bytes:
        if entry.size > LARGEST_FILE:
            return b" " * (LARGEST_FILE + 1)  # refused for its size, whatever it says
        if not self._held:
            read = {path: self._entries[path] for path in self.paths()}
            small = {found.object_id for found in read.values() if found.size <= LARGEST_FILE}
            self._held = _contents(self._root, sorted(small))
        if entry.object_id not in self._held:
            self._held |= _contents(self._root, [entry.object_id])
        return self._held[entry.object_id]


def resolve(root: Path, revision: str) -> str:
    """The commit that a revision names. Raises FatalError, with what to do, if there is none."""
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    found = git(root, *asked)
    if found.returncode == 0:
        return found.stdout.decode().strip()
    inside = git(root, "rev-parse", "--is-inside-work-tree")
    if inside.returncode != 0:
        raise FatalError(f"{root} is no git repository, so there are no revisions to compare")
    shallow = git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
    hint = (
        "this clone is shallow: fetch more with `git fetch --unshallow` (in GitHub Actions: "
        "`fetch-depth: 0`)"
        if shallow
        else "`git log --oneline` lists what there is; `git fetch` gets what is missing"
    )
    raise FatalError(f"git knows no revision {revision!r}: {hint}")


def _list(root: Path, commit: str) -> Mapping[str, _Entry]:
    """Everything below `root` in the commit, by path."""
    prefix = git(root, "rev-parse", "--show-prefix").stdout.decode().strip("\n")
    listed = git(root, "ls-tree", "-r", "-l", "-z", "--full-tree", f"{commit}:{prefix}")
    if listed.returncode != 0:
        raise FatalError(f"git cannot list {commit[:12]}: {_said(listed)}")
    entries: dict[str, _Entry] = {}
    for row in filter(None, listed.stdout.split(b"\0")):
        described, _, name = row.partition(b"\t")
        mode, kind, object_id, size = described.decode("ascii").split()
        if kind == "blob":
            entries[os.fsdecode(name)] = _Entry(mode, object_id, int(size))
    return entries


def _is_read(path: str) -> bool:
    parts = path.split("/")
    return parts[0] in FOLDERS and len(parts) <= DEEPEST and path.endswith((".yaml", ".yml"))


def _contents(root: Path, object_ids: list[str]) -> dict[str, bytes]:
    """The bytes of each object, by one `git cat-file --batch`."""
    asked = "".join(f"{id}\n" for id in object_ids).encode("ascii")
    answer = git(root, "cat-file", "--batch", "--buffer", given=asked)
    if answer.returncode != 0:
        raise FatalError(f"git cannot read its objects: {_said(answer)}")
    data, at = answer.stdout, 0
    contents: dict[str, bytes] = {}
    for object_id in object_ids:
        end = data.index(b"\n", at)
        head = data[at:end].decode("ascii").split(" ")
        if len(head) != 3:
            raise FatalError(
                f"git lacks an object of this commit ({object_id[:12]}): `git fsck` tells more"
            )
        size = int(head[2])
        contents[object_id] = data[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return contents


def git(root: Path, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs git, with nothing of the repository's own configuration that could run a program."""
    environment = {key: value for key, value in os.environ.items() if not _ELSEWHERE.match(key)}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    guarded = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
    command = ["git", "-C", str(root), *guarded, *arguments]
    try:
        return subprocess.run(
            command,
            input=given,
            env=environment,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise FatalError("there is no git on this machine, and revisions are read by it") from None
    except subprocess.TimeoutExpired:
        raise FatalError(f"git gave no answer about {root} for {_SECONDS:.0f} s") from None


def _said(answer: subprocess.CompletedProcess[bytes]) -> str:
    lines = answer.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0] if lines else "it gave no reason"
