"""Announcing: each release once, on its tag, with its notes; a tag that moved is never used."""

import json
from pathlib import Path
from typing import Any

import pytest

from trunkline.failure import FatalError
from trunkline.forge.announce import MAX_BODY, Pending, announce, checksums, pending
from trunkline.forge.github import GitHub, github_here
from trunkline.release.folder_store import FolderStore
from trunkline_runtime.table.artifact import POLICY, RELEASE, Descriptor, Manifest
from trunkline_runtime.table.canonical import canonical_bytes, digest
from trunkline_runtime.table.layout import LAYOUT, TAG, blob_file, index_bytes


@pytest.fixture
def here(github: Any) -> GitHub:
    return github_here(github.environment())


def layout(store: Path, name: str, *commits: str | None) -> None:
    """A layout that holds v1, v2, … from these commits, with nothing but a config each."""
    kind = POLICY if name == "_policy" else RELEASE
    folder = store / name
    (folder / "blobs/sha256").mkdir(parents=True)
    (folder / "oci-layout").write_bytes(canonical_bytes(LAYOUT))
    entries = []
    for sequence, commit in enumerate(commits, 1):
        config = canonical_bytes(
            {"schema": kind.config_schema, "sequence": sequence, "commit": commit}
        )
        manifest = Manifest(kind, Descriptor.of(kind.config_type, config, {}), {}).canonical()
        for data in (config, manifest):
            (folder / blob_file(digest(data))).write_bytes(data)
        media = "application/vnd.oci.image.manifest.v1+json"
        entries.append(Descriptor.of(media, manifest, {TAG: f"v{sequence}"}))
    (folder / "index.json").write_bytes(index_bytes(entries))


ONE, TWO, THREE = "1" * 40, "2" * 40, "3" * 40


def told(found: tuple[Pending, ...]) -> list[tuple[str, str | None]]:
    return [(one.release.git_tag, one.before and one.before.git_tag) for one in found]


def test_what_github_does_not_show_yet_is_announced_oldest_first_and_once(
    github: Any, here: GitHub, tmp_path: Path
) -> None:
    layout(tmp_path, "acme", ONE, TWO, THREE)
    layout(tmp_path, "_policy", ONE)
    tags = {"acme/v1": ONE, "acme/v2": TWO, "acme/v3": THREE, "_policy/v1": ONE}
    github.tags = lambda: tags
    github.releases["acme/v1"] = {"body": None}
    found = pending(here, FolderStore(tmp_path), tmp_path)
    assert told(found) == [("_policy/v1", None), ("acme/v2", "acme/v1"), ("acme/v3", "acme/v2")]
    for one in found:
        announce(here, one, lambda one: f"since {one.before.tag if one.before else 'nothing'}\n")
    assert {tag: body.get("body") for tag, body in github.releases.items()} == {
        "acme/v1": None,
        "_policy/v1": "since nothing\n",
        "acme/v2": "since v1\n",
        "acme/v3": "since v2\n",
    }
    assert github.releases["acme/v3"]["make_latest"] == "false"
    assert pending(here, FolderStore(tmp_path), tmp_path) == ()


def test_the_checksums_are_those_of_the_manifests(here: GitHub, tmp_path: Path) -> None:
    layout(tmp_path, "acme", ONE)
    index = json.loads((tmp_path / "acme/index.json").read_bytes())
    manifest = index["manifests"][0]["digest"].removeprefix("sha256:")
    assert checksums(pending(here, FolderStore(tmp_path), tmp_path)) == f"{manifest}  acme/v1\n"


def test_what_no_commit_describes_is_not_announced(
    github: Any, here: GitHub, tmp_path: Path
) -> None:
    layout(tmp_path, "acme", ONE, f"{TWO}-dirty", None, THREE)
    assert told(pending(here, FolderStore(tmp_path), tmp_path)) == [
        ("acme/v1", None),
        ("acme/v4", "acme/v3"),
    ]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ({}, r"there is no tag acme/v1 on GitHub: `git push origin --tags`"),
        ({"acme/v1": TWO}, "a tag is never moved"),
    ],
)
def test_a_release_is_made_on_its_own_tag_or_not_at_all(
    github: Any, here: GitHub, tmp_path: Path, tags: dict[str, str], message: str
) -> None:
    layout(tmp_path, "acme", ONE)
    github.tags = lambda: tags
    (one,) = pending(here, FolderStore(tmp_path), tmp_path)
    with pytest.raises(FatalError, match=message):
        announce(here, one, lambda _: "")
    assert github.writes == []


def test_notes_that_are_too_long_are_cut_at_a_line_and_say_so(
    github: Any, here: GitHub, tmp_path: Path
) -> None:
    layout(tmp_path, "acme", ONE)
    github.tags = lambda: {"acme/v1": ONE}
    (one,) = pending(here, FolderStore(tmp_path), tmp_path)
    announce(here, one, lambda _: "a line of notes\n" * 10_000)
    body = github.releases["acme/v1"]["body"]
    assert len(body) <= MAX_BODY
    kept, _, rest = body.partition("\n\nThe rest is left out: ")
    assert set(kept.splitlines()) == {"a line of notes"}
    assert rest == "`trunkline diff` between the two commits shows it all.\n"
