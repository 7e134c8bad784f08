"""The loopback HTTP server: credentials, faults and idempotency in front of every back end."""

import hmac
import json
import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from trunkline_runtime.sandbox import slow_model
from trunkline_runtime.sandbox.exchange import Answer, Refused, Request
from trunkline_runtime.sandbox.faults import HEADER, Fault, Faults, UnknownFault
from trunkline_runtime.sandbox.repetition import once
from trunkline_runtime.sandbox.routes import CONNECTIONS, route

_LONGEST_BODY = 1_000_000
_NONSENSE = b"<html><body>Please sign in to the maintenance portal.</body></html>"


@dataclass
class BackEnds:
    """What the threads of the server share.

    `tokens` maps (tenant, connection) to the bearer credential that its requests must carry.
    """

    store: sqlite3.Connection
    tokens: Mapping[tuple[str, str], str]
    model_token: str
    faults: Faults
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request, key: str | None) -> Answer:
        """Does one request's work in one transaction."""
        try:
            work = route(request.connection, request.method, request.path)
            with self.lock, self.store:
                return once(request, key, self.store, work)
        except Refused as refused:
            return refused.answer()


class SandboxServer(ThreadingHTTPServer):
    """Listens on the loopback address only. Each connection has a thread of its own."""

    daemon_threads = True
    # A soak opens hundreds of connections at once.
    request_queue_size = 512

    def __init__(self, port: int, back_ends: BackEnds) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.back_ends = back_ends

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: SandboxServer
    protocol_version = "HTTP/1.1"
    # Status line, headers and body leave in one packet: no 40 ms of delayed acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def do_PUT(self) -> None:
        self._handle()

    def do_PATCH(self) -> None:
        self._handle()

    def do_DELETE(self) -> None:
        self._handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the call's transcript is what is being looked at."""

    def _handle(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), _LONGEST_BODY))
        path = urlsplit(self.path).path
        try:
            fault = self.server.back_ends.faults.next_for(path, self.headers.get(HEADER))
            if fault.status is not None:
                raise Refused(fault.status, "failing on purpose")
            answer = self._answer(path, body)
        except UnknownFault as unknown:
            fault, answer = Fault(), Answer({"error": str(unknown)}, 400)
        except Refused as refused:
            answer = refused.answer()
        if fault.delay:
            time.sleep(fault.delay)
        if fault.close:
            self.close_connection = True
            return
        if fault.redirect is not None:
            answer = Answer({}, 307, headers={"Location": fault.redirect})
        if fault.nonsense:
            answer = Answer(None, raw=_NONSENSE, content_type="text/html")
        self._send(answer)

    def _answer(self, path: str, body: bytes) -> Answer:
        segments = [unquote(segment) for segment in path.split("/")[1:]]
        back_ends = self.server.back_ends
        if segments[:2] == ["v1", "chat"]:
            self._check(back_ends.model_token)
            return slow_model.complete(_object(body))
        tenant, connection = (*segments, "", "")[:2]
        if connection not in CONNECTIONS or (tenant, connection) not in back_ends.tokens:
            raise Refused(404, "there is nothing here")
        self._check(back_ends.tokens[tenant, connection])
        request = Request(
            tenant=tenant,
            connection=connection,
            method=self.command,
            path=tuple(segments[2:]),
            query=dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)),
            body=_object(body) if body else {},
        )
        return back_ends.answer(request, self.headers.get("Idempotency-Key"))

    def _check(self, token: str) -> None:
        given = self.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
            raise Refused(401, "the credential is missing or wrong")

    def _send(self, answer: Answer) -> None:
        data = answer.raw if answer.raw is not None else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(value, dict):
        raise Refused(400, "the body is not a JSON object")
    return value
