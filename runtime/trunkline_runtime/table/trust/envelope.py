"""A signed document: a DSSE envelope, which carries the exact bytes that were signed.

Source: DSSE 1.0 (secure-systems-lab/dsse, envelope.md and protocol.md).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from securesystemslib import exceptions
from securesystemslib.dsse import Envelope as Dsse
from securesystemslib.signer import Key, Signer

from trunkline_runtime.table.canonical import canonical_bytes

ENVELOPE_TYPE = "application/vnd.dsse.envelope.v1+json"


class EnvelopeError(ValueError):
    """Bytes that are no DSSE envelope of the type that they should be."""


@dataclass(frozen=True)
class Envelope:
    """What an envelope says, and who says that they signed it: nothing of it is proven yet."""

    payload: bytes
    dsse: Dsse

    @property
    def claimed(self) -> tuple[str, ...]:
        """The ids of the keys that it names."""
        return tuple(sorted(self.dsse.signatures))

    def signers(self, keys: Sequence[Key]) -> tuple[str, ...]:
        """The ids of those of `keys` whose signature fits the payload."""
        return tuple(sorted(key.keyid for key in keys if self._fits(key)))

    def _fits(self, key: Key) -> bool:
        signature = self.dsse.signatures.get(key.keyid)
        if signature is None:
            return False
        try:
            key.verify_signature(signature, self.dsse.pae())
        except exceptions.UnverifiedSignatureError:
            return False
        return True


def seal(
    payload_type: str, payload: bytes, signer: Signer | None, before: Envelope | None = None
) -> bytes:
    """An envelope around `payload`, signed by `signer`; without one it has no signature.

    The signatures of `before` are kept if it has the same payload. The bytes are canonical:
    ed25519 is deterministic, so the same key gives the same bytes.
    """
    kept = before.dsse.signatures if before is not None and before.payload == payload else {}
    dsse = Dsse(payload, payload_type, dict(kept))
    if signer is not None:
        dsse.sign(signer)
    envelope = dsse.to_dict()
    envelope["signatures"].sort(key=lambda signature: signature["keyid"])
    return canonical_bytes(envelope)


def read_envelope(data: bytes, payload_type: str) -> Envelope:
    """The envelope that `data` is. Raises EnvelopeError for anything else."""
    try:
        dsse = Dsse.from_dict(json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, exceptions.Error):
        raise EnvelopeError("it is no DSSE envelope") from None
    if dsse.payload_type != payload_type:
        raise EnvelopeError(f"it holds {str(dsse.payload_type)[:80]!r}, not {payload_type!r}")
    return Envelope(dsse.payload, dsse)
