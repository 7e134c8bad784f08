"""Reads what a back end answered: JSON of a bearable size, or a failure in words for the model.

Nothing that the back end wrote goes into the words: an error page may hold an address, a name or a
credential.
"""

import json
import logging
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from typing import NoReturn

from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.runner import ToolFailed, doubt

logger = logging.getLogger("trunkline.tools")

LONGEST_ANSWER = 256 * 1024

# Statuses after which the same request may succeed a moment later.
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
# Of the statuses below 500 those after which it may have been done: too late, or done before.
_DOUBTFUL = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT})


async def read_json(
    headers: Mapping[str, str],
    chunks: AsyncIterator[bytes],
    system: str,
    *,
    secret: str | None = None,
    harmless: bool = True,
) -> Json:
    """The JSON value of an answer.

    Raises ToolFailed if it is none, longer than 256 KiB, or holds our own `secret`: the model reads
    what a tool gives. It is not `harmless` if the request may have done what must not be repeated.
    """
    nonsense = ToolFailed(
        f"The {system} system gave an answer that makes no sense.{doubt(harmless)}"
    )
    if not _is_json(headers.get("content-type", "")):
        raise nonsense
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > LONGEST_ANSWER:
            words = f"The {system} system answered with more than can be used.{doubt(harmless)}"
            raise ToolFailed(words)
    try:
        value: Json = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise nonsense from None
    if secret is not None and secret in json.dumps(value, ensure_ascii=False):
        logger.error("the %s system answered with our own credential in it", system)
        raise nonsense
    return value


def refused(status: int, system: str, harmless: bool) -> ToolFailed:
    """What a status other than success means, for the model.

    A request that was refused did nothing; one that broke on the far side may have, and is not
    `harmless` if the tool is not idempotent.
    """
    if status < 400 or status >= 500:
        return ToolFailed(f"The {system} system has a problem right now.{doubt(harmless)}")
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        words = f"The {system} system does not let us in."
    elif status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        words = f"The {system} system knows nothing by these details."
    elif status == HTTPStatus.TOO_MANY_REQUESTS:
        words = f"The {system} system is too busy right now."
    else:
        words = f"The {system} system did not accept these details."
    if status in _DOUBTFUL:
        return ToolFailed(words + doubt(harmless))
    return ToolFailed(words, nothing_done=True)


def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
