"""A store that is an OCI registry, as a reader sees it."""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import TypeVar

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.unavailable import Unavailable
from trunkline_runtime.table.artifact import MANIFEST_TYPE, Descriptor
from trunkline_runtime.table.layout import POLICY_NAME
from trunkline_runtime.table.registry import reading
from trunkline_runtime.table.registry.failure import Denied, Later, Nonsense, RegistryError
from trunkline_runtime.table.registry.session import Session

_Result = TypeVar("_Result")
_KEPT = 256  # manifests that were asked for by tag and are about to be asked for by digest


class RegistrySource:
    """Reads a registry. Many threads may use one.

    What a tag named last is remembered with the registry's mark (ETag): asking again costs one
    request without a body as long as nothing has changed.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._marks: dict[tuple[str, str], tuple[str, Descriptor]] = {}
        self._manifests: dict[str, bytes] = {}
        self._lock = Lock()

    def holds(self, name: str) -> bool:
        return bool(self.tags(name))

    def tenants(self) -> list[str]:
        try:
            found = reading.names(self._session)
        except (Denied, Nonsense) as error:
            raise FatalError(
                f"{self._session.address} does not list what it holds ({error}); name a tenant"
            ) from None
        except RegistryError as error:
            raise _unavailable(error) from None
        if not found:
            raise FatalError(f"{self._session.address} holds no release of any tenant")
        return [name for name in found if name != POLICY_NAME]

    def tags(self, name: str) -> list[str]:
        repository = self._session.address.repository(name)
        return _asked(lambda: reading.tags(self._session, repository))

    def find(self, name: str, tag: str) -> Descriptor | None:
        known = self._marks.get((name, tag))
        repository = self._session.address.repository(name)
        mark = known[0] if known else None
        found = _asked(lambda: reading.manifest(self._session, repository, tag, mark))
        if isinstance(found, reading.Unchanged):
            assert known is not None
            return known[1]
        with self._lock:
            if found is None:
                self._marks.pop((name, tag), None)
                return None
            if found.etag is not None:
                self._marks[name, tag] = (found.etag, found.named)
            while len(self._manifests) >= _KEPT:
                del self._manifests[next(iter(self._manifests))]
            self._manifests[found.named.digest] = found.data
        return found.named

    def blob(self, name: str, wanted: Descriptor) -> Iterator[bytes]:
        repository = self._session.address.repository(name)
        if wanted.media_type == MANIFEST_TYPE:
            with self._lock:
                data = self._manifests.pop(wanted.digest, None)
            if data is None:
                digest = wanted.digest
                found = _asked(lambda: reading.manifest(self._session, repository, digest))
                if not isinstance(found, reading.Found):
                    raise Refused(f"blob {wanted.digest} of {name} is missing")
                data = found.data
            yield data
            return
        pieces = _asked(lambda: reading.blob(self._session, repository, wanted.digest))
        if pieces is None:
            raise Refused(f"blob {wanted.digest} of {name} is missing")
        try:
            yield from pieces
        except RegistryError as error:
            raise _unavailable(error) from None


def _asked(ask: Callable[[], _Result]) -> _Result:
    try:
        return ask()
    except RegistryError as error:
        raise _unavailable(error) from None


def _unavailable(error: RegistryError) -> Unavailable:
    seconds = error.seconds if isinstance(error, Later) else None
    return Unavailable(f"the registry can't be read: {error}", seconds)
