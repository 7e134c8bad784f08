"""The Python modules that tools name: their source is read, so findings rest on it."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from trunkline.source.python_modules import module_source
from trunkline.source.tree import Tree


def digests_of(tree: Tree, modules: Iterable[str]) -> Mapping[str, str | None]:
    """Module → SHA-256 of its source; None where none is found."""
    return {name: _digest(tree, name) for name in modules}


def _digest(tree: Tree, module: str) -> str | None:
    source = module_source(tree, module)
    return None if source is None else sha256(source).hexdigest()
