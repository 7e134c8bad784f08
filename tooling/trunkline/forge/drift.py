"""Drift: where main, git's tags and the store tell different stories of what is released."""

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trunkline.forge.held import Held, newest
from trunkline.release.git import has_commit, tags
from trunkline.release.layers import Compilation, content_of, policy_layers, tenant_layers
from trunkline.release.store import Store
from trunkline_runtime.table.layout import POLICY_NAME, sequence_of

# ahead: released from a commit that this one does not contain; unreleased: this commit says
# something else than the newest release; gone: released, and no longer here; untagged, moved:
# git has no tag for a release, or has it elsewhere; lost: git has a tag whose release is gone.
DriftKind = Literal["ahead", "gone", "lost", "moved", "unreleased", "untagged"]


@dataclass(frozen=True)
class Drift:
    """One difference. `name` is the tenant or `_policy`."""

    kind: DriftKind
    name: str
    message: str


def ahead(root: Path, store: Store) -> tuple[Drift, ...]:
    """What was released from a commit that the one checked out at `root` does not contain.

    To publish then would bring back what was there before: an old run that is started again, or
    a branch that was never merged.
    """
    return tuple(
        Drift(
            "ahead",
            one.name,
            f"{one.git_tag} was released from {one.commit[:12]}, which the commit checked out "
            "here does not contain: publish from the tip of main",
        )
        for one in newest(store, root).values()
        if one.commit is not None and not _contains(root, one.commit)
    )


def drift(root: Path, store: Store, compiled: Compilation) -> tuple[Drift, ...]:
    """Every difference between the repository at `root`, git's tags there and the store."""
    there = newest(store, root)
    return (
        *ahead(root, store),
        *_content(compiled, there),
        *_tags(tags(root), there),
    )


def _content(compiled: Compilation, there: Mapping[str, Held]) -> Iterator[Drift]:
    here = {tenant: content_of(tenant_layers(compiled, tenant)) for tenant in compiled.tenants}
    documents = policy_layers(compiled)
    if documents:
        here[POLICY_NAME] = content_of(documents)
    for name in sorted(here.keys() | there.keys()):
        if name not in there:
            yield Drift("unreleased", name, f"{name} has never been released")
        elif name not in here:
            yield Drift("gone", name, f"{there[name].git_tag} is released, and {name} is not here")
        elif here[name] != there[name].content:
            said = f"{name} says something else here than in its newest release"
            yield Drift("unreleased", name, f"{said}, {there[name].tag}")


def _tags(known: Mapping[str, str], there: Mapping[str, Held]) -> Iterator[Drift]:
    for name, one in sorted(there.items()):
        commit = known.get(one.git_tag)
        if one.commit is not None and commit is None:
            yield Drift("untagged", name, f"git has no tag {one.git_tag} for the newest release")
        elif one.commit is not None and commit != one.commit:
            said = f"the tag {one.git_tag} stands on {str(commit)[:12]}"
            yield Drift("moved", name, f"{said}, and was released from {one.commit[:12]}")
    for tag in sorted(known):
        name, _, number = tag.rpartition("/")
        sequence = sequence_of(number)
        if name in there and sequence and sequence > (sequence_of(there[name].tag) or 0):
            said = f"git has the tag {tag}, and the newest release of {name} in the store is"
            yield Drift("lost", name, f"{said} {there[name].tag}: the store has lost one")


def _contains(root: Path, commit: str) -> bool:
    """True if `commit` is HEAD or one of its ancestors."""
    if not has_commit(root, commit):
        return False
    asked = ["git", "-C", str(root), "merge-base", "--is-ancestor", commit, "HEAD"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0
