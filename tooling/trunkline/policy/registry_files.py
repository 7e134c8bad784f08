"""The registry's own files: full lists (`AAA,NNNNNNN`) and change lists, plain or zipped.

Source: the file formats that the FTC describes for the National Do Not Call Registry. A change list
has further fields after the number, one of which says whether it was added (A) or deleted (D).
"""

import hashlib
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from trunkline.failure import FatalError
from trunkline.policy.registry_columns import runs

_CHUNK = 1 << 22
# The registry tells what its tags mean to subscribers only, and a guess could skip numbers.
_NO_XML = "download the registry's flat text file of the same list instead"
_LINE = re.compile(rb"([2-9]\d\d),([2-9]\d{6})((?:,[^,]*)*)")
_ACTIONS: dict[bytes, Literal["add", "delete"]] = {
    b"a": "add",
    b"add": "add",
    b"d": "delete",
    b"delete": "delete",
}


@dataclass(frozen=True)
class Entries:
    """Numbers of one area code, as their seven digits, all to be added or all to be deleted."""

    action: Literal["add", "delete"]
    area: str
    numbers: Sequence[int]


@dataclass(frozen=True)
class BadLine:
    """A line that is no entry; what it says is not kept, because it may hold a number."""

    file: str
    line: int


@dataclass(frozen=True)
class Source:
    """A file that was read: its name, the digest of its bytes as they lie there, its lines."""

    name: str
    sha256: str
    lines: int


class RegistryFile:
    """One file. Iterate it once; then `bad` and `source` say what was found."""

    def __init__(self, path: Path, changes: bool = False) -> None:
        self.path = path
        self.changes = changes
        self.bad: list[BadLine] = []
        self._lines = 0

    @property
    def source(self) -> Source:
        """Raises FatalError if the file cannot be read."""
        return Source(self.path.name, digest_of(self.path), self._lines)

    def __iter__(self) -> Iterator[Entries]:
        """Every entry, in order. Raises FatalError if the file cannot be read."""
        try:
            if zipfile.is_zipfile(self.path):
                with zipfile.ZipFile(self.path) as archive:
                    for member in archive.infolist():
                        if not member.is_dir():
                            with _opened(archive, member) as file:
                                yield from self._entries(file, member.filename)
            else:
                with self.path.open("rb") as file:
                    yield from self._entries(file, self.path.name)
        except (OSError, zipfile.BadZipFile, RuntimeError, EOFError) as problem:
            raise FatalError(f"{self.path}: it cannot be read ({problem})") from None

    def _entries(self, file: IO[bytes], name: str) -> Iterator[Entries]:
        first = 1
        rest = b""
        while chunk := file.read(_CHUNK):
            if first == 1 and not rest and chunk.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
                raise FatalError(f"{self.path}: {name} is XML; {_NO_XML}")
            whole, cut, rest = (rest + chunk).rpartition(b"\n")
            if cut:
                yield from self._piece(whole + cut, name, first)
                first += whole.count(b"\n") + 1
        if rest:
            yield from self._piece(rest, name, first)

    def _piece(self, piece: bytes, name: str, first: int) -> Iterator[Entries]:
        self._lines += piece.count(b"\n") + (not piece.endswith(b"\n"))
        by_column = None if self.changes else runs(piece)
        if by_column is not None:
            for area, numbers in by_column:
                yield Entries("add", area, numbers)
            return
        for offset, raw in enumerate(piece.split(b"\n")):
            line = raw.strip(b"\r \t")
            if not line:
                continue
            found = _LINE.fullmatch(line)
            action = self._action(found[3]) if found else None
            if found is None or action is None:
                self.bad.append(BadLine(name, first + offset))
            else:
                yield Entries(action, found[1].decode(), (int(found[2]),))

    def _action(self, fields: bytes) -> Literal["add", "delete"] | None:
        if not self.changes:
            return None if fields else "add"
        named = {_ACTIONS[field] for raw in fields.split(b",") if (field := _word(raw)) in _ACTIONS}
        return named.pop() if len(named) == 1 else None


def check_digests(paths: Sequence[Path], expected: Sequence[str]) -> None:
    """Raises FatalError unless each file has the digest that was given for it, if any were."""
    if not expected:
        return
    if len(expected) != len(paths):
        raise FatalError(f"{len(paths)} files and {len(expected)} digests: give one for each")
    for path, digest in zip(paths, expected, strict=True):
        found = digest_of(path)
        if found != digest.removeprefix("sha256:").lower():
            raise FatalError(f"{path}: its SHA-256 is {found}, not the one that was given")


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's bytes. Raises FatalError."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise FatalError(f"{path}: {problem.strerror}") from None


@contextmanager
def _opened(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
    with archive.open(member) as file:
        yield file


def _word(field: bytes) -> bytes:
    return field.strip(b' \t\r"').lower()
