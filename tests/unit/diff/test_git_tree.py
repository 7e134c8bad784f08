"""Revisions are read from git's objects: no checkout, no written file, no program of theirs run."""

import os
from pathlib import Path

import pytest

from trunkline.diff.git_tree import GitTree, resolve
from trunkline.diff.report import compare_revisions
from trunkline.failure import FatalError
from trunkline.source.decoding import LARGEST_FILE
from trunkline.source.tree import UnreadableError, WorkingTree

from .conftest import Repository, repository

INVOICE = "flows/acme/invoice.yaml"


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder, git's own included, with its time of change."""
    return {
        str(file.relative_to(folder)): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_a_commit_holds_what_the_working_tree_held(repo: Repository) -> None:
    tree, disk = GitTree(repo.root, resolve(repo.root, "HEAD")), WorkingTree(repo.root)
    assert tree.paths() == disk.paths()
    assert all(tree.read(path) == disk.read(path) for path in tree.paths())


def test_nothing_is_written_whatever_the_repository_configures(repo: Repository) -> None:
    repo.edit(INVOICE, "Take the payment.", "Take it.")
    ran = repo.top / "ran"
    hook = repo.top / ".git" / "hooks" / "post-index-change"
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n", "utf-8")
    hook.chmod(0o755)
    repo.git("config", "core.fsmonitor", f"touch {ran}; false")
    repo.git("config", "diff.external", f"touch {ran}")
    (repo.root / ".gitattributes").write_text("*.yaml filter=evil\n", "utf-8")
    repo.git("config", "filter.evil.smudge", f"touch {ran}; cat")
    repo.git("config", "filter.evil.clean", f"touch {ran}; cat")
    before = everything(repo.top)
    report = compare_revisions(repo.root, "HEAD", None)
    assert [change.kind for change in report.changes] == ["sentence-replaced"]
    assert everything(repo.top) == before
    assert not ran.exists()


def test_two_commits_and_no_look_at_the_working_tree(repo: Repository) -> None:
    repo.edit(INVOICE, "Take the payment.", "Take it now.")
    head = repo.commit()
    (repo.root / INVOICE).write_text("not: [yaml", "utf-8")
    report = compare_revisions(repo.root, "HEAD~1", "HEAD")
    assert (report.head, len(report.changes), report.left_out) == (head, 1, ())


def test_a_folder_inside_a_repository(tmp_path: Path) -> None:
    repo = repository(tmp_path, "tenants/europe")
    repo.edit(INVOICE, "Take the payment.", "Take it now.")
    (repo.top / "flows").mkdir()
    report = compare_revisions(repo.root, "main", None)
    assert [change.node for change in report.changes] == ["pay"]


@pytest.mark.parametrize("name", ["-h", "--output=x", "main..HEAD", "no-such", "HEAD:flows", ""])
def test_what_is_no_revision(repo: Repository, name: str) -> None:
    with pytest.raises(FatalError, match="git knows no revision"):
        compare_revisions(repo.root, name, None)


def test_a_shallow_clone_says_what_to_fetch(repo: Repository, tmp_path: Path) -> None:
    repo.commit("A second")
    clone = Repository(tmp_path / "clone", tmp_path / "clone")
    repo.git("clone", "--quiet", "--depth", "1", f"file://{repo.top}", str(clone.top))
    with pytest.raises(FatalError, match="fetch-depth: 0"):
        compare_revisions(clone.root, "HEAD~1", None)


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(FatalError, match="is no git repository"):
        compare_revisions(tmp_path, "HEAD", None)


def test_a_commit_without_flows(repo: Repository) -> None:
    repo.git("checkout", "--quiet", "--orphan", "empty")
    repo.git("rm", "-r", "--quiet", "--cached", ".")
    repo.git("commit", "--quiet", "--allow-empty", "--message", "Nothing")
    with pytest.raises(FatalError, match="holds no folder flows/"):
        compare_revisions(repo.root, "empty", None)


def test_links_lead_to_files_of_the_commit_only(repo: Repository) -> None:
    folder = repo.root / "flows" / "acme"
    for name, target in {
        "inside": "invoice.yaml",
        "twice": "inside.yaml",
        "outside": "/etc/passwd",
        "above": "../../../elsewhere.yaml",
        "nowhere": "nothing.yaml",
        "loop": "loop.yaml",
    }.items():
        (folder / f"{name}.yaml").symlink_to(target)
    tree = GitTree(repo.root, repo.commit())
    invoice = tree.read(INVOICE)
    assert tree.read("flows/acme/inside.yaml") == invoice
    assert tree.read("flows/acme/twice.yaml") == invoice
    for name, reason in {
        "outside": "outside the repository",
        "above": "outside the repository",
        "nowhere": "not there",
        "loop": "leads to itself",
    }.items():
        with pytest.raises(UnreadableError, match=reason):
            tree.read(f"flows/acme/{name}.yaml")


def test_a_large_file_is_not_even_fetched(repo: Repository) -> None:
    large = repo.root / "flows" / "acme" / "large.yaml"
    large.write_bytes(b"# " + b"x" * (LARGEST_FILE + 10))
    tree = GitTree(repo.root, repo.commit())
    assert len(tree.read("flows/acme/large.yaml")) == LARGEST_FILE + 1


def test_names_that_are_no_text(repo: Repository) -> None:
    folder = os.fsencode(repo.root / "flows" / "acme")
    with open(folder + b"/caf\xe9.yaml", "wb") as file:  # noqa: PTH123 (a name that no Path shows)
        file.write(b"a: b\n")
    commit = repo.commit()
    report = compare_revisions(repo.root, "HEAD~1", commit)
    assert [one.what for one in report.left_out] != []
