"""The registry's own files: full lists and change lists, flat or XML, plain or zipped.

Source: the file formats that the FTC describes for the National Do Not Call Registry. A flat full
list has one `AAA,NNNNNNN` a line; a change list has further fields after the number, one of which
says whether it was added (A) or deleted (D).
"""

import hashlib
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from trunkline.failure import FatalError
from trunkline.policy.registry_columns import runs
from trunkline.policy.registry_entries import Action, BadLine, Entries, action_of
from trunkline.policy.registry_xml import RegistryXml, UnreadableXml, looks_like_xml

_CHUNK = 1 << 22
_LINE = re.compile(rb"([2-9]\d\d),([2-9]\d{6})((?:,[^,]*)*)")


@dataclass(frozen=True)
class Source:
    """A file that was read: its name, the digest of its bytes as they lie there, its lines (of
    XML: its entries).
    """

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
            for name, file in self._members():
                yield from self._entries(file, name)
        except OSError as problem:
            raise FatalError(f"{self.path}: {problem.strerror or problem}") from None
        except UnreadableXml as problem:
            raise FatalError(f"{self.path}: {problem}") from None
        except NotImplementedError:
            why = "is packed in a way that is not known here; unpack it and name what was in it"
            raise FatalError(f"{self.path}: it {why}") from None
        except RuntimeError:
            raise FatalError(
                f"{self.path}: it is locked with a password; unpack it and name what was in it"
            ) from None
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError):
            raise FatalError(f"{self.path}: the zip file is damaged; download it again") from None

    def _members(self) -> Iterator[tuple[str, IO[bytes]]]:
        if not zipfile.is_zipfile(self.path):
            with self.path.open("rb") as plain:
                yield self.path.name, plain
            return
        with zipfile.ZipFile(self.path) as archive:
            for member in archive.infolist():
                if not member.is_dir():
                    with archive.open(member) as file:
                        yield member.filename, file

    def _entries(self, file: IO[bytes], name: str) -> Iterator[Entries]:
        beginning = file.read(_CHUNK)
        if looks_like_xml(beginning):
            yield from self._xml(beginning, file, name)
            return
        first = 1
        rest = b""
        chunk = beginning
        while chunk:
            whole, cut, rest = (rest + chunk).rpartition(b"\n")
            if cut:
                yield from self._piece(whole + cut, name, first)
                first += whole.count(b"\n") + 1
            elif len(rest) > _CHUNK:
                raise FatalError(f"{self.path}: {name} line {first} does not end: this is no list")
            chunk = file.read(_CHUNK)
        if rest:
            yield from self._piece(rest, name, first)

    def _xml(self, beginning: bytes, rest: IO[bytes], name: str) -> Iterator[Entries]:
        xml = RegistryXml(name, self.changes)
        yield from xml.entries(chain((beginning,), iter(lambda: rest.read(_CHUNK), b"")))
        self.bad += xml.bad
        self._lines += xml.count

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

    def _action(self, fields: bytes) -> Action | None:
        if fields and not self.changes:
            return None
        return action_of(fields.decode("latin-1").split(","), self.changes)


def check_digests(paths: Sequence[Path], expected: Sequence[str]) -> None:
    """Raises FatalError unless each file has the digest that was given for it, if any were."""
    if not expected:
        return
    if len(expected) != len(paths):
        raise FatalError(
            f"--sha256 is given {len(expected)} times for {len(paths)} file(s) (change lists "
            "included): give one for each, in their order"
        )
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
        raise FatalError(f"{path}: {problem.strerror or problem}") from None
