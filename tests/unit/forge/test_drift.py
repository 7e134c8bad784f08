"""What is released, what is not, and what was released from a commit that is not here."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from trunkline.failure import FatalError
from trunkline.forge.drift import Drift, ahead, drift
from trunkline.forge.held import held, newest
from trunkline.release.folder_store import FolderStore
from trunkline.release.publish import publish
from trunkline.release.store import Unlisted
from trunkline_runtime.catalogue.entry import ToolEntry


@dataclass(frozen=True)
class HandMade:
    """What compiling gives, as far as publishing reads it."""

    tenants: Mapping[str, Mapping[str, Any]]
    tables: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    entries: Mapping[str, ToolEntry] = field(default_factory=dict)
    policy: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    facts: Mapping[str, Any] | None = None
    outcomes: Mapping[str, Any] | None = None


def git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(
        ["git", "-C", str(root), *who, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@dataclass
class Place:
    """A repository with commits, and a store that is published to from it."""

    root: Path
    store: FolderStore
    compiled: HandMade

    def commit(self, words: str) -> str:
        (self.root / "flows").mkdir(exist_ok=True)
        (self.root / "flows/words.yaml").write_text(words, encoding="utf-8")
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--message", words)
        return git(self.root, "rev-parse", "HEAD")

    def publish(self) -> None:
        publish(self.compiled, self.store, self.root, "0.1.0", list(self.compiled.tenants))

    def rename(self, tenant: str, name: str) -> None:
        settings = {**self.compiled.tenants[tenant], "display_name": name}
        self.compiled = replace(self.compiled, tenants={**self.compiled.tenants, tenant: settings})

    def drift(self) -> list[tuple[str, str]]:
        return [(one.kind, one.name) for one in drift(self.root, self.store, self.compiled)]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch", "main")
    tenants = {id: {"id": id, "display_name": id.title()} for id in ("acme", "birch")}
    documents = {"dnc.yaml": {"schema_version": 1, "lists": []}}
    made = Place(root, FolderStore(tmp_path / "store"), HandMade(tenants, policy=documents))
    made.commit("one")
    made.publish()
    return made


def test_what_was_just_published_has_not_drifted(place: Place) -> None:
    assert place.drift() == []
    assert sorted(newest(place.store, place.root)) == ["_policy", "acme", "birch"]
    (first,) = held(place.store, "acme")
    assert (first.git_tag, first.commit) == ("acme/v1", git(place.root, "rev-parse", "HEAD"))


def test_a_merge_that_was_not_published_and_a_tenant_that_is_gone(place: Place) -> None:
    place.rename("acme", "Acme Energy")
    assert place.drift() == [("unreleased", "acme")]
    kept = {"birch": place.compiled.tenants["birch"], "cedar": {"id": "cedar"}}
    place.compiled = replace(place.compiled, tenants=kept)
    assert place.drift() == [("gone", "acme"), ("unreleased", "cedar")]


def test_a_release_from_a_commit_that_is_not_here_is_ahead(place: Place) -> None:
    first = git(place.root, "rev-parse", "HEAD")
    second = place.commit("two")
    place.rename("acme", "Acme Energy")
    place.publish()
    assert ahead(place.root, place.store) == ()
    git(place.root, "checkout", "--quiet", first)  # an old run that is started again
    assert ahead(place.root, place.store) == (
        Drift(
            "ahead",
            "acme",
            f"acme/v2 was released from {second[:12]}, which the commit checked out here does "
            "not contain: publish from the tip of main",
        ),
    )
    git(place.root, "checkout", "--quiet", "main")
    place.commit("three")
    assert ahead(place.root, place.store) == ()


def test_tags_that_are_missing_moved_or_left_behind_by_a_lost_release(place: Place) -> None:
    git(place.root, "tag", "--delete", "acme/v1")
    assert place.drift() == [("untagged", "acme")]
    place.commit("two")
    git(place.root, "tag", "acme/v1")
    git(place.root, "tag", "birch/v2")
    git(place.root, "tag", "unrelated/v9")
    assert place.drift() == [("moved", "acme"), ("lost", "birch")]


def test_what_is_no_store_is_said(place: Place, tmp_path: Path) -> None:
    with pytest.raises(FatalError, match="there is no store"):
        ahead(place.root, FolderStore(tmp_path / "nowhere"))
    (tmp_path / "empty").mkdir()
    assert ahead(place.root, FolderStore(tmp_path / "empty")) == ()


class Silent(FolderStore):
    """A store that is asked by name, as most registries want it, and lists nothing."""

    def names(self) -> list[str]:
        raise Unlisted("it does not list what it holds")


def test_a_registry_that_lists_nothing_is_asked_for_what_git_has_tags_of(place: Place) -> None:
    silent = Silent(place.store.path)
    assert sorted(newest(silent, place.root)) == ["_policy", "acme", "birch"]
    (place.root / "flows/cedar").mkdir()
    (place.root / "flows/cedar/tenant.yaml").touch()
    place.compiled = replace(place.compiled, tenants={"cedar": {"id": "cedar"}})
    found = [(one.kind, one.name) for one in drift(place.root, silent, place.compiled)]
    assert found == [("gone", "acme"), ("gone", "birch"), ("unreleased", "cedar")]
