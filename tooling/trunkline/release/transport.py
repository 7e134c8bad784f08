"""Carries requests to a registry with httpx. Loaded only where a store is a registry.

The runtime has one of its own: neither side may need what the other is made of.
"""

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from urllib.parse import urlsplit

import httpx

from trunkline_runtime.table.registry.failure import Unreachable
from trunkline_runtime.table.registry.transport import Answer, Request

_SECONDS = 30.0  # for a connection, or for one piece of an answer
_CONNECTIONS = 16

# Its lines at INFO hold whole URLs, and where a registry takes an upload may be a secret.
logging.getLogger("httpx").setLevel(logging.WARNING)


@cache
def _trusted() -> ssl.SSLContext:
    """Whom TLS trusts (SSL_CERT_FILE and SSL_CERT_DIR count); read once, it takes a while."""
    return httpx.create_ssl_context()


class HttpTransport:
    """Connections that are kept open, for as many threads as ask."""

    def __init__(self) -> None:
        self._client = httpx.Client(
            verify=_trusted(),
            timeout=_SECONDS,
            limits=httpx.Limits(
                max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS
            ),
            follow_redirects=True,
            headers={"user-agent": "trunkline", "accept-encoding": "identity"},
        )

    @contextmanager
    def send(self, request: Request) -> Iterator[Answer]:
        """The answer, for as long as the block runs. Raises Unreachable."""
        host = urlsplit(request.url).hostname
        try:
            with self._client.stream(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.content,
            ) as answer:
                yield Answer(answer.status_code, dict(answer.headers), answer.iter_raw())
        except httpx.TimeoutException:
            raise Unreachable(f"{host} gave no answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise Unreachable(f"{host} can't be reached ({type(error).__name__})") from None
