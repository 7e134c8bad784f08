"""The keys: one private key that signs, and the public keys that a machine trusts.

Both are ed25519, in PEM. They come from the environment, as the PEM itself or as the path of a
file; a private key's file must be closed to everybody else. No message holds key material.
"""

import hashlib
import os
import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.signer import CryptoSigner, Key, SSlibKey

SIGNING_VARIABLE = "TRUNKLINE_SIGNING_KEY"
TRUSTED_VARIABLE = "TRUNKLINE_TRUSTED_KEYS"

_BEGIN = b"-----BEGIN "
_PUBLIC = re.compile(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----", re.DOTALL)
_PRIVATE = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_LARGEST = 1024 * 1024  # bytes of a key file; one with a thousand keys has less


class KeyProblem(Exception):
    """A key that is configured and can't be used. The message says what to do about it."""


def signing_key(environment: Mapping[str, str]) -> CryptoSigner | None:
    """The private key that `TRUNKLINE_SIGNING_KEY` gives; None where it is not set.

    Raises KeyProblem for a file that others can read, and for what is no ed25519 key.
    """
    found = _bytes_of(environment, SIGNING_VARIABLE, private=True)
    if found is None:
        return None
    _refuse_public(found)
    try:
        private = load_pem_private_key(found, password=None)
    except TypeError:
        raise KeyProblem(
            f"the key in {SIGNING_VARIABLE} has a pass phrase, which nobody can type here"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        raise KeyProblem(
            f"{SIGNING_VARIABLE} holds no private key in PEM: make one with `trunkline key new`"
        ) from None
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyProblem(
            f"{SIGNING_VARIABLE} holds a key that is not ed25519: make one with `trunkline key new`"
        )
    return CryptoSigner(private, _with_id(private.public_key()))


def trusted_keys(environment: Mapping[str, str]) -> tuple[Key, ...]:
    """The public keys that `TRUNKLINE_TRUSTED_KEYS` gives, one PEM after the other.

    None where the variable is not set: nothing has to be signed then. Raises KeyProblem if it is
    set and holds no key: a machine that lost its keys must not begin to believe everything.
    """
    found = _bytes_of(environment, TRUSTED_VARIABLE, private=False)
    if found is None:
        return ()
    try:
        loaded = [load_pem_public_key(pem) for pem in _PUBLIC.findall(found)]
    except (ValueError, UnsupportedAlgorithm):
        raise KeyProblem(f"{TRUSTED_VARIABLE} holds a public key that can't be read") from None
    if not loaded and _PRIVATE.search(found):
        raise KeyProblem(
            f"{TRUSTED_VARIABLE} holds a private key and no public key: the private one stays "
            "where releases are published; name its public half, the file that ends in .pub"
        )
    if not loaded:
        raise KeyProblem(f"{TRUSTED_VARIABLE} is set and holds no public key in PEM")
    keys: dict[str, Key] = {}
    for key in loaded:
        if not isinstance(key, Ed25519PublicKey):
            raise KeyProblem(f"{TRUSTED_VARIABLE} holds a key that is not ed25519")
        named = _with_id(key)
        keys[named.keyid] = named
    return tuple(keys.values())


def new_key() -> tuple[bytes, CryptoSigner]:
    """A new private key, as PEM and as what signs."""
    private = Ed25519PrivateKey.generate()
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem, CryptoSigner(private, _with_id(private.public_key()))


def public_pem(key: Key) -> bytes:
    """A public key as `TRUNKLINE_TRUSTED_KEYS` takes it."""
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.keyval["public"]))
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def ids(keys: Sequence[Key]) -> str:
    """The ids of keys, as messages list them."""
    return ", ".join(sorted(key.keyid for key in keys)) or "none"


def _with_id(public: Ed25519PublicKey) -> SSlibKey:
    """A key with its id: the first 16 hexadecimal digits of the SHA-256 of its DER form.

    `openssl pkey -pubin -in FILE -outform DER | sha256sum` gives the same.
    """
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return SSlibKey.from_crypto(public, keyid=hashlib.sha256(der).hexdigest()[:16])


def _refuse_public(found: bytes) -> None:
    if _PUBLIC.search(found) and not _PRIVATE.search(found):
        raise KeyProblem(
            f"{SIGNING_VARIABLE} holds the public half of a key, which signs nothing: name the "
            "private key, the file without .pub"
        )


def _bytes_of(environment: Mapping[str, str], variable: str, *, private: bool) -> bytes | None:
    text = environment.get(variable, "").strip()
    if not text:
        return None
    if text.encode("utf-8", "replace").startswith(_BEGIN):
        return text.encode("utf-8")
    path = Path(text)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise KeyProblem(f"what {variable} names is not a file")
            found = file.read(_LARGEST)
            if private:
                _refuse_public(found)  # first: closing that file would be no help
            if private and state.st_mode & 0o077:
                raise KeyProblem(
                    f"others can read the private key {path}: close it with `chmod 600 {path}`, "
                    "and if it lay open to them, replace it"
                )
            return found
    except OSError as error:
        # The value may be a mangled key in place of a path: it is never repeated.
        raise KeyProblem(
            f"the file that {variable} names can't be read: {error.strerror}"
        ) from None
