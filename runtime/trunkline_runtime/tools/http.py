"""Tools over HTTP: a pooled client for each call, which sends requests to the tenant's own systems.

A request goes to the connection's host and nowhere else: redirects that leave it are refused, and
proxies of the environment are not used. Only idempotent tools are tried again; each try carries the
same Idempotency-Key.
"""

import asyncio
import logging
import os
import random
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import httpx

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tls import tls_context
from trunkline_runtime.tools.answer import PASSING, read_json, refused
from trunkline_runtime.tools.connection import Connection, connection_of
from trunkline_runtime.tools.request import ToolRequest, request_of
from trunkline_runtime.tools.runner import ToolContext, ToolFailed, doubt

# Their lines hold whole URLs, and there the arguments of a tool, and the headers of answers.
for _talkative in ("httpx", "httpcore"):
    logging.getLogger(_talkative).setLevel(logging.WARNING)

_REDIRECTS = 3
# 307 and 308 repeat the method and body; the others turn into a GET, so only a GET may follow.
_SAME_METHOD = frozenset({307, 308})
_REDIRECTING = _SAME_METHOD | {301, 302, 303}
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0


class _TryAgain(Exception):
    """A try that failed in a way that another may not; `failure` is what the model hears else."""

    def __init__(self, failure: ToolFailed, after_seconds: float = 0.0) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.after_seconds = after_seconds


class HttpRunner:
    """Runs `http` tools for one call. Close it when the call is over (`async with` does)."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment
        self._client = httpx.AsyncClient(
            follow_redirects=False,
            verify=tls_context(),
            # A proxy of the environment would be a host that no connection names.
            trust_env=False,
            limits=httpx.Limits(max_connections=20, max_keepalive_connections=10),
            # An answer is counted as it arrives; a packed one could burst after the count.
            headers={"Accept": "application/json", "Accept-Encoding": "identity"},
        )
        # Jitter keeps calls that failed together from coming back together; no secret hangs on it.
        self._random = random.Random()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._client.aclose()

    async def run(self, entry: ToolEntry, args: Mapping[str, Json], context: ToolContext) -> Json:
        connection = connection_of(context.tenant, entry.connection, self._environment)
        request = request_of(entry, args)
        tries = 1 + (entry.retries if entry.idempotent else 0)
        for number in range(1, tries + 1):
            try:
                return await self._try(entry, connection, request, context)
            except _TryAgain as again:
                pause = max(again.after_seconds, self._pause(number))
                if number == tries or _left(context) <= pause:
                    raise again.failure from None
                await asyncio.sleep(pause)
        raise AssertionError("the last try returns or raises")

    async def _try(
        self,
        entry: ToolEntry,
        connection: Connection,
        request: ToolRequest,
        context: ToolContext,
    ) -> Json:
        """One try. Raises ToolFailed, or _TryAgain for what may pass."""
        system = connection.name
        harmless = entry.idempotent
        seconds = min(entry.timeout_seconds, _left(context))
        try:
            async with asyncio.timeout(seconds):
                return await self._send(connection, request, context, harmless)
        except (TimeoutError, httpx.TimeoutException):
            words = f"The {system} system did not answer in time.{doubt(harmless)}"
            raise _TryAgain(ToolFailed(words, "timeout")) from None
        except (httpx.ConnectError, httpx.PoolTimeout):
            # Nothing was sent.
            words = f"The {system} system cannot be reached."
            raise _TryAgain(ToolFailed(words, nothing_done=True)) from None
        except (httpx.HTTPError, httpx.InvalidURL):
            words = f"The {system} system broke off.{doubt(harmless)}"
            raise _TryAgain(ToolFailed(words)) from None

    async def _send(
        self, connection: Connection, request: ToolRequest, context: ToolContext, harmless: bool
    ) -> Json:
        url = httpx.URL(connection.base_url + request.path)
        if request.query:
            url = url.copy_merge_params(request.query)
        for _ in range(_REDIRECTS + 1):
            sent = self._built(url, connection, request, context)
            response = await self._client.send(sent, stream=True)
            try:
                if response.status_code in _REDIRECTING:
                    url = _redirected(response, connection, request, harmless)
                    continue
                if not response.is_success:
                    raise _failed(response, connection.name, harmless)
                if response.status_code == httpx.codes.NO_CONTENT:
                    return {}
                return await read_json(
                    response.headers,
                    response.aiter_raw(),
                    connection.name,
                    secret=connection.token,
                    harmless=harmless,
                )
            finally:
                await response.aclose()
        raise ToolFailed(f"The {connection.name} system sends us in circles.{doubt(harmless)}")

    def _built(
        self,
        url: httpx.URL,
        connection: Connection,
        request: ToolRequest,
        context: ToolContext,
    ) -> httpx.Request:
        headers = {**request.headers}
        if connection.token is not None:
            headers["Authorization"] = f"Bearer {connection.token}"
        if request.method != "GET":
            headers["Idempotency-Key"] = context.idempotency_key
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        return self._client.build_request(
            request.method, url, headers=headers, content=request.body, timeout=None
        )

    def _pause(self, number: int) -> float:
        longest = min(_FIRST_PAUSE_SECONDS * 2.0 ** (number - 1), _LONGEST_PAUSE_SECONDS)
        return longest * self._random.uniform(0.5, 1.0)


def _left(context: ToolContext) -> float:
    """Seconds until the dispatcher gives up."""
    return max(0.0, context.deadline - asyncio.get_running_loop().time())


def _redirected(
    response: httpx.Response, connection: Connection, request: ToolRequest, harmless: bool
) -> httpx.URL:
    """Where a redirect leads. Raises ToolFailed if it leaves the connection or the method."""
    target = response.headers.get("location", "")
    try:
        url = response.url.join(target)
    except httpx.InvalidURL:
        url = None
    same_method = response.status_code in _SAME_METHOD or request.method == "GET"
    if not target or url is None or not same_method or not connection.is_home_of(url):
        # A form that was taken is often answered with a redirect to what came of it.
        words = f"The {connection.name} system sends us elsewhere, where we do not go."
        raise ToolFailed(words + doubt(harmless))
    return url


def _failed(response: httpx.Response, system: str, harmless: bool) -> Exception:
    failure = refused(response.status_code, system, harmless)
    if response.status_code not in PASSING:
        return failure
    after = response.headers.get("retry-after", "")
    # The other form, a date, is not worth a clock here: the pause of our own does.
    return _TryAgain(failure, float(after) if after.isdecimal() else 0.0)
