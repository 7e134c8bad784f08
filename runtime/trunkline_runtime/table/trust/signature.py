"""The signature of an artifact: a small artifact beside it that says who vouches for it.

It names the manifest that it is about in `subject`, as OCI 1.1 has it, and is found by a tag made
of that manifest's digest, which every registry can answer.
"""

from collections.abc import Sequence

from securesystemslib.signer import Key, Signer

from trunkline_runtime.table.artifact import (
    EMPTY,
    SIGNATURE,
    TITLE,
    Descriptor,
    Manifest,
)
from trunkline_runtime.table.canonical import canonical_bytes
from trunkline_runtime.table.trust.envelope import (
    ENVELOPE_TYPE,
    Envelope,
    EnvelopeError,
    read_envelope,
    seal,
)
from trunkline_runtime.table.trust.keys import ids

SIGNATURE_TITLE = "signature.dsse.json"
STATEMENT_TYPE = "application/vnd.trunkline.statement.v1+json"
_FORMAT = "trunkline/statement/v1"


class Untrusted(Exception):
    """An artifact that nobody vouches for whom this machine trusts; the message says why."""


def signature_tag(digest: str) -> str:
    """The tag of the signature of the manifest with this digest."""
    return f"{digest.replace(':', '-')}.dsse"


def statement(name: str, tag: str, named: Descriptor) -> bytes:
    """What is signed: this manifest is this tag of this tenant (or of `_policy`)."""
    return canonical_bytes(
        {
            "schema": _FORMAT,
            "name": name,
            "tag": tag,
            "digest": named.digest,
            "size": named.size,
        }
    )


def sign(
    name: str, tag: str, named: Descriptor, signer: Signer, before: Envelope | None = None
) -> tuple[Manifest, bytes]:
    """The signature of a manifest, and its envelope. What `before` signed alike is kept."""
    envelope = seal(STATEMENT_TYPE, statement(name, tag, named), signer, before)
    layer = Descriptor.of(ENVELOPE_TYPE, envelope, {TITLE: SIGNATURE_TITLE})
    subject = Descriptor(named.media_type, named.digest, named.size)
    return Manifest(SIGNATURE, EMPTY, {SIGNATURE_TITLE: layer}, subject), envelope


def vouched_by(
    envelope: bytes, name: str, tag: str, named: Descriptor, keys: Sequence[Key]
) -> tuple[str, ...]:
    """The ids of the trusted keys that signed a manifest as this tag of `name`.

    Raises Untrusted if there is none.
    """
    try:
        read = read_envelope(envelope, STATEMENT_TYPE)
    except EnvelopeError as error:
        raise Untrusted(f"its signature can't be read: {error}") from None
    if read.payload != statement(name, tag, named):
        raise Untrusted("its signature was made for something else")
    return trusted_signers(read, keys)


def trusted_signers(envelope: Envelope, keys: Sequence[Key]) -> tuple[str, ...]:
    """The ids of the trusted keys that signed an envelope. Raises Untrusted if there is none."""
    signers = envelope.signers(keys)
    if signers:
        return signers
    if not envelope.claimed:
        raise Untrusted(f"it is not signed, and keys are trusted here ({ids(keys)})")
    known = sorted(set(envelope.claimed) & {key.keyid for key in keys})
    if known:
        raise Untrusted(f"its signature by the key {', '.join(known)} does not fit its bytes")
    raise Untrusted(
        f"it is signed by the key {', '.join(envelope.claimed)[:200]}, "
        f"which is not trusted here ({ids(keys)})"
    )
