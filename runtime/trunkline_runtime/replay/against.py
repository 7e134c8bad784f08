"""Which release a record is put to: of a store, of the cache, or of a revision in git.

A revision is compiled by `trunkline`, which is no part of the runtime: its command is run, if it is
installed here, on a copy of the revision outside the repository.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.choose import NO_POLICY, from_cache, from_store
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.replay.recorded import Recorded
from trunkline_runtime.table.layout import POLICY_NAME
from trunkline_runtime.table.registry.address import is_address

_TAG = re.compile(r"v[1-9][0-9]*")
_FOLDERS = ("flows", "catalog", "policy")
_SECONDS = 600.0


@dataclass(frozen=True)
class Against:
    """The release, its policy, and how a reader should call it; `before` is what the call ran on,
    None if it is not to be had there."""

    name: str
    release: Release
    policy: PolicySnapshot
    before: Release | None


@contextmanager
def against(text: str, recorded: Recorded, tag: str | None, cache: Path) -> Iterator[Against]:
    """What `--against` names: a tag of the cache, a store, a repository's folder, or a revision.

    Raises FatalError and Refused, with one sentence.
    """
    tenant = recorded.tenant
    if _TAG.fullmatch(text):
        chosen = from_cache(cache, tenant, text)
        name = f"{tenant}:{text}"
        yield Against(name, chosen.release, chosen.policy(), _in_cache(cache, recorded))
    elif is_address(text) or (Path(text).is_dir() and not (Path(text) / "flows").is_dir()):
        chosen = from_store(text, tenant, tag)
        before = _in_store(text, recorded)
        yield Against(f"{tenant}:{chosen.release.tag}", chosen.release, chosen.policy(), before)
    else:
        if tag is not None:
            raise FatalError(f"--tag names a release of a store, and {text} is none")
        with tempfile.TemporaryDirectory(prefix="trunkline-") as folder:
            copy = Path(folder) / "copy"
            if (Path(text) / "flows").is_dir():
                _copied(Path(text), copy)
            else:
                _exported(text, copy)
            release, policy = _published(copy, Path(folder) / "store", tenant)
            yield Against(text, release, policy, _in_cache(cache, recorded))


def _in_store(store: str, recorded: Recorded) -> Release | None:
    try:
        release = from_store(store, recorded.tenant, recorded.tag).release
    except (FatalError, Refused):
        return None
    return release if release.digest == recorded.manifest else None


def _in_cache(cache: Path, recorded: Recorded) -> Release | None:
    try:
        release = from_cache(cache, recorded.tenant, recorded.tag).release
    except (FatalError, Refused):
        return None
    return release if release.digest == recorded.manifest else None


def _copied(repository: Path, copy: Path) -> None:
    copy.mkdir()
    for part in _FOLDERS:
        if (repository / part).is_dir():
            shutil.copytree(repository / part, copy / part)


def _exported(revision: str, copy: Path) -> None:
    """The folders of a revision of the repository that this process stands in."""
    if revision.startswith("-"):
        raise FatalError(f"{revision!r} is no store and no revision")
    try:
        found = _run(["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"])
    except FileNotFoundError:
        raise FatalError(f"{revision} is no store, and there is no git here") from None
    commit = found.stdout.decode().strip()
    if found.returncode or not commit:
        raise FatalError(
            f"{revision!r} is no store (a folder or oci://HOST/PREFIX), no tag such as v12, and "
            "no revision of the git repository here"
        )
    held = _run(["git", "ls-tree", "--name-only", "--full-tree", commit]).stdout.decode().split()
    parts = [part for part in _FOLDERS if part in held]
    if "flows" not in parts:
        raise FatalError(f"the revision {revision} holds no flows/")
    top = _run(["git", "rev-parse", "--show-toplevel"]).stdout.decode().strip()
    archive = _run(["git", "-C", top, "archive", "--format=tar", commit, *parts])
    if archive.returncode:
        raise FatalError(f"git can't read {revision}: {_last_line(archive.stderr)}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(copy, filter="data")


def _published(copy: Path, store: Path, tenant: str) -> tuple[Release, PolicySnapshot]:
    compiler = _compiler()
    command = [*compiler, "-C", str(copy), "publish", "--to", str(store), "--tenant", tenant]
    # Alone in its folder: nothing is tagged, and nothing is signed, since nobody will pull it.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("TRUNKLINE_")
    } | {"GIT_CEILING_DIRECTORIES": str(copy.parent)}
    made = _run(command, environment)
    if made.returncode:
        raise FatalError(
            f"it does not compile: `trunkline check` says what is wrong "
            f"({_last_line(made.stderr) or _last_line(made.stdout)})"
        )
    source = FolderSource(store)
    named = source.find(tenant, "v1")
    if named is None:
        raise FatalError(f"it holds no tenant {tenant!r}")
    policy = source.find(POLICY_NAME, "v1")
    release = load_release(source, tenant, "v1", named)
    return release, NO_POLICY if policy is None else load_policy(source, "v1", policy)


def _compiler() -> list[str]:
    beside = Path(sys.executable).with_name("trunkline")
    found = str(beside) if beside.is_file() else shutil.which("trunkline")
    if found is None:
        raise FatalError(
            "a revision is compiled by `trunkline`, which is not installed here: install "
            "trunkline[tooling], or publish the revision where it is (`trunkline publish --to "
            "FOLDER`) and name that FOLDER"
        )
    return [found]


def _run(
    command: list[str], environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            command, capture_output=True, check=False, timeout=_SECONDS, env=environment
        )
    except subprocess.TimeoutExpired:
        raise FatalError(f"{Path(command[0]).name} did not end in {_SECONDS:g} s") from None


def _last_line(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
