"""One publish at a time to a registry, which knows no locks: a claim that all can see.

Each publish puts a claim of its own name and then looks for others. Of two that begin at once, the
one that looks later sees the other's, so that never both go on; who sees one withdraws, waits a
moment that is chance, and tries again. A claim is renewed while its publish runs. One that is not
renewed, or whose process is gone from this machine, counts no more.
"""

import os
import random
import secrets
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trunkline.failure import FatalError
from trunkline_runtime.table.artifact import EMPTY, EMPTY_BYTES, ArtifactError, read_json
from trunkline_runtime.table.canonical import canonical_bytes, digest
from trunkline_runtime.table.exclusive import Busy
from trunkline_runtime.table.registry import reading, writing
from trunkline_runtime.table.registry.address import CLAIMS_REPOSITORY
from trunkline_runtime.table.registry.failure import Nonsense, RegistryError
from trunkline_runtime.table.registry.session import Session

_PREFIX = "claim-"
_HOLDER, _BEAT, _OVER = (f"dev.trunkline.{mark}" for mark in ("holder", "beat", "over"))
_TRIES = 4


@dataclass(frozen=True)
class Tempo:
    """In seconds: how long a claim counts unrenewed, how often one is renewed, and looked at."""

    lease: float = 60.0
    renew: float = 10.0
    look: float = 1.0


class Claim:
    """This process's claim on the registry's prefix."""

    def __init__(self, session: Session, tempo: Tempo | None = None) -> None:
        self._session = session
        self._tempo = tempo or Tempo()
        self._repository = session.address.repository(CLAIMS_REPOSITORY)
        self._tag = f"{_PREFIX}{secrets.token_hex(8)}"
        self._holder = _holder()
        self._beat = 0
        self._renewed = 0.0
        self._digest = ""
        self._done = threading.Event()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Holds the claim for as long as the block runs.

        Raises Busy if another publish holds it, and RegistryError.
        """
        self._take()
        renewing = threading.Thread(target=self._renew, name="claim", daemon=True)
        renewing.start()
        try:
            yield
        finally:
            self._done.set()
            renewing.join()
            with suppress(RegistryError):
                self._withdraw(self._tag, self._digest)

    def check(self) -> None:
        """Raises FatalError if the claim may have run out: somebody else may publish by now."""
        if time.monotonic() - self._renewed > self._tempo.lease * 0.75:
            raise FatalError(
                f"{self._session.address.host} could not be reached for too long, and another "
                "publish may have begun; publishing again goes on from what is there"
            )

    def _take(self) -> None:
        if not writing.has_blob(self._session, self._repository, EMPTY.digest):
            writing.put_blob(self._session, self._repository, EMPTY_BYTES)
        for turn in range(_TRIES):
            try:
                self._put()
            except Nonsense:
                # A registry can lose its thread where many claims come and go at once.
                if turn == _TRIES - 1:
                    raise
                time.sleep(_pause(turn))
                continue
            others = [tag for tag in self._tags() if tag != self._tag and self._read(tag)]
            if not others:
                return
            self._withdraw(self._tag, self._digest)
            alive = [tag for tag in others if self._is_alive(tag)]
            if alive and turn == _TRIES - 1:
                raise Busy
            time.sleep(_pause(turn))
        raise Busy

    def _tags(self) -> list[str]:
        found = reading.tags(self._session, self._repository)
        return [tag for tag in found if tag.startswith(_PREFIX)]

    def _is_alive(self, tag: str) -> bool:
        """True if another's claim still stands; one whose publish is gone is cleared away.

        Raises Busy as soon as it is plain that it is not only trying, as we are.
        """
        first = self._read(tag)
        if first is None:
            return False
        holder, beat = first[1].get(_HOLDER, ""), first[1].get(_BEAT)
        if _is_here(holder):
            if _lives(holder):
                return True
        else:
            # Another machine's clock says nothing here: wait whether the claim is renewed.
            until = time.monotonic() + self._tempo.lease
            while time.monotonic() < until:
                time.sleep(self._tempo.look)
                now = self._read(tag)
                if now is None:
                    return False
                if now[1].get(_BEAT) != beat:
                    raise Busy
        self._withdraw(tag, first[0])
        return False

    def _read(self, tag: str) -> tuple[str, Mapping[str, str]] | None:
        """The digest and the notes of a claim; None for one that is over."""
        found = reading.manifest(self._session, self._repository, tag)
        if not isinstance(found, reading.Found):
            return None
        try:
            document = read_json(found.data, "the claim")
        except ArtifactError:
            return None
        notes: Any = document.get("annotations") if isinstance(document, dict) else None
        if not isinstance(notes, dict) or _OVER in notes:
            return None
        return found.named.digest, notes

    def _put(self) -> None:
        began = time.monotonic()
        data = _manifest({_HOLDER: self._holder, _BEAT: str(self._beat)}, self._tag)
        writing.put_manifest(self._session, self._repository, self._tag, data)
        self._beat, self._renewed, self._digest = self._beat + 1, began, digest(data)

    def _renew(self) -> None:
        while not self._done.wait(self._tempo.renew):
            with suppress(RegistryError):
                self._put()

    def _withdraw(self, tag: str, named: str) -> None:
        """Deletes a claim; in a registry that deletes nothing, marks it as over."""
        with suppress(RegistryError):
            if writing.delete_manifest(self._session, self._repository, named):
                return
        writing.put_manifest(self._session, self._repository, tag, _manifest({_OVER: "yes"}, tag))


def _pause(turn: int) -> float:
    """Seconds until the next try; chance keeps two that began together apart."""
    return random.uniform(0.05, 0.4) * (turn + 1)


def _manifest(notes: Mapping[str, str], tag: str) -> bytes:
    """A manifest of its own for each claim: two with the same bytes would be deleted together."""
    return canonical_bytes(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "artifactType": "application/vnd.trunkline.claim.v1+json",
            "config": EMPTY.to_json(),
            "layers": [],
            "annotations": {**notes, "dev.trunkline.claim": tag},
        }
    )


def _machine() -> str:
    """This machine, as far as processes see each other: host, boot and process namespace."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{socket.gethostname()}/{boot}/{Path('/proc/self/ns/pid').readlink()}"
    return socket.gethostname()


def _holder() -> str:
    return f"{_machine()}#{os.getpid()}#{_began(os.getpid())}"


def _is_here(holder: str) -> bool:
    return holder.partition("#")[0] == _machine()


def _lives(holder: str) -> bool:
    """True if the process that holds a claim on this machine still runs."""
    _, pid, began = holder.split("#")
    return _began(int(pid)) == began != ""


def _began(pid: int) -> str:
    """When a process began, in ticks since the boot; empty if there is none (proc(5), stat)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]
