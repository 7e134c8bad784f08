"""What a store holds: every release and policy, with the commit that each was made from."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trunkline.release.git import tags
from trunkline.release.store import Store, Unlisted, config_of, newest_first
from trunkline_runtime.table.artifact import POLICY, RELEASE
from trunkline_runtime.table.layout import POLICY_NAME, sequence_of

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Held:
    """One artifact of a store. `commit` is None if no commit describes what it was made from."""

    name: str  # the tenant, or _policy
    tag: str
    digest: str  # of the manifest
    content: str
    commit: str | None

    @property
    def git_tag(self) -> str:
        """The tag that git has for it."""
        return f"{self.name}/{self.tag}"


def names(store: Store, root: Path) -> tuple[str, ...]:
    """The tenants that a store holds releases of, and `_policy`.

    A registry that lists nothing is asked for those that git has tags of, and those that are here.
    Raises FatalError for no store.
    """
    try:
        return tuple(sorted(store.names()))
    except Unlisted:
        released = {name for name, _, tag in map(_parts, tags(root)) if sequence_of(tag)}
        here = {path.parent.name for path in root.glob("flows/*/tenant.yaml")}
        return tuple(sorted({POLICY_NAME} | released | here))


def held(store: Store, name: str) -> Iterator[Held]:
    """What the store holds under one name, the newest first. Raises FatalError if damaged."""
    for artifact in newest_first(store, name, POLICY if name == POLICY_NAME else RELEASE):
        commit = str(config_of(store, name, artifact).get("commit"))
        yield Held(
            name,
            artifact.tag,
            artifact.digest,
            artifact.manifest.content,
            commit if _SHA.fullmatch(commit) else None,
        )


def newest(store: Store, root: Path) -> dict[str, Held]:
    """The newest of each name."""
    firsts = {name: next(held(store, name), None) for name in names(store, root)}
    return {name: first for name, first in firsts.items() if first is not None}


def _parts(tag: str) -> tuple[str, str, str]:
    return tag.rpartition("/")
