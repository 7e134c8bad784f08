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

    def is_home_of(self, url: str) -> bool:
        """Whether a URL has the scheme, host and port of the base URL."""
        return _origin(url) == _origin(self.base_url)


def connection_of(tenant: TenantSettings, name: str, environment: Mapping[str, str]) -> Connection:
    """The tenant's connection of that name. Raises ToolFailed if it is not set up."""
    settings = tenant.connections.get(name)
    if settings is None:
        raise ToolFailed(f"The {name} system is not connected.")
    url_variable = settings.get("base_url_env")
    base_url = environment.get(url_variable, "") if url_variable else ""
    if _origin(base_url) is None:
        logger.error("%s holds no http address: the %s system is not set up", url_variable, name)
        raise ToolFailed(f"The {name} system is not set up.")
    token_variable = settings.get("token_env") or f"{str(url_variable).removesuffix('_URL')}_TOKEN"
    return Connection(name, base_url.rstrip("/"), environment.get(token_variable) or None)


def variable_missing(
    tenant: TenantSettings, name: str, environment: Mapping[str, str]
) -> str | None:
    """The variable that should hold the base URL of a connection and does not; None if none is.

    For the operator's eyes: the model hears only that the system is not set up.
    """
    variable = tenant.connections.get(name, {}).get("base_url_env")
    if variable is None or _origin(environment.get(variable, "")) is not None:
        return None
    return str(variable)


def _origin(url: str) -> tuple[str, str, int] | None:
    """(scheme, host, port) of an http or https URL; None for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]
