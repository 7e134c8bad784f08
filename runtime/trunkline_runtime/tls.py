"""The TLS context that every client of this process shares."""

import ssl
from functools import cache
from threading import Lock

import httpx

_MAKING = Lock()


@cache
def _made() -> ssl.SSLContext:
    return httpx.create_ssl_context()


def tls_context() -> ssl.SSLContext:
    """Verifies certificates as httpx does by default (SSL_CERT_FILE and SSL_CERT_DIR count).

    Made once in a process: reading the authorities takes 15 to 45 ms of processor time, ten times
    that on a busy machine, and nobody in a call is heard meanwhile. A process that will hold calls
    asks for it before, or in a thread.
    """
    with _MAKING:
        return _made()
