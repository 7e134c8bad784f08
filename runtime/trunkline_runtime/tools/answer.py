"""Reads what a back end answered: JSON of a bearable size, or a failure in words for the model.

Nothing that the back end wrote goes into the words: an error page may hold an address, a name or a
credential.
"""

import json
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import NoReturn

from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.runner import ToolFailed

LONGEST_ANSWER = 256 * 1024

# Statuses after which the same request may succeed a moment later.
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


async def read_json(headers: Mapping[str, str], chunks: AsyncIterator[bytes], system: str) -> Json:
    """The JSON value of an answer. Raises ToolFailed if it is none, or longer than 256 KiB."""
    if not _is_json(headers.get("content-type", "")):
        _nonsense(system)
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > LONGEST_ANSWER:
            raise ToolFailed(f"The {system} system answered with more than can be used.")
    try:
        value: Json = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        _nonsense(system)
    return value


def refused(status: int, system: str, sure_it_did_nothing: bool) -> ToolFailed:
    """What a status other than success means, for the model.

    `sure_it_did_nothing` is false for a tool that is not idempotent: whatever failed on the far
    side may have taken effect.
    """
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return ToolFailed(f"The {system} system does not let us in.")
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return ToolFailed(f"The {system} system knows nothing by these details.")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return ToolFailed(f"The {system} system is too busy right now.")
    if 400 <= status < 500:
        return ToolFailed(f"The {system} system did not accept these details.")
    return ToolFailed(f"The {system} system has a problem right now.{doubt(sure_it_did_nothing)}")


def doubt(sure_it_did_nothing: bool) -> str:
    """What to add where a repetition might do a thing twice."""
    if sure_it_did_nothing:
        return ""
    return " It may have gone through all the same, so do not try it again."


def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _nonsense(system: str) -> NoReturn:
    raise ToolFailed(f"The {system} system gave an answer that makes no sense.")
