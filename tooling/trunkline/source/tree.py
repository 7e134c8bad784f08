"""Where files come from: the working tree, read so that no file in it can do harm."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from trunkline.failure import FatalError
from trunkline.source.decoding import LARGEST_FILE
from trunkline.source.layout import DEEPEST, FOLDERS

YAML_ENDINGS = (".yaml", ".yml")


class UnreadableError(Exception):
    """A file that is there and cannot be read; the message says why, in plain words."""


class Tree(Protocol):
    """Files by path, relative to the repository and with forward slashes."""

    def paths(self) -> list[str]:
        """Every `.yaml` and `.yml` below flows/, catalog/ and policy/, sorted.

        A path of another ending is a link to a folder that is not entered: reading it says why.
        """

    def read(self, path: str) -> bytes:
        """The bytes of a file, at most one more than the largest that is read.

        Raises UnreadableError.
        """


class WorkingTree:
    """The files on disk below `root`. Links are followed only to what is inside it."""

    def __init__(self, root: Path) -> None:
        """Raises FatalError if `root` is no folder that holds `flows/`."""
        self.root = root
        self.inside = root.resolve()
        self._root = os.fspath(root)
        if not root.is_dir():
            raise FatalError(f"{root}: there is no such folder")
        if not (root / "flows").is_dir():
            raise FatalError(
                f"{root}: there is no folder flows/ in it, so there is nothing to read"
            )

    def paths(self) -> list[str]:
        """Every `.yaml` and `.yml`, and every link to a folder that is not entered, sorted.

        Raises FatalError if a folder cannot be listed.
        """
        return sorted(path for folder in FOLDERS for path in self._top(folder))

    def _top(self, folder: str) -> Iterator[str]:
        link = self.root / folder
        if link.is_symlink() and self._why_not_entered(link):
            yield folder
        else:
            yield from self._below(folder, 2)

    def _below(self, folder: str, parts: int) -> Iterator[str]:
        try:
            with os.scandir(self.root / folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except FileNotFoundError:
            return
        except OSError as problem:
            raise FatalError(f"{folder}: {_reason(problem)}") from problem
        for entry in found:
            path = f"{folder}/{entry.name}"
            if entry.name.endswith(YAML_ENDINGS):
                yield path
            elif entry.is_symlink():
                yield from self._behind(path, parts)
            elif parts < DEEPEST and entry.is_dir():
                yield from self._below(path, parts + 1)

    def _behind(self, path: str, parts: int) -> Iterator[str]:
        """What lies behind a link to a folder, or the link itself where it is not entered."""
        link = self.root / path
        mode = _mode(link)
        is_lost = mode is None and "." not in link.name  # not a lost note, nor an editor's lock
        if is_lost or (mode is not None and stat.S_ISDIR(mode)):
            if self._why_not_entered(link):
                yield path
            elif parts < DEEPEST:
                yield from self._below(path, parts + 1)

    def _why_not_entered(self, link: Path) -> str:
        """Why the folder that a link leads to is not entered; empty if it is."""
        try:
            target = link.resolve(strict=False)
            if not target.is_relative_to(self.inside):
                return "this is a link to a folder outside the repository"
            if link.parent.resolve().is_relative_to(target):
                return "this is a link to a folder that it stands in itself"
            link.stat()
        except FileNotFoundError:
            return "this is a link to a folder that is not there"
        except (OSError, RuntimeError) as problem:
            loops = isinstance(problem, RuntimeError) or problem.errno == errno.ELOOP
            return "this is a link that leads to itself" if loops else _reason(problem)
        return ""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises UnreadableError."""
        file = f"{self._root}/{path}"
        try:
            mode = os.lstat(file).st_mode
            if stat.S_ISLNK(mode):
                if not path.endswith(YAML_ENDINGS) and (why := self._why_not_entered(Path(file))):
                    raise UnreadableError(why)
                self._refuse_foreign_link(Path(file))
                mode = Path(file).stat().st_mode
            _refuse_special(mode)
            # A pipe that took the file's place since then must not block.
            descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                found = os.fstat(descriptor)
                _refuse_special(found.st_mode)
                return _read(descriptor, found.st_size)
            finally:
                os.close(descriptor)
        except (OSError, RuntimeError) as problem:
            raise UnreadableError(_reason(problem)) from problem

    def _refuse_foreign_link(self, file: Path) -> None:
        target = file.resolve(strict=False)
        if not target.is_relative_to(self.inside):
            raise UnreadableError("this is a link to a file outside the repository")
        if not target.exists():
            raise UnreadableError("this is a link to a file that is not there")


def read_bytes(tree: Tree, path: str) -> tuple[bytes | None, str]:
    """The bytes of a file, or None and why they cannot be read."""
    try:
        return tree.read(path), ""
    except UnreadableError as problem:
        return None, str(problem)


def _read(descriptor: int, size: int) -> bytes:
    """A file whole, or one byte more than the largest; `size` is what it should have."""
    data = os.read(descriptor, min(size, LARGEST_FILE) + 1)
    if len(data) == size:
        return data
    # It grew or was cut just now, or the system gave less than was asked for.
    with os.fdopen(os.dup(descriptor), "rb") as opened:
        return data + opened.read(LARGEST_FILE + 1 - len(data))


def _mode(link: Path) -> int | None:
    """What a link leads to, or None where nothing can be reached."""
    try:
        return link.stat().st_mode
    except (OSError, RuntimeError):
        return None


def _refuse_special(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableError("this is a folder, not a file")
    if not stat.S_ISREG(mode):
        raise UnreadableError("this is a device or a pipe, not a file")


def _reason(problem: Exception) -> str:
    if isinstance(problem, PermissionError):
        return "there is no permission to read it"
    if isinstance(problem, FileNotFoundError):
        return "it is not there any more"
    if isinstance(problem, RuntimeError):
        return "this is a link that leads to itself"
    words = getattr(problem, "strerror", None) or str(problem)
    return f"it cannot be read: {words}"
