"""Carries requests to a registry with httpx. Loaded only where a store is a registry."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx

from trunkline_runtime.table.registry.failure import Unreachable
from trunkline_runtime.table.registry.transport import Answer, Request
from trunkline_runtime.tls import tls_context

# Its lines at INFO hold whole URLs, and where a registry sends us for a blob may be a secret.
logging.getLogger("httpx").setLevel(logging.WARNING)


class HttpTransport:
    """Connections that are kept open, for as many threads as ask."""

    def __init__(self, seconds: float = 10.0, connections: int = 16) -> None:
        """`seconds` is how long a connection, or one piece of an answer, may take."""
        self._client = httpx.Client(
            verify=tls_context(),
            timeout=seconds,
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
            follow_redirects=True,
            headers={"user-agent": "trunkline-runtime", "accept-encoding": "identity"},
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
            # The words of these come from the network and name no URL of ours.
            raise Unreachable(f"{host} can't be reached ({type(error).__name__})") from None
