"""Settings of one tenant that no schema can judge."""

from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.model.tenant import Tenant
from trunkline.source.quoting import shown
from trunkline_runtime.policy.clock import UnknownZone, zone
from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.week import Week

_VARIABLES = ("base_url_env", "token_env")


def time_zone(tenant: Tenant) -> Iterator[Finding]:
    """A time zone that the pinned data does not hold."""
    name: str = tenant.written["timezone"]
    try:
        zone(name)
    except UnknownZone:
        message = f"there is no time zone {shown(name)}"
        help = 'Write its name in the IANA data, such as "America/New_York".'
        yield error_at("TL103", tenant.place.at("timezone"), message, help)


def opening_hours(tenant: Tenant) -> Iterator[Finding]:
    """Hours that nobody can read: a day given twice, a time that closes before it opens."""
    try:
        Week.from_document(tenant.written.get("hours", {}))
    except Malformed as fault:
        message = f"these hours cannot be read: {fault}"
        yield error_at("TL101", tenant.place.at("hours").key, message)


def variables(tenant: Tenant) -> Iterator[Finding]:
    """Variables that may hold another tenant's address or token.

    Every variable of a worker's environment could be named here; the prefix keeps the tenants that
    share a worker apart.
    """
    prefix = f"{tenant.id.upper().replace('-', '_')}_"
    for name, connection in tenant.written.get("connections", {}).items():
        for key in _VARIABLES:
            variable = (connection or {}).get(key)
            if variable is not None and not variable.startswith(prefix):
                message = f"`{variable}` does not begin with the tenant's id"
                help = f"Name it {prefix}{_rest(variable)}: a tenant reads no variable of another."
                yield error_at("TL101", tenant.place.at("connections", name, key), message, help)


def _rest(variable: str) -> str:
    """The end of a variable's name that says what it is."""
    parts = variable.split("_")
    return "_".join(parts[-2:]) if len(parts) > 1 else variable
