"""Releases and git: the commit that is recorded, and tags that are never moved."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trunkline.failure import FatalError
from trunkline.release.git import Commit, commit_of, tags

Git = Callable[..., str]


@pytest.fixture
def git(shop: Any, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A repository at the shop's root with one commit; returns what a git command prints."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com")

    def run(*arguments: str) -> str:
        command = ["git", "-C", str(shop.root), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    run("init", "--quiet")
    flow = shop.root / "flows" / "acme" / "bill.yaml"
    flow.parent.mkdir(parents=True)
    flow.write_text("id: bill\n")
    run("add", ".")
    run("commit", "--quiet", "-m", "first")
    return run


def commit(git: Git, shop: Any, words: str) -> str:
    """Changes the flow on disk and in what is compiled, and commits; returns the commit."""
    (shop.root / "flows/acme/bill.yaml").write_text(f"say: {words}\n")
    shop.say("acme", words)
    git("commit", "--quiet", "-am", words)
    return git("rev-parse", "HEAD")


def test_a_clean_tree_is_tagged_and_its_commit_recorded(shop: Any, git: Git) -> None:
    sha = git("rev-parse", "HEAD")
    publication = shop.publish()
    assert publication.commit == Commit(sha, dirty=False)
    assert {each.git_tag for each in (publication.policy, *publication.releases)} == {"made"}
    assert tags(shop.root) == {"_policy/v1": sha, "acme/v1": sha, "birch/v1": sha}


def test_what_is_unchanged_keeps_its_tag_where_it_is(shop: Any, git: Git) -> None:
    first = git("rev-parse", "HEAD")
    shop.publish()
    second = commit(git, shop, "Bye.")
    publication = shop.publish()
    assert [each.git_tag for each in publication.releases] == ["made", "there"]
    assert tags(shop.root) == {
        "_policy/v1": first,
        "acme/v1": first,
        "acme/v2": second,
        "birch/v1": first,
    }


@pytest.mark.parametrize("how", ["changed", "staged", "removed", "new", "ignored"])
def test_a_dirty_tree_is_recorded_as_such_and_not_tagged(shop: Any, git: Git, how: str) -> None:
    flow = shop.root / "flows/acme/bill.yaml"
    if how in ("changed", "staged"):
        flow.write_text("id: other\n")
    if how == "staged":
        git("add", ".")
    if how == "removed":
        flow.unlink()
    if how == "ignored":
        (shop.root / ".git/info/exclude").write_text("secret.yaml\n")
    if how in ("new", "ignored"):
        flow.with_name("secret.yaml").write_text("id: secret\n")
    publication = shop.publish()
    assert str(publication.commit) == git("rev-parse", "HEAD") + "-dirty"
    assert {each.git_tag for each in publication.releases} == {None}
    assert tags(shop.root) == {}


def test_files_that_are_not_compiled_make_no_tree_dirty(shop: Any, git: Git) -> None:
    (shop.root / "README.md").write_text("Hello.")
    (shop.root / "flows/acme/.bill.yaml.swp").write_text("")
    assert commit_of(shop.root) == Commit(git("rev-parse", "HEAD"), dirty=False)


def test_a_tag_on_another_commit_is_not_moved(shop: Any, git: Git) -> None:
    elsewhere = git("rev-parse", "HEAD")
    git("tag", "acme/v1")
    sha = commit(git, shop, "Bye.")
    publication = shop.publish()
    assert [each.git_tag for each in publication.releases] == ["elsewhere", "made"]
    assert tags(shop.root)["acme/v1"] == elsewhere
    assert tags(shop.root)["birch/v1"] == sha
    # It is said again by the next publish, which has nothing new.
    assert [each.git_tag for each in shop.publish().releases] == ["elsewhere", "there"]


def test_an_annotated_tag_counts_by_its_commit(shop: Any, git: Git) -> None:
    git("tag", "-a", "-m", "first release", "acme/v1")
    assert shop.publish().releases[0].git_tag == "there"


def test_tags_that_a_killed_publish_did_not_make_are_made_by_the_next(shop: Any, git: Git) -> None:
    first = git("rev-parse", "HEAD")
    shop.publish()
    second = commit(git, shop, "Bye.")
    shop.publish()
    for tag in ("acme/v2", "acme/v1", "birch/v1"):
        git("tag", "-d", tag)
    commit(git, shop, "So long.")
    shop.publish()
    made = tags(shop.root)
    assert (made["acme/v1"], made["acme/v2"], made["birch/v1"]) == (first, second, first)


def test_a_name_that_git_refuses_is_reported(shop: Any, git: Git) -> None:
    git("tag", "acme")  # then no tag can be called acme/v1
    publication = shop.publish()
    assert [each.git_tag for each in publication.releases] == ["refused", "made"]


def test_outside_git_there_is_no_commit(shop: Any) -> None:
    publication = shop.publish()
    assert publication.commit is None
    assert {each.git_tag for each in publication.releases} == {None}


def test_before_the_first_commit_there_is_none(shop: Any, git: Git, tmp_path: Path) -> None:
    git("init", "--quiet", str(tmp_path / "fresh"))
    assert commit_of(tmp_path / "fresh") is None


def test_a_machine_without_git_publishes_without_a_commit(
    shop: Any, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shop.publish().commit is None


def test_variables_that_point_elsewhere_are_not_followed(
    shop: Any, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    assert commit_of(shop.root) is not None


def test_nothing_that_the_repository_configures_is_run(shop: Any, git: Git, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    ran = tmp_path / "ran"
    trap.write_text(f"#!/bin/sh\ntouch {ran}\n")
    trap.chmod(0o755)
    hooks = shop.root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "reference-transaction").symlink_to(trap)
    git("config", "core.fsmonitor", str(trap))
    git("config", "diff.external", str(trap))
    (shop.root / "flows/acme/bill.yaml").write_text("id: other\n")
    assert commit_of(shop.root) is not None
    (shop.root / "flows/acme/bill.yaml").write_text("id: bill\n")
    shop.publish()
    assert not ran.exists()
    assert "acme/v1" in tags(shop.root)


def test_a_repository_that_git_refuses_is_a_clear_failure(shop: Any, git: Git) -> None:
    (shop.root / ".git/config").write_text("[broken\n")
    with pytest.raises(FatalError, match=r"git can.t read .*bad config line 1"):
        commit_of(shop.root)
