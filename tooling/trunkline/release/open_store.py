"""A store by the name that a user gives it: the path of a folder, or `oci://HOST/PREFIX`."""

from pathlib import Path

from trunkline.failure import FatalError
from trunkline.release.folder_store import FolderStore
from trunkline.release.store import Store
from trunkline_runtime.table.registry.address import read_place
from trunkline_runtime.table.registry.failure import RegistryError


def open_store(place: str) -> Store:
    """The store of that name. Nothing is asked of it yet. Raises FatalError for a bad name."""
    try:
        found = read_place(place)
    except ValueError as error:
        raise FatalError(str(error)) from None
    if isinstance(found, Path):
        return FolderStore(found)
    # A store that is a folder needs no HTTP, and its users need not wait for it to load.
    from trunkline.release.registry_store import RegistryStore
    from trunkline.release.transport import HttpTransport
    from trunkline_runtime.table.registry.session import Session

    try:
        return RegistryStore(Session(HttpTransport(), found))
    except RegistryError as error:
        raise FatalError(str(error)) from None
