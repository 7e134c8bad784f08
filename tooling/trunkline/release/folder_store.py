"""The store as a folder: one OCI image layout per tenant, and one for the policy.

Writing ends with one rename, that of `index.json`. A process killed before it leaves blobs that
nothing names, which the next one finds in place and uses.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.release.store import Entry
from trunkline_runtime.table.artifact import MANIFEST_TYPE, ArtifactError, Descriptor
from trunkline_runtime.table.canonical import digest
from trunkline_runtime.table.durable import make_folder, place, replace_durably
from trunkline_runtime.table.exclusive import exclusive, take_away
from trunkline_runtime.table.folder import begin, blob_path, is_begun, is_layout, sync_blobs
from trunkline_runtime.table.layout import (
    INDEX_FILE,
    LAYOUT_FILE,
    TAG,
    index_bytes,
    read_index,
)


@dataclass(frozen=True)
class FolderStore:
    """A store on a disk."""

    path: Path

    @property
    def place(self) -> str:
        return str(self.path)

    @property
    def threads(self) -> int:
        return 1

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds the store's lock, making the folder where there is none.

        Raises FatalError for a folder that is something else, and Busy if another publish holds
        it; in both cases nothing is changed.
        """
        _refuse_what_is_no_store(self.path)
        made = make_folder(self.path)
        with exclusive(self.path):
            try:
                yield
            except BaseException:
                take_away(self.path, made)
                raise

    def names(self) -> list[str]:
        if not self.path.is_dir():
            raise FatalError(
                f"there is no store {self.path}; name the folder that publish wrote to"
            )
        return sorted(path.parent.name for path in self.path.glob(f"*/{LAYOUT_FILE}"))

    def tags(self, name: str) -> list[str]:
        return [entry.annotations[TAG] for entry in self._index(name) if TAG in entry.annotations]

    def find(self, name: str, tag: str) -> Descriptor | None:
        for entry in self._index(name):
            if entry.annotations.get(TAG) == tag:
                return entry
        return None

    def read(self, name: str, wanted: Descriptor) -> bytes:
        try:
            data = blob_path(self.path / name, wanted.digest).read_bytes()
        except OSError as error:
            reason = error.strerror or "it can't be read"
            raise self.damaged(name, f"blob {wanted.digest}: {reason}") from None
        if digest(data) != wanted.digest:
            raise self.damaged(name, f"blob {wanted.digest} has the digest {digest(data)}")
        return data

    def unsound(self, name: str, wanted: Iterable[Descriptor]) -> list[Descriptor]:
        return [blob for blob in wanted if not _is_sound(blob_path(self.path / name, blob.digest))]

    def write(self, name: str, blobs: Sequence[bytes], entries: Sequence[Entry]) -> None:
        """As the protocol says; all entries appear in one rename. Raises OSError too."""
        folder = self.path / name
        begin(folder)
        manifests = [entry.manifest.canonical() for entry in entries]
        _write_blobs(folder, [*blobs, *manifests])
        if not entries:
            return
        listed = {_key(entry): entry for entry in self._index(name)}
        for entry, data in zip(entries, manifests, strict=True):
            named = Descriptor.of(MANIFEST_TYPE, data, {TAG: entry.tag})
            known = listed.get(entry.tag)
            if known is not None and known.digest != named.digest and not entry.moves:
                raise self.damaged(name, f"{entry.tag} is there already, and a tag never moves")
            listed[entry.tag] = replace(named, artifact_type=entry.manifest.kind.artifact_type)
        replace_durably(folder / INDEX_FILE, index_bytes(list(listed.values())))

    def damaged(self, name: str, reason: str) -> FatalError:
        return FatalError(
            f"the store's folder {self.path / name} is damaged and nothing was published: "
            f"{reason}. Restore that file from a copy of the store, or publish to a new folder."
        )

    def _index(self, name: str) -> tuple[Descriptor, ...]:
        folder = self.path / name
        if not is_layout(folder):
            return ()
        try:
            return read_index((folder / INDEX_FILE).read_bytes())
        except OSError as error:
            raise self.damaged(name, f"{INDEX_FILE}: {error.strerror}") from None
        except ArtifactError as error:
            raise self.damaged(name, str(error)) from None


def _key(entry: Descriptor) -> str:
    """An entry's tag; what others put there without one is kept by its digest."""
    return entry.annotations.get(TAG, entry.digest)


def _is_sound(path: Path) -> bool:
    try:
        return digest(path.read_bytes()) == f"sha256:{path.name}"
    except OSError:
        return False


def _write_blobs(folder: Path, blobs: Sequence[bytes]) -> None:
    """Writes what is missing; a blob that is there but altered is written again."""
    for data in blobs:
        path = blob_path(folder, digest(data))
        if not path.is_file() or path.read_bytes() != data:
            place(path, data)
    sync_blobs(folder)


def _refuse_what_is_no_store(store: Path) -> None:
    """A store holds nothing but layouts; anything else is a folder that was named by mistake."""
    if not store.exists():
        return
    if not store.is_dir():
        raise FatalError(
            f"{store} is a file, not a store; name a folder with --to or TRUNKLINE_STORE"
        )
    for entry in sorted(store.iterdir()):
        # A store that is a branch of its own has `.git`, and may well have a README.
        aside = entry.name.startswith(".") or (entry.suffix == ".md" and entry.is_file())
        if not (aside or is_layout(entry) or is_begun(entry)):
            raise FatalError(
                f"{store} is not a store: {entry.name} in it is no OCI image layout; "
                "name an empty or new folder with --to or TRUNKLINE_STORE"
            )
