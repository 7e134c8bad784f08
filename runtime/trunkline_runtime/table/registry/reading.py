"""Reading from a registry: what a tag names, the bytes of a blob, which tags there are."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from trunkline_runtime.table.artifact import MANIFEST_TYPE, MAX_MANIFEST_BYTES, Descriptor
from trunkline_runtime.table.registry.failure import Nonsense
from trunkline_runtime.table.registry.session import PULL, Session, scope_of
from trunkline_runtime.table.registry.transport import Answer

_NEXT = re.compile(r"<([^>]+)>\s*;[^,]*rel=\"?next\"?")
_LARGEST_LIST = 64 * 1024 * 1024  # bytes of one page of tags
_MOST_PAGES = 10_000


@dataclass(frozen=True)
class Found:
    """A manifest that a tag names: its descriptor and bytes, and the registry's mark for it."""

    named: Descriptor
    data: bytes
    etag: str | None


@dataclass(frozen=True)
class Unchanged:
    """The tag names what it named when it had this mark."""


def manifest(
    session: Session, repository: str, reference: str, etag: str | None = None
) -> Found | Unchanged | None:
    """What a tag or digest names; None if there is nothing, Unchanged if it still has `etag`.

    Nothing of it is proven. Raises RegistryError.
    """
    headers = {"accept": MANIFEST_TYPE}
    if etag is not None:
        headers["if-none-match"] = etag
    path = f"/v2/{repository}/manifests/{reference}"
    with session.ask("GET", path, scope_of(repository, PULL), headers) as answer:
        if answer.status == 304 and etag is not None:
            return Unchanged()
        if answer.status == 404:
            return None
        _expect(session, answer, 200, f"for {repository}:{reference}")
        data = _body(session, answer, MAX_MANIFEST_BYTES)
        named = Descriptor.of(MANIFEST_TYPE, data, {})
        return Found(named, data, answer.headers.get("etag"))


def blob(session: Session, repository: str, digest: str) -> Iterator[bytes] | None:
    """The bytes of a blob as they arrive; None if there is no such blob. Raises RegistryError."""
    path = f"/v2/{repository}/blobs/{digest}"
    with ExitStack() as stack:
        answer = stack.enter_context(session.ask("GET", path, scope_of(repository, PULL)))
        if answer.status == 404:
            return None
        _expect(session, answer, 200, f"for the blob {digest}")
        return _held_open(answer, stack.pop_all())


def _held_open(answer: Answer, stack: ExitStack) -> Iterator[bytes]:
    """The body, and the end of the exchange when it has been read or is given up."""
    with stack:
        yield from answer.pieces


def tags(session: Session, repository: str) -> list[str]:
    """Every tag of a repository; none if there is no such repository. Raises RegistryError."""
    found: list[str] = []
    scope = scope_of(repository, PULL)
    for page in _pages(session, f"/v2/{repository}/tags/list", scope):
        listed = page.get("tags")
        if listed is not None and not isinstance(listed, list):
            raise Nonsense(f"{session.address.host} lists the tags of {repository} as no list")
        found += [str(tag) for tag in listed or ()]
    return found


def names(session: Session) -> list[str]:
    """The tenants (and `_policy`) that have a repository. Raises RegistryError.

    Many registries don't list their repositories; the answer then is Nonsense or Denied.
    """
    found = []
    for page in _pages(session, "/v2/_catalog?n=1000", "registry:catalog:*"):
        for repository in page.get("repositories") or ():
            name = session.address.name(str(repository))
            if name is not None:
                found.append(name)
    return sorted(found)


def _pages(session: Session, path: str, scope: str) -> Iterator[dict[str, Any]]:
    """Each page of a list. Source: distribution-spec, "Listing Tags" (the Link header)."""
    for _ in range(_MOST_PAGES):
        with session.ask("GET", path, scope) as answer:
            if answer.status == 404:
                return
            _expect(session, answer, 200, "for a list")
            data = _body(session, answer, _LARGEST_LIST)
            following = _NEXT.search(answer.headers.get("link", ""))
        try:
            page = json.loads(data)
        except (ValueError, RecursionError):
            page = None
        if not isinstance(page, dict):
            raise Nonsense(f"{session.address.host} gives a list that is no JSON")
        yield page
        if following is None:
            return
        path = urljoin(f"{session.address.base}{path}", following[1])


def _body(session: Session, answer: Answer, most: int) -> bytes:
    data = bytearray()
    for piece in answer.pieces:
        data += piece
        if len(data) > most:
            raise Nonsense(f"{session.address.host} gives more than {most} bytes")
    return bytes(data)


def _expect(session: Session, answer: Answer, status: int, what: str) -> None:
    if answer.status != status:
        raise Nonsense(f"{session.address.host} answers {what} with {answer.status}")
