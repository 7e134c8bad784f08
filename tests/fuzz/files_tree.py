"""A repository in memory: a few files put over those of the conformance corpus's base."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from trunkline.compile import Compiled, compile_repository
from trunkline.source.tree import UnreadableError

BASE = Path(__file__).parents[1] / "examples/base"
FLOW = "flows/acme/flow.yaml"


class FilesTree:
    """Files by path, as `compile_repository` reads a tree."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files

    def paths(self) -> list[str]:
        return sorted(path for path in self.files if path.endswith((".yaml", ".yml")))

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise UnreadableError("it is not there")
        return self.files[path]


class _Plain(yaml.CSafeDumper):
    """Writes a value that stands in two places twice: YAML's own way is not allowed in flows."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


@cache
def files_below(root: Path) -> Mapping[str, bytes]:
    """Every file of the folders of a repository."""
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for folder in ("flows", "catalog", "policy")
        for file in sorted((root / folder).rglob("*.yaml"))
    }


def written(document: Any) -> bytes:
    """A document as YAML."""
    text = yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True)
    return bytes(text.encode("utf-8"))


def compiled(flow: Any, root: Path = BASE, path: str = FLOW) -> Compiled:
    """A repository with one flow in the place of its own."""
    return compile_repository(FilesTree({**files_below(root), path: written(flow)}))
