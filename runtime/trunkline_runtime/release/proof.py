"""The proof of a blob: it has the size and the digest that its descriptor states."""

import hashlib
from collections.abc import Iterable

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.source import Source
from trunkline_runtime.table.artifact import TITLE, Descriptor


def proven(pieces: Iterable[bytes], wanted: Descriptor, name: str) -> Iterable[bytes]:
    """Passes a blob's bytes on and raises Refused unless they are what `wanted` states.

    The last piece may have passed by then: nothing is to be used before the end is reached. No
    more bytes pass than the blob should have, however many the source gives.
    """
    blob = describe(wanted, name)
    read, sha = 0, hashlib.sha256()
    for piece in pieces:
        read += len(piece)
        if read > wanted.size:
            raise Refused(f"{blob} is longer than the {wanted.size} bytes that it should have")
        sha.update(piece)
        yield piece
    if read < wanted.size:
        raise Refused(f"{blob} is cut off: it has {read} of {wanted.size} bytes")
    actual = f"sha256:{sha.hexdigest()}"
    if actual != wanted.digest:
        raise Refused(f"{blob} was altered: its bytes have the digest {actual}")


def read_proven(source: Source, name: str, wanted: Descriptor) -> bytes:
    """The bytes of a blob. Raises Refused if they are missing or not what `wanted` states."""
    return b"".join(proven(source.blob(name, wanted), wanted, name))


def is_held(source: Source, name: str, wanted: Descriptor) -> bool:
    """True if `source` holds a sound copy of the blob."""
    try:
        for _ in proven(source.blob(name, wanted), wanted, name):
            pass
    except Refused:
        return False
    return True


def describe(wanted: Descriptor, name: str) -> str:
    """How messages name a blob: its digest, whose it is and what it holds."""
    title = wanted.annotations.get(TITLE)
    return f"blob {wanted.digest} of {name}" + (f" ({title})" if title else "")
