"""Do-Not-Call lists as files beside the policy: the digest is checked, then a number looked up.

A list is a generation that `trunkline policy dnc build` made, or text with one number a line:
E.164, or `AAA,NNNNNNN` as the registry of the United States writes it. A line of text that is
neither makes the whole list unreadable: skipping it could skip a number.
"""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from trunkline_runtime.policy.list_generation import (
    Generation,
    UnusableGeneration,
    is_generation,
)
from trunkline_runtime.policy.question import ListAnswer
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.state import state_folder

FOLDER_VARIABLE = "TRUNKLINE_DNC_DIR"

_E164 = re.compile(rb"\+[1-9][0-9]{6,14}")
_REGISTRY = re.compile(rb"([2-9][0-9]{2}),([0-9]{7})")


class UnreadableList(ValueError):
    """A line that is no number; says which, and never shows it."""


@dataclass(frozen=True)
class _Loaded:
    """One file as it was: its identity, its digest, and its numbers (None: they cannot be read)."""

    identity: tuple[int, int, int]
    digest: str
    numbers: frozenset[int] | Generation | None

    def answer(self, number: str) -> ListAnswer:
        if self.numbers is None or not number.startswith("+"):
            return "unreadable"
        if isinstance(self.numbers, frozenset):
            return "listed" if int(number[1:]) in self.numbers else "clear"
        if not number.startswith("+1") or len(number) != 12:
            return "clear"  # a generation is about North America
        national = int(number[2:])
        if not self.numbers.knows(national):
            return "missing"
        try:
            return "listed" if self.numbers.holds(national) else "clear"
        except UnusableGeneration:
            return "mismatch"


class ListFolder:
    """Answers for the lists below one folder. A file that changes is read anew at the next look-up.

    Safe to use from several threads: the worst that can happen is that a file is read twice.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loaded: dict[Path, _Loaded] = {}

    @classmethod
    def of_environment(cls) -> "ListFolder":
        """The folder that `TRUNKLINE_DNC_DIR` names, else `dnc` in the state folder."""
        named = os.environ.get(FOLDER_VARIABLE)
        return cls(Path(named) if named else state_folder() / "dnc")

    def __call__(self, rule: DoNotCallList, number: str) -> ListAnswer:
        """What the list says of an E.164 number. Never raises."""
        path = self._path(rule)
        try:
            loaded = self._load(path)
        except FileNotFoundError:
            return "missing"
        except OSError:
            return "unreadable"
        except UnusableGeneration:
            return "unreadable"
        return loaded.answer(number) if loaded.digest == rule.sha256 else "mismatch"

    def _path(self, rule: DoNotCallList) -> Path:
        parts = urlsplit(rule.uri)
        if parts.scheme == "file":
            return Path(unquote(parts.path))
        # What is kept elsewhere has its copy here, under the list's own name.
        return self._folder / (rule.uri if not parts.scheme else rule.id)

    def _load(self, path: Path) -> _Loaded:
        status = path.stat()
        identity = (status.st_ino, status.st_size, status.st_mtime_ns)
        known = self._loaded.get(path)
        if known is not None and known.identity == identity:
            return known
        loaded = _generation(path, identity) if is_generation(path) else _text(path, identity)
        self._loaded[path] = loaded
        return loaded


def _generation(path: Path, identity: tuple[int, int, int]) -> _Loaded:
    generation = Generation.open(path)
    return _Loaded(identity, generation.digest, generation)


def _text(path: Path, identity: tuple[int, int, int]) -> _Loaded:
    data = path.read_bytes()
    try:
        numbers: frozenset[int] | None = numbers_of(data)
    except UnreadableList:
        numbers = None
    return _Loaded(identity, hashlib.sha256(data).hexdigest(), numbers)


def numbers_of(data: bytes) -> frozenset[int]:
    """The numbers of a list, as the digits of E.164. Raises UnreadableList."""
    found: set[int] = set()
    for place, raw in enumerate(data.splitlines(), start=1):
        line = raw.strip()
        if not line:
            continue
        registry = _REGISTRY.fullmatch(line)
        if registry is not None:
            found.add(int(b"1" + registry[1] + registry[2]))
        elif _E164.fullmatch(line):
            found.add(int(line[1:]))
        else:
            raise UnreadableList(f"line {place} is no number")
    return frozenset(found)
