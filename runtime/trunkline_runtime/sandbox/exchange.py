"""What goes in and out of a back end of the sandbox: a request, an answer, a refusal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """One request, after its credential was checked.

    `path` is what follows `/<tenant>/<connection>`, decoded, as segments; `query` keeps the last
    value of a repeated name; `body` is the JSON object that was sent, or empty.
    """

    tenant: str
    connection: str
    method: str
    path: tuple[str, ...]
    query: Mapping[str, str]
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """What goes back: a status, a JSON value or raw bytes, and headers beside the usual ones."""

    body: Any
    status: int = 200
    raw: bytes | None = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


class Refused(Exception):
    """A request that a back end does not accept; what it did so far is undone."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    def answer(self) -> Answer:
        return Answer({"error": self.message}, self.status)


def text(request: Request, name: str) -> str:
    """A text that the body must hold. Raises Refused (422)."""
    value = request.body.get(name)
    if not isinstance(value, str) or not value:
        raise Refused(422, f"{name} is missing")
    return value
