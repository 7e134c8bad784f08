"""An OCI image layout as a folder on disk: begun so that being killed never looks like a loss."""

from pathlib import Path

from trunkline_runtime.table.canonical import canonical_bytes, digest
from trunkline_runtime.table.durable import (
    PARTIAL,
    make_folder,
    replace_durably,
    sweep_partials,
    sync_folder,
)
from trunkline_runtime.table.layout import (
    INDEX_FILE,
    LAYOUT,
    LAYOUT_FILE,
    blob_file,
    index_bytes,
)


def is_layout(folder: Path) -> bool:
    """True for a folder that is a layout; then it has an index, if nothing was lost."""
    return (folder / LAYOUT_FILE).is_file()


def is_begun(folder: Path) -> bool:
    """True for what a process leaves that was killed before the folder became a layout."""
    return folder.is_dir() and all(
        path.name == INDEX_FILE or path.name.endswith(PARTIAL)
        for path in folder.rglob("*")
        if not path.is_dir()
    )


def begin(folder: Path) -> None:
    """Makes `folder` a layout if it is none, and clears what a killed writer left half-written.

    The index comes first and `oci-layout` last: a layout without an index has lost it, and is not
    taken for an empty one. Call it while holding the lock. Raises OSError.
    """
    make_folder(blob_path(folder, digest(b"")).parent)
    sweep_partials(folder)
    sweep_partials(blob_path(folder, digest(b"")).parent)
    if is_layout(folder):
        return
    if not (folder / INDEX_FILE).exists():
        replace_durably(folder / INDEX_FILE, index_bytes([]))
    replace_durably(folder / LAYOUT_FILE, canonical_bytes(LAYOUT))


def unbegin(folder: Path) -> None:
    """Takes back what `begin` made, if nothing was put into it: no blob, and nothing listed.

    Call it while holding the lock. Raises OSError.
    """
    index = folder / INDEX_FILE
    blobs = blob_path(folder, digest(b"")).parent
    if any(blobs.iterdir()) or index.read_bytes() != index_bytes([]):
        return
    (folder / LAYOUT_FILE).unlink(missing_ok=True)
    index.unlink()
    blobs.rmdir()
    blobs.parent.rmdir()


def blob_path(folder: Path, name: str) -> Path:
    """The file of the blob with this digest."""
    return folder / blob_file(name)


def sync_blobs(folder: Path) -> None:
    """Makes the names of the blobs written so far survive a power cut."""
    sync_folder(blob_path(folder, digest(b"")).parent)
