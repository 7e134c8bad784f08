"""The store's branch: one commit for what publish wrote, and no one's work is overwritten."""

import subprocess
from pathlib import Path

import pytest

from trunkline.failure import FatalError
from trunkline.forge.keep import keep


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A checkout of the branch `store` of a bare repository, as the workflow makes one."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "remote.git")], check=True)
    subprocess.run(
        ["git", "clone", "--quiet", str(tmp_path / "remote.git"), str(tmp_path / "store")],
        check=True,
        capture_output=True,
    )
    git(tmp_path / "store", "checkout", "--quiet", "-b", "store")
    return tmp_path / "store"


def written(store: Path) -> list[str]:
    return git(store, "ls-tree", "-r", "--name-only", "origin/store").splitlines()


def test_what_is_new_is_committed_and_pushed_once(store: Path) -> None:
    (store / "acme").mkdir()
    (store / "acme/index.json").write_text("{}")
    (store / ".lock").touch()
    assert keep(store, "Released from abc") == "pushed"
    assert written(store) == ["acme/index.json"]
    assert git(store, "log", "-1", "--format=%s, %an", "origin/store") == (
        "Released from abc, trunkline"
    )
    assert keep(store, "Released from abc") == "same"
    assert git(store, "rev-list", "--count", "origin/store") == "1"


def test_a_commit_that_a_killed_run_did_not_push_is_pushed_by_the_next(store: Path) -> None:
    (store / "one").touch()
    keep(store, "one")
    (store / "two").touch()
    remote = git(store, "remote", "get-url", "origin")
    git(store, "remote", "set-url", "origin", f"{remote}-out-of-reach")
    with pytest.raises(FatalError, match=r"git push failed in .* so nothing is kept"):
        keep(store, "two")
    git(store, "remote", "set-url", "origin", remote)
    assert keep(store, "two") == "pushed"
    assert git(store, "log", "--format=%s", "origin/store") == "two\none"


def test_a_faster_publish_is_not_overwritten(store: Path, tmp_path: Path) -> None:
    (store / "one").touch()
    keep(store, "one")
    other = tmp_path / "other"
    subprocess.run(
        ["git", "clone", "--quiet", "--branch", "store", str(tmp_path / "remote.git"), str(other)],
        check=True,
    )
    (other / "two").touch()
    keep(other, "faster")
    (store / "three").touch()
    with pytest.raises(FatalError, match="rejected"):
        keep(store, "slower")
    assert git(other, "log", "--format=%s", "origin/store") == "faster\none"


def test_a_folder_that_is_no_checkout_of_a_branch_is_refused(store: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(FatalError, match="is no checkout of its own"):
        keep(tmp_path / "plain", "x")
    (store / "one").touch()
    keep(store, "one")
    (store / "folder").mkdir()
    with pytest.raises(FatalError, match="is no checkout of its own"):
        keep(store / "folder", "x")
    git(store, "checkout", "--quiet", "--detach")
    with pytest.raises(FatalError, match="is on no branch"):
        keep(store, "x")
