"""A store by the name that a user gives it: the path of a folder, or `oci://HOST/PREFIX`."""

from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.source import FolderSource, Source
from trunkline_runtime.table.registry.address import read_place
from trunkline_runtime.table.registry.failure import RegistryError


def open_source(store: str) -> Source:
    """The store of that name. Nothing is asked of it yet. Raises FatalError for a bad name."""
    try:
        found = read_place(store)
    except ValueError as error:
        raise FatalError(str(error)) from None
    if isinstance(found, Path):
        return FolderSource(found)
    # A store that is a folder needs no HTTP, and its users need not wait for it to load.
    from trunkline_runtime.release.registry_source import RegistrySource
    from trunkline_runtime.release.transport import HttpTransport
    from trunkline_runtime.table.registry.session import Session

    try:
        return RegistrySource(Session(HttpTransport(), found))
    except RegistryError as error:
        raise FatalError(str(error)) from None
