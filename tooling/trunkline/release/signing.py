"""Signing what is published, and believing nothing of a store that no known key vouches for."""

import os
from dataclasses import dataclass

from securesystemslib.signer import CryptoSigner, Key

from trunkline.failure import FatalError
from trunkline.release.store import Entry, Store
from trunkline_runtime.table.artifact import (
    EMPTY_BYTES,
    SIGNATURE,
    ArtifactError,
    Descriptor,
    read_manifest,
)
from trunkline_runtime.table.trust.envelope import Envelope, EnvelopeError, read_envelope
from trunkline_runtime.table.trust.keys import (
    SIGNING_VARIABLE,
    TRUSTED_VARIABLE,
    KeyProblem,
    signing_key,
    trusted_keys,
)
from trunkline_runtime.table.trust.signature import (
    SIGNATURE_TITLE,
    STATEMENT_TYPE,
    Untrusted,
    sign,
    signature_tag,
    vouched_by,
)


@dataclass(frozen=True)
class Signing:
    """The key that signs (None: nothing is signed) and the keys that are believed, its own too.

    With `resign` this key vouches for what the store holds, whoever put it there.
    """

    signer: CryptoSigner | None = None
    trusted: tuple[Key, ...] = ()
    resign: bool = False

    @property
    def key_id(self) -> str | None:
        return self.signer.public_key.keyid if self.signer else None


UNSIGNED = Signing()


def signing_here(resign: bool = False) -> Signing:
    """The keys that the environment gives. Raises FatalError for one that can't be used."""
    try:
        signer = signing_key(os.environ)
        trusted = trusted_keys(os.environ)
    except KeyProblem as problem:
        raise FatalError(str(problem)) from None
    if signer is None:
        if resign:
            raise FatalError(f"--resign signs what the store holds: set {SIGNING_VARIABLE}")
        return Signing()
    own = [signer.public_key] if signer.public_key.keyid not in {k.keyid for k in trusted} else []
    return Signing(signer, (*own, *trusted), resign)


def signature(
    signing: Signing, name: str, tag: str, named: Descriptor, before: Envelope | None = None
) -> tuple[list[bytes], list[Entry]]:
    """The blobs and the entry that vouch for an artifact; nothing where nothing is signed."""
    if signing.signer is None:
        return [], []
    manifest, envelope = sign(name, tag, named, signing.signer, before)
    # The same manifest may be signed again, by another key.
    entry = Entry(signature_tag(named.digest), manifest, moves=True)
    return [EMPTY_BYTES, envelope], [entry]


def envelope_of(store: Store, name: str, named: Descriptor) -> bytes | None:
    """The envelope of an artifact's signature; None where there is none."""
    found = store.find(name, signature_tag(named.digest))
    if found is None:
        return None
    try:
        layers = read_manifest(store.read(name, found), SIGNATURE).layers
        return store.read(name, layers[SIGNATURE_TITLE])
    except (ArtifactError, KeyError):
        raise store.damaged(name, f"the signature of {named.digest} can't be read") from None


def require_trusted(store: Store, signing: Signing, name: str, tag: str, named: Descriptor) -> None:
    """Raises FatalError unless a key that is believed signed an artifact we are to point at.

    A fleet would refuse it, or worse: pointing at it would vouch for what somebody else put there.
    """
    if signing.signer is None or signing.resign:
        return
    envelope = envelope_of(store, name, named)
    try:
        if envelope is None:
            raise Untrusted("it is not signed")
        vouched_by(envelope, name, tag, named, signing.trusted)
    except Untrusted as problem:
        raise untrusted(f"{name} {tag}", str(problem)) from None


def untrusted(what: str, reason: str) -> FatalError:
    """What to say of something in the store that nobody vouches for."""
    return FatalError(
        f"{what} in the store is not to be relied on: {reason}. If another of your keys signed it, "
        f"name that key in {TRUSTED_VARIABLE}; if you have made sure of what the store holds, "
        "`trunkline publish --resign` vouches for all of it"
    )


def read_signed(data: bytes) -> Envelope | None:
    """The envelope of a signature that is there already, to keep what else is in it."""
    try:
        return read_envelope(data, STATEMENT_TYPE)
    except EnvelopeError:
        return None
