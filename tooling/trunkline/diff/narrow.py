"""Leaves out tenants that cannot have changed, so that a small change is compared quickly."""

from trunkline.source.tree import Tree, UnreadableError

_SHARED = "shared"


class _Part:
    """A tree without the files of some tenants."""

    def __init__(self, tree: Tree, tenants: frozenset[str]) -> None:
        self._tree = tree
        self._tenants = tenants

    def paths(self) -> list[str]:
        """The paths of the tree, but for those of the tenants left out."""
        return [path for path in self._tree.paths() if tenant_of(path) not in self._tenants]

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises UnreadableError."""
        return self._tree.read(path)


def narrowed(before: Tree, after: Tree) -> tuple[Tree, Tree]:
    """Both trees without the tenants of which every file is the same, byte for byte.

    Only where catalogue, policy and shared flows are the same too: those reach every tenant.
    """
    paths = {*before.paths(), *after.paths()}
    touched = {tenant_of(path) for path in differing(before, after)}
    if None in touched:
        return before, after
    known = {tenant for path in paths if (tenant := tenant_of(path)) is not None}
    same = frozenset(known - touched)
    return _Part(before, same), _Part(after, same)


def differing(before: Tree, after: Tree) -> tuple[str, ...]:
    """The paths of the files that are not the same in both trees, byte for byte."""
    paths = sorted({*before.paths(), *after.paths()})
    return tuple(path for path in paths if not _is_same(path, before, after))


def tenant_of(path: str) -> str | None:
    """The tenant that a file belongs to; None for what several tenants share."""
    parts = path.split("/")
    if parts[0] != "flows" or len(parts) < 3 or parts[1] == _SHARED:
        return None
    return parts[1]


def _is_same(path: str, before: Tree, after: Tree) -> bool:
    try:
        return before.read(path) == after.read(path)
    except (UnreadableError, KeyError):
        return False
