"""One line of the record: how it is linked to the line before, and whether it holds by itself."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from trunkline_runtime.table.canonical import Json, canonical_bytes

_HASHED = "hash"
_WRITTEN = re.compile(rb'"hash":"(sha256:[0-9a-f]{64})",')
# The kind of a line that begins a new file because what is before it cannot be trusted.
DAMAGE = "damage"


@dataclass(frozen=True)
class ChainLink:
    """One line's place: counted from 1, and the hash that the next line names."""

    sequence: int
    hash: str


GENESIS = ChainLink(0, "sha256:" + "0" * 64)


@dataclass(frozen=True)
class Line:
    """A line that holds by itself: its place, the hash that it says is before it, its kind."""

    link: ChainLink
    before: str
    kind: str

    def follows(self, last: ChainLink) -> bool:
        """Whether it stands where it was written."""
        return self.link.sequence == last.sequence + 1 and self.before == last.hash


def spelled(record: Mapping[str, Json]) -> dict[str, bytes]:
    """The canonical spelling of each member, so that nobody waits while it is made."""
    return {name: _member(name, value) for name, value in record.items()}


def linked_line(members: Mapping[str, bytes], before: ChainLink) -> tuple[bytes, ChainLink]:
    """A line of these `spelled` members with its newline, and its place after `before`."""
    place = before.sequence + 1
    body = {**members, **spelled({"seq": place, "prev": before.hash})}
    hash = "sha256:" + hashlib.sha256(_object(body)).hexdigest()
    return _object({**body, **spelled({_HASHED: hash})}) + b"\n", ChainLink(place, hash)


def line_of(raw: bytes) -> Line:
    """A line, once its own hash has been checked. Raises ValueError."""
    try:
        body = json.loads(raw)
    except RecursionError:
        raise ValueError("it is no line of this record") from None
    if not isinstance(body, dict) or not isinstance(body.get("seq"), int):
        raise ValueError("it is no line of this record")
    claimed = body.pop(_HASHED, None)
    if claimed != _hash_as_written(raw) and claimed != _hash_of(body):
        raise ValueError("its content does not match its hash")
    return Line(ChainLink(body["seq"], claimed), str(body.get("prev")), str(body.get("kind")))


def _hash_as_written(raw: bytes) -> str | None:
    """The hash of the line's own bytes but for the hash. It is what `linked_line` made, and spares
    spelling everything anew, which takes six times as long.
    """
    found = _WRITTEN.findall(raw)
    if len(found) != 1:
        return None
    return "sha256:" + hashlib.sha256(_WRITTEN.sub(b"", raw)).hexdigest()


def _hash_of(body: Mapping[str, Json]) -> str:
    return "sha256:" + hashlib.sha256(canonical_bytes(body)).hexdigest()


def _member(name: str, value: Json) -> bytes:
    return _spelled_name(name) + b":" + canonical_bytes(value)


@lru_cache(maxsize=256)
def _spelled_name(name: str) -> bytes:
    return canonical_bytes(name)


def _object(members: Mapping[str, bytes]) -> bytes:
    # Names are ASCII here, so this is the order that RFC 8785 asks for.
    return b"{" + b",".join(members[name] for name in sorted(members)) + b"}"
