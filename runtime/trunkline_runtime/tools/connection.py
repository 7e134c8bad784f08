"""Where a tenant's system is and how calls to it sign in: both from the environment, never a file.

The variable that holds the base URL is the connection's `base_url_env`. The bearer token is in its
`token_env`, or, where the tenant names none, in the same variable with `_TOKEN` for `_URL`:
`NORTHWIND_ENERGY_CRM_URL` goes with `NORTHWIND_ENERGY_CRM_TOKEN`. A system that needs no token
gets none.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.runner import ToolFailed

logger = logging.getLogger("trunkline.tools")

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Connection:
    """One system of one tenant. `token` never shows in a repr, and so in no log."""

    name: str
    base_url: str
    token: str | None = field(repr=False)

    def is_home_of(self, url: httpx.URL) -> bool:
        """Whether a URL has the scheme, host and port of the base URL, and no sign-in of its own.

        It is the URL as it will be sent, so nobody else's reading of it decides.
        """
        return not url.userinfo and _origin(url) == _origin(httpx.URL(self.base_url))


def connection_of(tenant: TenantSettings, name: str, environment: Mapping[str, str]) -> Connection:
    """The tenant's connection of that name. Raises ToolFailed if it is not set up."""
    settings = tenant.connections.get(name)
    if settings is None:
        raise ToolFailed(f"The {name} system is not connected.", nothing_done=True)
    url_variable = settings.get("base_url_env")
    base_url = environment.get(url_variable, "").strip() if url_variable else ""
    wrong = _wrong_with(base_url)
    if wrong is not None:
        logger.error("%s %s: the %s system is not set up", url_variable, wrong, name)
        raise _not_set_up(name)
    token_variable = settings.get("token_env") or f"{str(url_variable).removesuffix('_URL')}_TOKEN"
    # Files that hold secrets end with a line break.
    token = environment.get(token_variable, "").strip()
    if not (token.isascii() and (token + " ").isprintable()):
        logger.error(
            "%s holds what no header can: the %s system is not set up", token_variable, name
        )
        raise _not_set_up(name)
    return Connection(name, base_url.rstrip("/"), token or None)


def _not_set_up(name: str) -> ToolFailed:
    return ToolFailed(f"The {name} system is not set up.", nothing_done=True)


def variable_missing(
    tenant: TenantSettings, name: str, environment: Mapping[str, str]
) -> str | None:
    """The variable that should hold the base URL of a connection and does not; None if none is.

    For the operator's eyes: the model hears only that the system is not set up.
    """
    variable = tenant.connections.get(name, {}).get("base_url_env")
    if variable is None or _wrong_with(environment.get(variable, "").strip()) is None:
        return None
    return str(variable)


def _wrong_with(base_url: str) -> str | None:
    """What is wrong with a base URL, in words that follow its variable's name; None if fine."""
    try:
        urlsplit(base_url)
        url = httpx.URL(base_url)
    except (ValueError, httpx.InvalidURL):
        return "holds no http address"
    if url.scheme not in _PORTS or not url.host:
        return "holds no http address"
    if url.userinfo:
        return "holds a name or a password, which belong into the variable of the token"
    if url.query or url.fragment or base_url.endswith(("?", "#")):
        return "holds more than an address: what stands behind ? or # would swallow the tool's path"
    return None


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    """(scheme, host, port) of a URL."""
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)
