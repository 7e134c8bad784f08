"""Answers a registry's challenge: with the password, or with a token that it is traded for.

Source: RFC 7617 (Basic); distribution's token authentication (docs/spec/auth/token.md).
"""

import json
import re
import time
from collections.abc import Mapping
from threading import Lock
from urllib.parse import urlencode, urlsplit

from trunkline_runtime.table.registry.address import is_loopback
from trunkline_runtime.table.registry.credentials import Credentials
from trunkline_runtime.table.registry.failure import Denied, Nonsense
from trunkline_runtime.table.registry.transport import Request, Transport

_PARAMETER = re.compile(r'([A-Za-z_]+)="([^"]*)"')
_LARGEST = 1024 * 1024  # bytes of a token's answer
_SHORTEST, _EARLY = 60.0, 10.0  # seconds: what a token lasts at least, and how early it is renewed


class Authorizer:
    """The `authorization` header of each scope, kept for as long as it lasts."""

    def __init__(self, transport: Transport, host: str, credentials: Credentials | None) -> None:
        self._transport = transport
        self._host = host
        self._credentials = credentials
        self._headers: dict[str, tuple[str, float]] = {}  # scope → header, and when it ends
        self._lock = Lock()

    def header(self, scope: str) -> Mapping[str, str]:
        """The header for a scope, if one is known."""
        with self._lock:
            known = self._headers.get(scope)
        if known is None or known[1] < time.monotonic():
            return {}
        return {"authorization": known[0]}

    def answer(self, challenge: str, scope: str) -> Mapping[str, str]:
        """The header that a challenge asks for. Raises Denied, Unreachable or Nonsense."""
        scheme, _, rest = challenge.partition(" ")
        if scheme.lower() == "basic":
            if self._credentials is None:
                raise self._nobody()
            header, ends = self._credentials.basic, float("inf")
        elif scheme.lower() == "bearer":
            token, seconds = self._token(dict(_PARAMETER.findall(rest)), scope)
            header = f"Bearer {token}"
            ends = time.monotonic() + max(seconds, _SHORTEST) - _EARLY
        else:
            raise Nonsense(f"{self._host} asks for a login of an unknown kind: {scheme[:40]!r}")
        with self._lock:
            self._headers[scope] = (header, ends)
        return {"authorization": header}

    def _token(self, asked: Mapping[str, str], scope: str) -> tuple[str, float]:
        realm = asked.get("realm", "")
        parts = urlsplit(realm)
        if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.netloc)):
            raise Nonsense(f"{self._host} sends us to log in at a place that is not safe")
        query = {"scope": asked.get("scope", scope)}
        if "service" in asked:
            query["service"] = asked["service"]
        url = f"{realm}{'&' if parts.query else '?'}{urlencode(query)}"
        headers = {"authorization": self._credentials.basic} if self._credentials else {}
        with self._transport.send(Request("GET", url, headers)) as answer:
            if answer.status in (401, 403):
                raise self._refused() if self._credentials else self._nobody()
            body = b""
            for piece in answer.pieces:
                body += piece
                if len(body) > _LARGEST:
                    break
        try:
            told = json.loads(body)
            token = told.get("token") or told.get("access_token")
            seconds = float(told.get("expires_in", _SHORTEST))
        except (ValueError, AttributeError, TypeError):
            token = None
        if answer.status != 200 or not isinstance(token, str) or not token.isprintable():
            raise Nonsense(f"{parts.netloc} gave no token for {self._host}")
        return token, seconds

    def refused(self) -> Denied:
        """What to say when the registry refuses the header that it asked for."""
        return self._refused() if self._credentials else self._nobody()

    def _nobody(self) -> Denied:
        return Denied(
            f"{self._host} wants to know who asks: run `docker login {self._host}`, or set "
            "TRUNKLINE_REGISTRY_USER and TRUNKLINE_REGISTRY_PASSWORD"
        )

    def _refused(self) -> Denied:
        return Denied(
            f"{self._host} refuses these credentials, or they do not allow this: check "
            "TRUNKLINE_REGISTRY_USER and TRUNKLINE_REGISTRY_PASSWORD, or "
            f"`docker login {self._host}`"
        )
