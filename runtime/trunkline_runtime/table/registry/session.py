"""A conversation with one registry: who we are, how long we wait, how often we ask again."""

import os
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime

from trunkline_runtime.table.registry.address import Address
from trunkline_runtime.table.registry.authorize import Authorizer
from trunkline_runtime.table.registry.credentials import credentials_for
from trunkline_runtime.table.registry.failure import Later, Unreachable
from trunkline_runtime.table.registry.transport import Answer, Request, Transport

PULL, PUSH = "pull", "pull,push"
_BROKEN = frozenset({408, 425, 500, 502, 504})  # worth another try; 429 and 503 say when


@dataclass(frozen=True)
class Patience:
    """How much is put up with. All but `tries` in seconds, `slowest` in bytes a second.

    `wait` is the longest that a registry's own wish (Retry-After) is waited for within one
    request; beyond it the request fails with Later. A body gets `allowance` before it must be
    faster than `slowest`.
    """

    tries: int = 3
    pause: float = 0.2
    wait: float = 20.0
    allowance: float = 30.0
    slowest: float = 16 * 1024


class Session:
    """Sends requests to the registry at `address`. Many threads may use one."""

    def __init__(
        self, transport: Transport, address: Address, patience: Patience | None = None
    ) -> None:
        """Raises Denied if credentials are configured and can't be read."""
        self.address = address
        self.patience = patience or Patience()
        self._transport = transport
        found = credentials_for(address.host, os.environ)
        self._authorizer = Authorizer(transport, address.host, found)

    @contextmanager
    def ask(
        self,
        method: str,
        path: str,
        scope: str,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Iterator[Answer]:
        """The registry's answer to a request for `path` (or a whole URL that it gave).

        Any status is given back but those that are tried again or need a login. Raises
        RegistryError.
        """
        url = path if "://" in path else self.address.base + path
        request = Request(method, url, dict(headers or {}), content)
        with ExitStack() as stack:
            answer = self._persist(request, scope, stack)
            yield replace(answer, pieces=self._timed(answer.pieces))

    def _persist(self, request: Request, scope: str, stack: ExitStack) -> Answer:
        patience = self.patience
        for turn in range(1, patience.tries + 1):
            last = turn == patience.tries
            try:
                answer = self._authorized(request, scope, stack)
            except Unreachable:
                if last:
                    raise
                time.sleep(self._pause(turn))
                continue
            if answer.status in (429, 503):
                seconds = _retry_after(answer.headers, self._pause(turn))
                if last or seconds > patience.wait:
                    raise Later(
                        f"{self.address.host} is busy and asks to be left alone for "
                        f"{seconds:.0f} s",
                        seconds,
                    )
                time.sleep(seconds)
            elif answer.status in _BROKEN:
                if last:
                    raise Unreachable(f"{self.address.host} answers with {answer.status}")
                time.sleep(self._pause(turn))
            else:
                return answer
            stack.close()
        raise AssertionError("tries is at least 1")

    def _authorized(self, request: Request, scope: str, stack: ExitStack) -> Answer:
        known = self._authorizer.header(scope)
        answer = self._send(request, known, stack)
        if answer.status == 401 and "www-authenticate" in answer.headers:
            challenge = answer.headers["www-authenticate"]
            stack.close()
            answer = self._send(request, self._authorizer.answer(challenge, scope), stack)
        if answer.status in (401, 403):
            raise self._authorizer.refused()
        return answer

    def _send(self, request: Request, header: Mapping[str, str], stack: ExitStack) -> Answer:
        # The header is for this registry alone, whatever host a URL that it gave us names.
        mine = request.url.startswith(self.address.base + "/")
        headers = {**request.headers, **(header if mine else {})}
        return stack.enter_context(self._transport.send(replace(request, headers=headers)))

    def _pause(self, turn: int) -> float:
        """Twice as long each time, and never for all of a fleet at the same moment."""
        return self.patience.pause * float(2 ** (turn - 1)) * random.uniform(0.5, 1.5)

    def _timed(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Gives up on a body that comes in drops: each of them would reset an ordinary timeout."""
        began, size = time.monotonic(), 0
        for piece in pieces:
            size += len(piece)
            late = time.monotonic() - began - self.patience.allowance
            if late > 0 and size < late * self.patience.slowest:
                raise Unreachable(f"{self.address.host} is too slow: {size} bytes so far")
            yield piece


def scope_of(repository: str, actions: str) -> str:
    """The scope of a token for one repository."""
    return f"repository:{repository}:{actions}"


def _retry_after(headers: Mapping[str, str], otherwise: float) -> float:
    """Seconds that the registry asks for. Source: RFC 9110, 10.2.3 (seconds or a date)."""
    text = headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return otherwise
