"""The address of a registry: `oci://HOST[:PORT][/PREFIX]`, one repository below it per tenant."""

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path

from trunkline_runtime.table.layout import POLICY_NAME

SCHEME = "oci://"
# A repository's name may not begin with an underscore; one with an underscore is no tenant's.
POLICY_REPOSITORY = "trunkline_policy"
CLAIMS_REPOSITORY = "trunkline_publish"

_HOST = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?")
# Two letters at least: `C:/flows` is a folder. `oci:` without slashes is a slip as well.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/+|oci:", re.IGNORECASE)
_PART = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")


@dataclass(frozen=True)
class Address:
    """Where a registry is, and below which prefix (maybe empty) its repositories lie."""

    host: str
    prefix: str

    @property
    def base(self) -> str:
        """The registry's URL. A registry on this machine speaks plain HTTP, as with docker."""
        return f"{'http' if is_loopback(self.host) else 'https'}://{self.host}"

    def repository(self, name: str) -> str:
        """The repository of a tenant, or of `_policy`."""
        own = POLICY_REPOSITORY if name == POLICY_NAME else name
        return f"{self.prefix}/{own}" if self.prefix else own

    def name(self, repository: str) -> str | None:
        """The tenant (or `_policy`) whose repository this is; None if it lies elsewhere."""
        below = f"{self.prefix}/" if self.prefix else ""
        own = repository.removeprefix(below)
        if not repository.startswith(below) or "/" in own or own == CLAIMS_REPOSITORY:
            return None
        return POLICY_NAME if own == POLICY_REPOSITORY else own

    def __str__(self) -> str:
        return f"{SCHEME}{self.host}" + (f"/{self.prefix}" if self.prefix else "")


def is_address(text: str) -> bool:
    """True for the address of a registry, false for the path of a folder."""
    return text.startswith(SCHEME)


def read_place(text: str) -> Address | Path:
    """What a user calls a store: a registry or a folder. Raises ValueError for what is neither.

    An address of another kind must not become a folder of that name: nobody would look there.
    """
    if is_address(text):
        return read_address(text)
    scheme = _SCHEME.match(text)
    if scheme is not None:
        # The rest may hold a password: it is not repeated.
        raise ValueError(
            f"{scheme.group()!r} begins the name of no store: a store is a folder or "
            f"{SCHEME}HOST/PREFIX"
        )
    return Path(text)


def read_address(text: str) -> Address:
    """The address that a user wrote. Raises ValueError, with what to write instead."""
    host, _, prefix = text.removeprefix(SCHEME).rstrip("/").partition("/")
    if "@" in host:
        # The password stands on a command line already; at least it is not repeated here.
        raise ValueError(
            "an address holds no user and no password: use `docker login`, or the variables "
            "TRUNKLINE_REGISTRY_USER and TRUNKLINE_REGISTRY_PASSWORD"
        )
    if not _HOST.fullmatch(host):
        raise ValueError(f"{text!r} names no registry: write {SCHEME}HOST/PREFIX")
    if prefix and not all(_PART.fullmatch(part) for part in prefix.split("/")):
        raise ValueError(
            f"{prefix!r} can't be the beginning of a repository's name: small letters, digits "
            "and single . _ - between them"
        )
    return Address(host, prefix)


def is_loopback(host: str) -> bool:
    """True for a host, with or without a port, that is this machine."""
    name = host.rsplit(":", 1)[0] if re.search(r":[0-9]+$", host) else host
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
