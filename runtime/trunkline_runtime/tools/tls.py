"""The TLS context that the clients of this process share."""

import ssl
from functools import cache

import httpx


@cache
def tls_context() -> ssl.SSLContext:
    """Verifies certificates as httpx does by default.

    Made once: reading the authorities takes 15 to 45 ms of processor time, and each call has a
    client of its own.
    """
    return httpx.create_ssl_context(trust_env=False)
