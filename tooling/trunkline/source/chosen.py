"""The files and folders that the user named, as paths of the repository."""

import os
from collections.abc import Sequence
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.source.layout import FOLDERS


def chosen_paths(root: Path, named: Sequence[Path]) -> list[str]:
    """Each path as the repository knows it: relative to `root`, with forward slashes.

    Raises FatalError for one that is not there, not in the repository, or that nothing reads: to
    say that there are no findings in it would be to say that somebody looked.
    """
    chosen = [_chosen(root, path) for path in named]
    for path, given in zip(chosen, named, strict=True):
        if not _is_read(root, path):
            raise FatalError(
                f"{given}: this is not checked; what is checked are the .yaml files in "
                f"{', '.join(f'{folder}/' for folder in FOLDERS)}"
            )
    return chosen


def _is_read(root: Path, path: str) -> bool:
    """True for the files that a check reads, and for folders in which they may lie."""
    if path == "." or path in FOLDERS:
        return True
    inside = path.split("/")[0] in FOLDERS
    return inside and (path.endswith((".yaml", ".yml")) or (root / path).is_dir())


def _chosen(root: Path, path: Path) -> str:
    # Not resolved: a link is named by its own place, not by its target's.
    absolute = Path(os.path.normpath(root.absolute() / path))
    if not os.path.lexists(absolute):
        raise FatalError(f"{path}: there is no such file or folder in {root}")
    for inside in (root.absolute(), root.resolve()):
        if absolute.is_relative_to(os.path.normpath(inside)):
            return absolute.relative_to(os.path.normpath(inside)).as_posix()
    raise FatalError(f"{path}: this is outside the repository {root}")


def stands_in(path: str, chosen: Sequence[str]) -> bool:
    """True if `path` is one of the chosen files or lies below one of the chosen folders."""
    return any(each == "." or path == each or path.startswith(f"{each}/") for each in chosen)
