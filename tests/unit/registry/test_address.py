"""Addresses of registries: what is one, what is none, and where a tenant's repository lies."""

from pathlib import Path

import pytest

from trunkline.failure import FatalError as Unpublished
from trunkline.release.open_store import open_store
from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.store import open_source
from trunkline_runtime.table.registry.address import (
    is_address,
    is_loopback,
    read_address,
    read_place,
)


@pytest.mark.parametrize(
    ("text", "base", "repository"),
    [
        ("oci://ghcr.io/acme/flows", "https://ghcr.io", "acme/flows/birch"),
        ("oci://registry.example:5000", "https://registry.example:5000", "birch"),
        ("oci://registry.example/a/", "https://registry.example", "a/birch"),
        ("oci://127.0.0.1:5000/x", "http://127.0.0.1:5000", "x/birch"),
        ("oci://localhost/x", "http://localhost", "x/birch"),
        ("oci://[::1]:5000/x", "http://[::1]:5000", "x/birch"),
    ],
)
def test_an_address(text: str, base: str, repository: str) -> None:
    address = read_address(text)
    assert (address.base, address.repository("birch")) == (base, repository)
    assert read_address(str(address)) == address
    assert address.name(repository) == "birch"


def test_the_policy_has_a_repository_that_is_no_tenant_s() -> None:
    address = read_address("oci://ghcr.io/acme")
    assert address.repository("_policy") == "acme/trunkline_policy"
    assert address.name("acme/trunkline_policy") == "_policy"
    assert address.name("acme/trunkline_publish") is None
    assert address.name("other/birch") is None
    assert address.name("acme/birch/deeper") is None


@pytest.mark.parametrize(
    "text",
    [
        "ftp://foo",
        "s3://b/x",
        "https://me:secret@ghcr.io/me/x",
        "https:/ghcr.io/me/x",
        "file:///srv/store",
        "oci:/host/x",
        "oci:host/x",
        "OCI://host/x",
        "git+ssh://host/x",
    ],
)
def test_an_address_of_another_kind_is_no_folder(text: str) -> None:
    """Whoever writes it and whoever reads it: a folder of that name would be made, or missed."""
    said = "begins the name of no store: a store is a folder or oci://HOST/PREFIX"
    with pytest.raises(FatalError, match=said) as read:
        open_source(text)
    with pytest.raises(Unpublished, match=said):
        open_store(text)
    assert "secret" not in str(read.value)


@pytest.mark.parametrize("text", ["store", "/srv/a:/b", "./oci:/x", "C:/store", "a:b", "."])
def test_a_folder_may_have_a_colon_in_its_name(text: str) -> None:
    assert read_place(text) == Path(text)


@pytest.mark.parametrize("text", ["store", "/srv/store", "./oci", "https://ghcr.io/x", "oci:/x"])
def test_a_folder_is_no_address(text: str) -> None:
    assert not is_address(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("oci://", "names no registry"),
        ("oci:///x", "names no registry"),
        ("oci://host name/x", "names no registry"),
        ("oci://ghcr.io/Acme", "small letters"),
        ("oci://ghcr.io/_x", "small letters"),
        ("oci://ghcr.io/a//b", "small letters"),
        ("oci://ghcr.io/a:v1", "small letters"),
    ],
)
def test_what_is_no_address(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_address(text)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValueError, match="holds no user and no password") as caught:
        read_address("oci://ada:open-sesame@ghcr.io/x")
    assert "open-sesame" not in str(caught.value)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("localhost:5000", True),
        ("a.localhost", True),
        ("127.8.9.1", True),
        ("[::1]", True),
        ("localhost.example.com", False),
        ("10.0.0.1:5000", False),
        ("example", False),
    ],
)
def test_only_this_machine_is_spoken_to_in_the_clear(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
