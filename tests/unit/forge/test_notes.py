"""The notes of a release: its own part of what changed between two commits, or why none."""

import shutil
import subprocess
from pathlib import Path

import pytest

from trunkline.forge.announce import Pending
from trunkline.forge.held import Held
from trunkline.forge.render.notes import notes

ROOT = Path(__file__).parents[3]


def git(root: Path, *arguments: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(
        ["git", "-C", str(root), *who, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture(scope="module")
def commits(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A repository, and two commits between which two tenants and the policy change."""
    root = tmp_path_factory.mktemp("calls")
    for name in ("flows", "catalog", "policy"):
        shutil.copytree(ROOT / name, root / name)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "one")
    flow = root / "flows/northwind-energy/overdue-invoice.yaml"
    edit(flow, "Ask whether now is a good time.", "Ask if they can talk.")
    edit(root / "flows/atlas-research/tenant.yaml", "display_name: ", "display_name: The ")
    edit(root / "policy/dnc.yaml", "max_age: 31d", "max_age: 30d")
    git(root, "commit", "--quiet", "--all", "--message", "two")
    return root, git(root, "rev-parse", "HEAD^"), git(root, "rev-parse", "HEAD")


def of(name: str, before: str | None, after: str) -> Pending:
    def held(tag: str, commit: str | None) -> Held:
        return Held(name, tag, f"sha256:{tag}", "", commit)

    return Pending(held("v2", after), held("v1", before))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("northwind-energy", "can talk"),
        ("atlas-research", "The"),
        ("_policy", "us-national-registry"),
    ],
)
def test_each_release_tells_its_own_part(
    commits: tuple[Path, str, str], name: str, told: str
) -> None:
    root, before, after = commits
    text = notes(root, of(name, before, after))
    assert text.startswith("`sha256:v2`\n\n")
    assert told in text
    others = {"northwind-energy", "atlas-research", "dnc.yaml"} - {name}
    others -= {"dnc.yaml"} if name == "_policy" else set()
    assert [other for other in others if other in text] == []


def test_a_tenant_that_nothing_changes_for_is_told_so(commits: tuple[Path, str, str]) -> None:
    root, before, after = commits
    assert "No change in calls" in notes(root, of("harbor-medical", before, after))


def test_what_cannot_be_compared_is_said(commits: tuple[Path, str, str]) -> None:
    root, before, after = commits
    first = Pending(of("atlas-research", before, after).release, None)
    assert notes(root, first) == "`sha256:v2`\n\nThe first release of `atlas-research`.\n"
    unknown = "`sha256:v2`\n\nWhat changed since v1 is not known here.\n"
    assert notes(root, of("atlas-research", None, after)) == unknown
    assert notes(root, of("atlas-research", "f" * 40, after)) == unknown
