"""Which tenants a commit changed, and the release of each that does not hold the change yet."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from trunkline.compile import Compiled, compile_repository
from trunkline.diff.git_tree import GitTree, resolve
from trunkline.failure import FatalError
from trunkline.release import git
from trunkline.release.layers import content_of, tenant_layers
from trunkline.release.store import Store, config_of, newest_first
from trunkline_runtime.table.artifact import RELEASE
from trunkline_runtime.table.layout import sequence_of


def changed_tenants(root: Path, revision: str) -> tuple[str, list[str]]:
    """The commit that a revision names, and the tenants whose calls it changed: sorted.

    The commit is compared with its first parent, by the content digest of each tenant. Raises
    FatalError for a revision that does not exist or does not compile.
    """
    commit = resolve(root, revision)
    after = _contents(compile_repository(GitTree(root, commit)), commit)
    parent = git.first_parent(root, commit)
    before: Mapping[str, str] = {}
    if parent is not None:
        before = _contents(compile_repository(GitTree(root, parent)), parent)
    return commit, sorted(name for name, found in after.items() if before.get(name) != found)


def last_before(
    store: Store, root: Path, tenant: str, commit: str, taken: str | None
) -> tuple[str | None, str]:
    """The newest release of a tenant that was made without a commit, and what is to be said of it.

    No release above the one that its channel takes counts (`taken`; None: all count). One that was
    made of changes that no commit holds may hold that commit's too, and is passed over. None if
    there is no release that is known to be without it. Raises FatalError for a clone that lacks a
    commit that was released: it can't tell.
    """
    short, doubtful = commit[:12], list[str]()
    for found in newest_first(store, tenant, RELEASE):
        if taken is not None and found.sequence > (sequence_of(taken) or 0):
            continue
        made_from = str(config_of(store, tenant, found).get("commit"))
        if not git.SHA.fullmatch(made_from):
            doubtful.append(found.tag)
            continue
        if not git.has_commit(root, made_from):
            raise FatalError(
                f"{tenant} {found.tag} was released from {made_from[:12]}, which this clone does "
                "not hold: `git fetch --unshallow --tags`, or name each tenant's tag yourself"
            )
        if git.is_ancestor(root, commit, made_from):
            continue
        if found.tag == taken:
            return found.tag, f"it takes {taken}, which was made without {short}"
        return found.tag, f"passed over {_unknown(doubtful)}" if doubtful else ""
    takes = f"it takes {taken}, and " if taken else ""
    if doubtful:
        said = f"no earlier release is known to be without {short}; {_unknown(doubtful)}"
        return None, f"{takes}{said}. Name a tag yourself"
    return None, f"{takes}no earlier release was made without {short}"


def _unknown(tags: Sequence[str]) -> str:
    return f"{', '.join(tags)}: made of changes that no commit holds"


def _contents(compiled: Compiled, commit: str) -> Mapping[str, str]:
    if compiled.has_errors:
        raise FatalError(
            f"{commit[:12]} does not compile, so nothing can be told of what it changed: name "
            "each tenant's tag yourself"
        )
    return {name: content_of(tenant_layers(compiled, name)) for name in compiled.tenants}
