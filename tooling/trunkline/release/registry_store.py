"""The store as an OCI registry: one repository per tenant, and one for the policy.

Blobs are uploaded before the manifests that name them, and a release's tag comes after its
signature: a publish killed in between leaves what nothing names, which the next one finds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from trunkline.failure import FatalError
from trunkline.release.claim import Claim, Tempo
from trunkline.release.store import Entry, Unlisted
from trunkline_runtime.table.artifact import (
    MANIFEST_TYPE,
    MAX_BLOB_BYTES,
    ArtifactError,
    Descriptor,
    read_json,
)
from trunkline_runtime.table.canonical import digest
from trunkline_runtime.table.registry import reading, writing
from trunkline_runtime.table.registry.failure import Denied, Nonsense, RegistryError
from trunkline_runtime.table.registry.session import Session

_Result = TypeVar("_Result")
_THREADS = 8


class RegistryStore:
    """A store in a registry. Many threads may use one."""

    def __init__(self, session: Session, tempo: Tempo | None = None) -> None:
        self._session = session
        self._tempo = tempo
        self._claim: Claim | None = None
        # Manifests by digest, each asked for by its tag a moment ago; and blobs that are there.
        self._manifests: dict[str, bytes] = {}
        self._there: set[tuple[str, str]] = set()
        # What a repository has, while nobody else may write to it.
        self._tags: dict[str, list[str]] = {}

    @property
    def place(self) -> str:
        return str(self._session.address)

    @property
    def threads(self) -> int:
        return _THREADS

    @contextmanager
    def writing(self) -> Iterator[None]:
        claim = Claim(self._session, self._tempo)
        # Not by `asked`: what is raised inside the block is the block's.
        held = claim.held()
        self._asked(held.__enter__)
        self._claim = claim
        try:
            yield
        finally:
            self._claim = None
            self._tags.clear()
            held.__exit__(None, None, None)

    def names(self) -> list[str]:
        try:
            return reading.names(self._session)
        except (Denied, Nonsense) as error:
            raise Unlisted(f"{self.place} does not list what it holds ({error})") from None
        except RegistryError as error:
            raise self._failed(error) from None

    def tags(self, name: str) -> list[str]:
        if name in self._tags:
            return self._tags[name]
        found = self._asked(lambda: reading.tags(self._session, self._repository(name)))
        if self._claim is not None:
            self._tags[name] = found
        return found

    def find(self, name: str, tag: str) -> Descriptor | None:
        repository = self._repository(name)
        found = self._asked(lambda: reading.manifest(self._session, repository, tag))
        if not isinstance(found, reading.Found):
            return None
        self._manifests[found.named.digest] = found.data
        return found.named

    def read(self, name: str, wanted: Descriptor) -> bytes:
        data = self._manifests.get(wanted.digest)
        if data is None:
            data = self._asked(lambda: self._fetched(name, wanted))
        if data is None:
            raise self.damaged(name, f"it lacks the blob {wanted.digest}")
        if digest(data) != wanted.digest:
            raise self.damaged(name, f"blob {wanted.digest} has the digest {digest(data)}")
        if wanted.media_type == MANIFEST_TYPE:
            # A registry takes no manifest before it has all that the manifest names.
            self._there.update((name, blob) for blob in _named_by(data))
        return data

    def unsound(self, name: str, wanted: Iterable[Descriptor]) -> list[Descriptor]:
        return []

    def write(self, name: str, blobs: Sequence[bytes], entries: Sequence[Entry]) -> None:
        repository = self._repository(name)
        lacking = {digest(data): data for data in blobs if (name, digest(data)) not in self._there}

        # A repository without a tag is new, or what was uploaded to it was named by nothing.
        new = not self.tags(name)

        def upload(data: bytes) -> None:
            self._check_claim()
            if new or not writing.has_blob(self._session, repository, digest(data)):
                writing.put_blob(self._session, repository, data)

        with ThreadPoolExecutor(_THREADS) as pool:
            self._asked(lambda: list(pool.map(upload, lacking.values())))
        self._there.update((name, blob) for blob in lacking)
        self._tags.pop(name, None)
        for entry in entries:
            self._check_claim()
            self._put(name, entry)

    def damaged(self, name: str, reason: str) -> FatalError:
        where = f"{self._session.address.host}/{self._repository(name)}"
        return FatalError(
            f"{where} is damaged and nothing was published: {reason}. Restore the registry from a "
            "copy, or publish below a new prefix."
        )

    def _put(self, name: str, entry: Entry) -> None:
        data, repository = entry.manifest.canonical(), self._repository(name)
        if not entry.moves:
            there = self.find(name, entry.tag)
            if there is not None and there.digest != digest(data):
                raise self.damaged(name, f"{entry.tag} is there already, and a tag never moves")
        self._asked(lambda: writing.put_manifest(self._session, repository, entry.tag, data))

    def _fetched(self, name: str, wanted: Descriptor) -> bytes | None:
        repository = self._repository(name)
        if wanted.media_type == MANIFEST_TYPE:
            found = reading.manifest(self._session, repository, wanted.digest)
            return found.data if isinstance(found, reading.Found) else None
        pieces = reading.blob(self._session, repository, wanted.digest)
        if pieces is None:
            return None
        data = bytearray()
        for piece in pieces:
            data += piece
            if len(data) > min(wanted.size, MAX_BLOB_BYTES):
                break
        return bytes(data)

    def _check_claim(self) -> None:
        assert self._claim is not None, "a store is written to while it is held"
        self._claim.check()

    def _repository(self, name: str) -> str:
        return self._session.address.repository(name)

    def _asked(self, ask: Callable[[], _Result]) -> _Result:
        try:
            return ask()
        except RegistryError as error:
            raise self._failed(error) from None

    def _failed(self, error: RegistryError) -> FatalError:
        return FatalError(
            f"{self.place}: {error}; what is published there is whole, and publishing again goes "
            "on from it"
        )


def _named_by(manifest: bytes) -> Iterator[str]:
    """The digests of what a manifest names."""
    try:
        document = read_json(manifest, "the manifest")
        named = [document["config"], *document["layers"]]
        yield from (str(each["digest"]) for each in named)
    except (ArtifactError, KeyError, TypeError):
        return
