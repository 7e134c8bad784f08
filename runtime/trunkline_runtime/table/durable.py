"""Files that are either the old ones or the new ones, whatever stops the machine in between."""

import contextlib
import os
from pathlib import Path

# Written beside its target until it is complete; one that a killed process left is never read.
PARTIAL = ".partial"


def partial_path(path: Path) -> Path:
    """Where this process prepares the file that will be `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}{PARTIAL}")


def place(path: Path, data: bytes) -> None:
    """Puts `data` at `path`: prepared beside it, synced, renamed. Raises OSError; then `path` is
    as it was. The name itself is durable only after `sync_folder`.
    """
    prepared = partial_path(path)
    try:
        with prepared.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        prepared.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            prepared.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Makes the names in `folder` survive a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_durably(path: Path, data: bytes) -> None:
    """Puts `data` at `path` in one step that survives a power cut. Raises OSError."""
    place(path, data)
    sync_folder(path.parent)


def make_folder(folder: Path) -> list[Path]:
    """Makes a folder and those above it, each name durable. Returns those that were not there, the
    outermost first. Raises OSError.
    """
    if folder.is_dir():
        return []
    made = make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)
    return [*made, folder]


def sweep_partials(folder: Path) -> None:
    """Removes what killed processes left half-written. Call it only while holding the lock."""
    for left in folder.glob(f".*{PARTIAL}"):
        left.unlink(missing_ok=True)
