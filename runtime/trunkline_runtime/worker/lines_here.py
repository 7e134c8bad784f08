"""Which tenant a dialled number belongs to: an index of all tenants' `inbound`, beside the cache.

The worker's main process writes it whenever a tenant's release changes; the process of a call reads
it. The release that the call then takes has the last word on the flow.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from trunkline_runtime.release.loaded import Release
from trunkline_runtime.table.canonical import canonical_bytes
from trunkline_runtime.table.durable import make_folder, place

_FILE = Path(".lines") / "inbound.json"


class NoTenant(LookupError):
    """A dialled number that leads to no tenant, or to two. The message holds no number."""


def write_lines(cache: Path, releases: Iterable[Release]) -> None:
    """Writes the index if it says something new. Raises OSError."""
    lines: dict[str, list[str]] = {}
    for release in releases:
        for number in release.settings.inbound:
            lines.setdefault(number, []).append(release.tenant)
    data = canonical_bytes({number: sorted(tenants) for number, tenants in lines.items()})
    path = cache / _FILE
    if not path.is_file() or path.read_bytes() != data:
        make_folder(path.parent)
        place(path, data)


def tenant_of(cache: Path, dialled: str) -> str:
    """The tenant that a number belongs to. Raises NoTenant."""
    try:
        lines: Mapping[str, list[str]] = json.loads((cache / _FILE).read_bytes())
    except (OSError, ValueError):
        raise NoTenant("no tenant's numbers are known here yet") from None
    tenants = lines.get(dialled, [])
    if len(tenants) != 1:
        found = "no tenant" if not tenants else " and ".join(tenants)
        raise NoTenant(f"the dialled number belongs to {found}")
    return tenants[0]
