"""Canonical bytes of JSON (RFC 8785) and the digest that names them."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import rfc8785

# What json.loads gives, read-only.
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def canonical_bytes(value: Json) -> bytes:
    """The one spelling of `value` that RFC 8785 allows, in UTF-8.

    Raises ValueError for what has none: integers beyond 2^53-1, NaN, infinities, lone surrogates.
    """
    return rfc8785.dumps(value)


def digest(data: bytes) -> str:
    """`sha256:` and the hexadecimal SHA-256 of `data`, as OCI descriptors write it."""
    return "sha256:" + hashlib.sha256(data).hexdigest()
