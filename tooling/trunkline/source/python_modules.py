"""Finds Python modules by name and reads their source. Nothing is imported and nothing is run."""

import sys
from importlib.machinery import PathFinder
from pathlib import Path

from trunkline.source.decoding import LARGEST_FILE
from trunkline.source.tree import Tree, UnreadableError

# Where a repository keeps its own modules.
_BASES = ("", "src/")


def module_source(tree: Tree, name: str) -> bytes | None:
    """The source of a module of the repository, else of an installed one; None if there is none.

    At most one byte more than the largest file that is read.
    """
    path = name.replace(".", "/")
    for base in _BASES:
        for candidate in (f"{base}{path}.py", f"{base}{path}/__init__.py"):
            try:
                return tree.read(candidate)
            except UnreadableError:
                continue
    return _installed(name)


def _installed(name: str) -> bytes | None:
    """A module on the search path. `importlib.util.find_spec` would import what is above it."""
    locations = list(sys.path)
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:depth]), locations)
        if spec is None:
            return None
        if depth == len(parts):
            return _read(spec.origin)
        locations = list(spec.submodule_search_locations or ())
    return None


def _read(origin: str | None) -> bytes | None:
    if origin is None or not origin.endswith(".py"):
        return None
    try:
        with Path(origin).open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except OSError:
        return None
