"""Tenants that cannot have changed are not read; whatever reaches them makes them be read."""

from pathlib import Path

import pytest

from trunkline.diff.narrow import narrowed, tenant_of
from trunkline.source.tree import WorkingTree

from .conftest import Repository, repository


def read(repo: Repository, other: Repository) -> set[str]:
    """The tenants of which files are read."""
    trees = narrowed(WorkingTree(repo.root), WorkingTree(other.root))
    return {tenant for tree in trees for path in tree.paths() if (tenant := tenant_of(path))}


@pytest.mark.parametrize(
    ("path", "old", "new", "tenants"),
    [
        ("flows/acme/invoice.yaml", "Take the payment.", "Take it.", {"acme"}),
        # Numbers and links of a tenant reach all its flows.
        ("flows/bolt/tenant.yaml", "Bolt Parcels", "Bolt", {"bolt"}),
        ("flows/shared/verify.yaml", "Ask for name", "Ask for the name", {"acme", "bolt"}),
        ("catalog/facts.yaml", "A payment went through.", "It went through.", {"acme", "bolt"}),
        ("policy/spend.yaml", "2000000", "3000000", {"acme", "bolt"}),
    ],
)
def test_what_is_read(
    repo: Repository, tmp_path: Path, path: str, old: str, new: str, tenants: set[str]
) -> None:
    other = repository(tmp_path / "other")
    assert read(repo, other) == set()
    other.edit(path, old, new)
    assert read(repo, other) == tenants
    assert read(other, repo) == tenants


def test_a_file_that_only_one_has(repo: Repository, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    (other.root / "flows/bolt/survey.yaml").unlink()
    assert read(repo, other) == {"bolt"}
    (repo.root / "flows/acme/new.yaml").symlink_to("/etc/passwd")
    assert read(repo, other) == {"acme", "bolt"}
