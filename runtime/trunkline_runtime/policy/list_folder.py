"""Do-Not-Call lists as files beside the policy: digest checked, then looked up in memory.

A list is text, one number a line: E.164, or `AAA,NNNNNNN` as the registry of the United States
writes it. A line that is neither makes the whole list unreadable: skipping it could skip a number.
"""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

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
    """One file as it was: its identity, the digest of its bytes, and its numbers or None."""

    identity: tuple[int, int, int]
    digest: str
    numbers: frozenset[int] | None


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
        if loaded.digest != rule.sha256:
            return "mismatch"
        if loaded.numbers is None or not number.startswith("+"):
            return "unreadable"
        return "listed" if int(number[1:]) in loaded.numbers else "clear"

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
        data = path.read_bytes()
        try:
            numbers: frozenset[int] | None = numbers_of(data)
        except UnreadableList:
            numbers = None
        loaded = _Loaded(identity, hashlib.sha256(data).hexdigest(), numbers)
        self._loaded[path] = loaded
        return loaded


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
