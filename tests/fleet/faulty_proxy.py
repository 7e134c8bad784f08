"""A proxy before a registry that does what networks and registries do on bad days."""

import http.client
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length", "date"})


@dataclass
class Fault:
    """What happens to requests whose `METHOD /path` matches, the first `times` times.

    `status` answers without asking the registry. `cut` closes the connection after so many bytes
    of the body, `truncate` ends the body there as if that were all, `alter` changes a byte there.
    `pause` waits before each piece of `piece` bytes; `hang` waits before the answer.
    """

    match: str
    times: int = 1_000_000
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    cut: int | None = None
    truncate: int | None = None
    alter: int | None = None
    pause: float = 0.0
    piece: int = 1 << 20
    hang: float = 0.0


@dataclass(frozen=True)
class Seen:
    """A request that came: its line, the headers that matter, and the status of the answer."""

    line: str
    authorization: str | None
    if_none_match: str | None
    status: int


class FaultyProxy:
    """Forwards to a registry on loopback. `faults` may change at any time."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.faults: list[Fault] = []
        self.seen: list[Seen] = []
        self.lock = threading.Lock()
        proxy = self

        class Handler(_Handler):
            fleet = proxy

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @contextmanager
    def failing(self, *faults: Fault) -> Iterator[None]:
        """These faults for as long as the block runs."""
        self.faults[:] = faults
        try:
            yield
        finally:
            self.faults.clear()

    def lines(self) -> list[str]:
        """The requests since the last time that this was asked: `METHOD /path`."""
        with self.lock:
            found = [each.line for each in self.seen]
            self.seen.clear()
        return found

    def fault(self, line: str) -> Fault | None:
        with self.lock:
            for fault in self.faults:
                if fault.times > 0 and re.search(fault.match, line):
                    fault.times -= 1
                    return fault
        return None


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing of a client that went away: that is what tests make clients do."""


class _Handler(BaseHTTPRequestHandler):
    fleet: ClassVar[FaultyProxy]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: what came is in `seen`."""

    def _any(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        line = f"{self.command} {self.path}"
        fault = self.fleet.fault(line) or Fault("")
        time.sleep(fault.hang)
        if fault.status is not None:
            status, headers, body = fault.status, dict(fault.headers), fault.body
        else:
            status, headers, body = self._forwarded(content)
        self._note(line, status)
        self._answer(status, headers, body, fault)

    do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = do_DELETE = _any

    def _forwarded(self, content: bytes) -> tuple[int, dict[str, str], bytes]:
        upstream = http.client.HTTPConnection(self.fleet.upstream, timeout=30)
        try:
            upstream.request(self.command, self.path, content, dict(self.headers.items()))
            answer = upstream.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        except OSError:
            return 502, {}, b""
        finally:
            upstream.close()

    def _note(self, line: str, status: int) -> None:
        seen = Seen(
            line, self.headers.get("authorization"), self.headers.get("if-none-match"), status
        )
        with self.fleet.lock:
            self.fleet.seen.append(seen)

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes, fault: Fault) -> None:
        if fault.alter is not None and body:
            at = fault.alter % len(body)
            body = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        if fault.truncate is not None:
            body = body[: fault.truncate]
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in _HOP:
                self.send_header(name, value)
        length = next((v for k, v in headers.items() if k.lower() == "content-length"), None)
        self.send_header(
            "content-length", length if self.command == "HEAD" and length else str(len(body))
        )
        self.end_headers()
        if self.command == "HEAD":
            return
        if fault.cut is not None:
            self.wfile.write(body[: fault.cut])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(2)
            return
        for at in range(0, len(body), fault.piece):
            time.sleep(fault.pause)
            try:
                self.wfile.write(body[at : at + fault.piece])
            except OSError:
                return  # the reader has given up
