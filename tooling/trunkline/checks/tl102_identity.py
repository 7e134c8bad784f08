"""TL102: an id that differs from the file's name, or that is used twice.

Finds: a flow or tool whose `id` is not its file's name, a tenant whose `id` is not its folder's,
a tool id that two connections have, a policy rule id that two rules have, a dialled number that
two tenants have.

On the phone: telephone numbers, links and releases find a flow by its id. Two names for one flow
mean that a change goes live somewhere else than where it was reviewed.

Fails:

    # flows/northwind-energy/overdue-invoice.yaml
    id: invoice

Passes:

    # flows/northwind-energy/overdue-invoice.yaml
    id: overdue-invoice
"""

from collections.abc import Iterator

from trunkline.checks.tenants.dialled import numbers_of_two
from trunkline.finding import Finding
from trunkline.model.repository import Repository


def check_repository(repository: Repository) -> Iterator[Finding]:
    """Numbers that two tenants have; ids are held against each other when files are read."""
    yield from numbers_of_two(repository)
