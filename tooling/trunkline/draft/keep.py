"""Puts a draft on disk: the whole new file or the old one, whatever happens in between."""

from pathlib import Path

from trunkline.failure import FatalError
from trunkline_runtime.table.durable import make_folder, replace_durably


def keep(root: Path, path: str, text: str) -> None:
    """Writes the file at `path` of the repository whole, or leaves it as it was.

    Raises FatalError if it cannot be written, or if its folder leads out of the repository.
    """
    file = (root / path).resolve()
    if not file.is_relative_to(root.resolve()):
        raise FatalError(f"{path}: this leads out of the repository; nothing was written")
    try:
        make_folder(file.parent)
        replace_durably(file, text.encode("utf-8"))
    except OSError as problem:
        raise FatalError(f"{path}: it cannot be written: {problem.strerror}") from problem
