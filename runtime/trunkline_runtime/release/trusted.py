"""Who vouches for an artifact: its signature, checked against the keys that this machine trusts."""

import os
from collections.abc import Sequence

from securesystemslib.signer import Key

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.proof import read_proven
from trunkline_runtime.release.source import Source
from trunkline_runtime.table.artifact import (
    SIGNATURE,
    ArtifactError,
    Descriptor,
    Manifest,
    read_manifest,
)
from trunkline_runtime.table.trust.keys import KeyProblem, ids, trusted_keys
from trunkline_runtime.table.trust.signature import (
    SIGNATURE_TITLE,
    Untrusted,
    signature_tag,
    vouched_by,
)

Keys = Sequence[Key]


def keys_here() -> Keys:
    """The keys that this machine trusts; none if it is told of none, and nothing must be signed.

    Raises FatalError for a setting that can't be used.
    """
    try:
        return trusted_keys(os.environ)
    except KeyProblem as problem:
        raise FatalError(str(problem)) from None


def signature_of(source: Source, name: str, named: Descriptor) -> Descriptor | None:
    """The signature that a store holds for a manifest; None if it holds none."""
    return source.find(name, signature_tag(named.digest))


def signature_manifest(source: Source, name: str, signature: Descriptor) -> Manifest:
    """The proven manifest of a signature. Raises Refused for anything else."""
    try:
        manifest = read_manifest(read_proven(source, name, signature), SIGNATURE)
    except ArtifactError as error:
        raise Refused(
            f"the signature {signature.digest} of {name} can't be read: {error}"
        ) from None
    if SIGNATURE_TITLE not in manifest.layers:
        raise Refused(f"the signature {signature.digest} of {name} holds no {SIGNATURE_TITLE}")
    return manifest


def check_signature(
    source: Source,
    name: str,
    tag: str,
    named: Descriptor,
    signature: Descriptor | None,
    keys: Keys,
) -> tuple[str, ...]:
    """The ids of the trusted keys that signed an artifact; none where no keys are configured.

    Raises Refused if keys are configured and none of them vouches for the artifact.
    """
    if not keys:
        return ()
    if signature is None:
        raise Refused(f"{name} {tag} is not signed, and keys are trusted here ({ids(keys)})")
    manifest = signature_manifest(source, name, signature)
    envelope = read_proven(source, name, manifest.layers[SIGNATURE_TITLE])
    try:
        return vouched_by(envelope, name, tag, named, keys)
    except Untrusted as problem:
        raise Refused(f"{name} {tag}: {problem}") from None
