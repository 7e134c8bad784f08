"""What a store holds: every release and policy, with the commit that each was made from."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.release.folder_store import FolderStore
from trunkline.release.store import config_of, newest_first
from trunkline_runtime.table.artifact import POLICY, RELEASE
from trunkline_runtime.table.layout import LAYOUT_FILE, POLICY_NAME

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


def names(store: Path) -> tuple[str, ...]:
    """The tenants that a store holds releases of, and `_policy`. Raises FatalError for no store."""
    if not store.is_dir():
        raise FatalError(f"there is no store {store}; name the folder that publish wrote to")
    return tuple(sorted(path.parent.name for path in store.glob(f"*/{LAYOUT_FILE}")))


def held(store: Path, name: str) -> Iterator[Held]:
    """What the store holds under one name, the newest first. Raises FatalError if damaged."""
    folder = FolderStore(store)
    for artifact in newest_first(folder, name, POLICY if name == POLICY_NAME else RELEASE):
        commit = str(config_of(folder, name, artifact).get("commit"))
        yield Held(
            name,
            artifact.tag,
            artifact.digest,
            artifact.manifest.content,
            commit if _SHA.fullmatch(commit) else None,
        )


def newest(store: Path) -> dict[str, Held]:
    """The newest of each name."""
    firsts = {name: next(held(store, name), None) for name in names(store)}
    return {name: first for name, first in firsts.items() if first is not None}
