"""A short name for what a change is: the same after a rebase, another if the change is another."""

import hashlib

from trunkline_runtime.table.canonical import Json, canonical_bytes

# 128 bits: nobody can make two changes with one fingerprint, get one accepted and push the other.
LENGTH = 32


def fingerprint(*parts: Json) -> str:
    """Hexadecimal digits over the parts; no line, no position and no revision is among them."""
    try:
        data = canonical_bytes(list(parts))
    except ValueError:  # a value that RFC 8785 has no spelling for: its Python text names it too
        data = repr(parts).encode("utf-8", "backslashreplace")
    return hashlib.sha256(data).hexdigest()[:LENGTH]
