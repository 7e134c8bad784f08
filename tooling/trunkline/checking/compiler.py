"""What the compiler itself is: another one may find something else in the same files."""

import os
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import trunkline.checking
from trunkline_runtime import schema

# Printing and publishing change no finding.
_ROOMS = ("", "checking", "checks", "graph", "model", "source", "table")
_SHARED_ROOMS = ("", "catalogue", "expression", "policy", "schema", "table")


def compiler_digest() -> str | None:
    """SHA-256 over our own sources and schemas, Python, and what is installed beside it.

    None where the sources are no files that could be read: then nothing is remembered.
    """
    found = sha256(sys.version.encode())
    try:
        for name in _installed():
            found.update(f"{name}\0".encode())
        for file in _files():
            data = Path(file).read_bytes()
            found.update(f"{file}\0{len(data)}\0".encode())
            found.update(data)
    except OSError:
        return None
    return found.hexdigest()


def _installed() -> list[str]:
    """The distributions on the search path, with their versions: the names of their folders."""
    return sorted(
        name
        for folder in sys.path
        if folder and os.path.isdir(folder)  # noqa: PTH112 - on the way of each check
        for name in os.listdir(folder)  # noqa: PTH208
        if name.endswith((".dist-info", ".egg-info"))
    )


def _files() -> Iterator[str]:
    for inside, rooms in ((trunkline.checking, _ROOMS), (schema, _SHARED_ROOMS)):
        top = str(Path(str(inside.__file__)).parents[1])
        for room in rooms:
            yield from _below(f"{top}/{room}" if room else top, ".py", deep=bool(room))
    yield from _below(str(schema.schema_folder()), ".json", deep=False)


def _below(folder: str, ending: str, deep: bool) -> Iterator[str]:
    for entry in sorted(os.scandir(folder), key=lambda each: each.name):
        if entry.name.endswith(ending):
            yield entry.path
        elif deep and entry.name != "__pycache__" and entry.is_dir():
            yield from _below(entry.path, ending, deep)
