"""Keys and signatures: what is taken as a key, what a signature proves, and what it never does."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from trunkline_runtime.table.artifact import RELEASE, Descriptor, Manifest
from trunkline_runtime.table.trust.envelope import EnvelopeError, read_envelope, seal
from trunkline_runtime.table.trust.keys import (
    KeyProblem,
    new_key,
    public_pem,
    signing_key,
    trusted_keys,
)
from trunkline_runtime.table.trust.signature import Untrusted, sign, signature_tag, vouched_by

SIGNING, TRUSTED = "TRUNKLINE_SIGNING_KEY", "TRUNKLINE_TRUSTED_KEYS"
NAMED = Descriptor.of("application/vnd.oci.image.manifest.v1+json", b"a manifest", {})


def key_file(folder: Path, mode: int = 0o600) -> Path:
    pem, _ = new_key()
    path = folder / "key.pem"
    path.write_bytes(pem)
    path.chmod(mode)
    return path


def test_a_key_comes_from_the_environment_or_a_closed_file(tmp_path: Path) -> None:
    path = key_file(tmp_path)
    from_file = signing_key({SIGNING: str(path)})
    from_text = signing_key({SIGNING: path.read_text()})
    assert from_file is not None
    assert from_text is not None
    assert from_file.public_key.keyid == from_text.public_key.keyid
    assert signing_key({}) is None
    assert signing_key({SIGNING: " "}) is None


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = key_file(tmp_path, mode)
    with pytest.raises(KeyProblem, match=r"others can read .* `chmod 600"):
        signing_key({SIGNING: str(path)})


def test_the_public_half_signs_nothing_whoever_can_read_it(tmp_path: Path) -> None:
    """No word of chmod: closed, the file would be no more of a private key."""
    path = tmp_path / "key.pem.pub"
    path.write_bytes(public_pem(new_key()[1].public_key))
    for mode in (0o644, 0o600):
        path.chmod(mode)
        with pytest.raises(KeyProblem, match="holds the public half of a key") as caught:
            signing_key({SIGNING: str(path)})
        assert "chmod" not in str(caught.value)


def test_the_private_half_is_not_what_is_trusted(tmp_path: Path) -> None:
    with pytest.raises(KeyProblem, match=r"holds a private key and .* the file that ends in .pub"):
        trusted_keys({TRUSTED: str(key_file(tmp_path))})


def made_by_openssl(*arguments: str) -> str:
    ran = subprocess.run(["openssl", *arguments], check=True, capture_output=True, text=True)
    return ran.stdout


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: made_by_openssl("genpkey", "-algorithm", "x25519"), "not ed25519"),
        (
            lambda: made_by_openssl(
                "genpkey", "-algorithm", "ed25519", "-aes-128-cbc", "-pass", "pass:secret"
            ),
            "has a pass phrase",
        ),
        (lambda: "-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----", "no private"),
        (lambda: public_pem(new_key()[1].public_key).decode(), "the public half of a key"),
        (lambda: "-----BEGIN CERTIFICATE-----\n", "no private key in PEM"),
        (lambda: "/nowhere/key.pem", "can't be read: No such file"),
        (lambda: "/dev/null", "is not a file"),
    ],
)
def test_what_is_no_signing_key_is_refused(make: Callable[[], str], said: str) -> None:
    with pytest.raises(KeyProblem, match=said):
        signing_key({SIGNING: make()})


def test_a_mangled_key_is_never_repeated() -> None:
    """A PEM that lost its first line would look like a path."""
    body = new_key()[0].decode().splitlines()[1]
    for text in (body, body + "\n-----END PRIVATE KEY-----"):
        with pytest.raises(KeyProblem) as caught:
            signing_key({SIGNING: text})
        assert body not in str(caught.value)


def test_the_id_of_a_key_is_the_one_that_openssl_gives(tmp_path: Path) -> None:
    _, signer = new_key()
    path = tmp_path / "public.pem"
    path.write_bytes(public_pem(signer.public_key))
    pipeline = f"openssl pkey -pubin -in {path} -outform DER | sha256sum"
    ran = subprocess.run(pipeline, shell=True, check=True, capture_output=True, text=True)
    assert ran.stdout[:16] == signer.public_key.keyid


def test_several_keys_are_trusted_at_once(tmp_path: Path) -> None:
    signers = [new_key()[1] for _ in range(2)]
    text = "old\n".join(public_pem(signer.public_key).decode() for signer in signers)
    path = tmp_path / "trusted.pem"
    path.write_text("# the keys\n" + text)
    for value in (text, str(path)):
        keys = trusted_keys({TRUSTED: value})
        assert {key.keyid for key in keys} == {signer.public_key.keyid for signer in signers}
    assert trusted_keys({}) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----", "can't be read"),
        ("-----BEGIN CERTIFICATE-----\n", "holds no public key"),
        ("/nowhere", "can't be read: No such file"),
    ],
)
def test_trusted_keys_that_are_none_never_mean_that_all_is_trusted(text: str, said: str) -> None:
    with pytest.raises(KeyProblem, match=said):
        trusted_keys({TRUSTED: text})


def test_a_private_key_is_no_trusted_key() -> None:
    with pytest.raises(KeyProblem, match="no public key"):
        trusted_keys({TRUSTED: new_key()[0].decode()})


def test_a_signature_is_found_by_the_digest_and_points_at_its_subject() -> None:
    manifest, envelope = sign("acme", "v2", NAMED, new_key()[1])
    document = json.loads(manifest.canonical())
    assert document["subject"]["digest"] == NAMED.digest
    assert signature_tag(NAMED.digest) == NAMED.digest.replace(":", "-") + ".dsse"
    assert [layer.size for layer in manifest.layers.values()] == [len(envelope)]


def test_the_same_key_signs_with_the_same_bytes() -> None:
    _, signer = new_key()
    assert sign("acme", "v2", NAMED, signer) == sign("acme", "v2", NAMED, signer)


def test_a_trusted_signature_vouches() -> None:
    _, signer = new_key()
    _, envelope = sign("acme", "v2", NAMED, signer)
    keys = [new_key()[1].public_key, signer.public_key]
    assert vouched_by(envelope, "acme", "v2", NAMED, keys) == (signer.public_key.keyid,)


OTHER = Descriptor.of("application/vnd.oci.image.manifest.v1+json", b"another one", {})


@pytest.mark.parametrize(
    ("name", "tag", "named"), [("birch", "v2", NAMED), ("acme", "v3", NAMED), ("acme", "v2", OTHER)]
)
def test_a_signature_stands_for_one_tag_of_one_tenant(
    name: str, tag: str, named: Descriptor
) -> None:
    _, signer = new_key()
    _, envelope = sign("acme", "v2", NAMED, signer)
    with pytest.raises(Untrusted, match="made for something else"):
        vouched_by(envelope, name, tag, named, [signer.public_key])


def test_a_key_that_is_not_trusted_is_named() -> None:
    _, stranger = new_key()
    _, envelope = sign("acme", "v2", NAMED, stranger)
    mine = new_key()[1].public_key
    with pytest.raises(Untrusted) as caught:
        vouched_by(envelope, "acme", "v2", NAMED, [mine])
    assert f"the key {stranger.public_key.keyid}, which is not trusted" in str(caught.value)
    assert mine.keyid in str(caught.value)


def test_a_forged_signature_under_a_trusted_id_is_refused() -> None:
    _, signer = new_key()
    _, stranger = new_key()
    _, envelope = sign("acme", "v2", NAMED, stranger)
    forged = envelope.replace(stranger.public_key.keyid.encode(), signer.public_key.keyid.encode())
    with pytest.raises(Untrusted, match="does not fit its bytes"):
        vouched_by(forged, "acme", "v2", NAMED, [signer.public_key])


def test_an_envelope_without_a_signature_is_unsigned() -> None:
    data = seal("text/x", b"words", None)
    assert read_envelope(data, "text/x").claimed == ()


def test_rotation_keeps_the_old_signature_beside_the_new_one() -> None:
    old, new = new_key()[1], new_key()[1]
    first = read_envelope(seal("text/x", b"words", old), "text/x")
    both = read_envelope(seal("text/x", b"words", new, first), "text/x")
    for key in (old.public_key, new.public_key):
        assert both.signers([key]) == (key.keyid,)
    other = read_envelope(seal("text/x", b"other words", new, first), "text/x")
    assert other.claimed == (new.public_key.keyid,)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"payload":"!","payloadType":"text/x","signatures":[]}',
        b'{"payload":"","payloadType":"text/x","signatures":[{}]}',
        b'{"payload":"","payloadType":"text/x","signatures":[{"keyid":"a","sig":7}]}',
        b'{"payload":"","payloadType":"text/y","signatures":[]}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_envelope_is_said(data: bytes) -> None:
    with pytest.raises(EnvelopeError):
        read_envelope(data, "text/x")


def test_a_signature_that_is_no_signature_fits_nothing() -> None:
    key = new_key()[1].public_key
    text = '{"payload":"","payloadType":"text/x","signatures":[{"keyid":"%s","sig":"AAAA"}]}'
    assert read_envelope((text % key.keyid).encode(), "text/x").signers([key]) == ()


def test_a_release_has_no_subject_and_keeps_its_bytes() -> None:
    manifest = Manifest(RELEASE, NAMED, {})
    assert b"subject" not in manifest.canonical()
