"""What carries requests to a registry: each side of the house brings its own."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Request:
    """One request. `url` is whole; the names of headers are in small letters."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None


@dataclass(frozen=True)
class Answer:
    """One answer. `pieces` are its body, as they arrive; the names of headers in small letters."""

    status: int
    headers: Mapping[str, str]
    pieces: Iterator[bytes]


class Transport(Protocol):
    """Sends one request. Many threads may use one."""

    def send(self, request: Request) -> AbstractContextManager[Answer]:
        """The answer, for as long as the block runs.

        Follows redirects, without the `authorization` header to another host. Raises Unreachable
        here or while `pieces` are read.
        """
