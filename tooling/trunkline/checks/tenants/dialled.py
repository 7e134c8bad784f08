"""Numbers that two tenants say are theirs."""

from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.model.repository import Repository


def numbers_of_two(repository: Repository) -> Iterator[Finding]:
    """Each dialled number that an earlier tenant has. The number itself is not repeated."""
    owners: dict[str, str] = {}
    for tenant in repository.tenants.values():
        for number in tenant.inbound:
            owner = owners.setdefault(number, tenant.id)
            if owner != tenant.id:
                message = f"this number leads to a flow of the tenant {owner} already"
                help = f"Take it out here or in flows/{owner}/tenant.yaml: a call goes to one flow."
                yield error_at("TL102", tenant.place.at("inbound", number).key, message, help)
