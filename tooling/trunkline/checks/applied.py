"""All checks of one kind, applied to what they look at; of each check no more than helps."""

from collections.abc import Iterator, Mapping
from datetime import date

from trunkline.checks.all import (
    DATED_FLOW_CHECKS,
    DATED_POLICY_CHECKS,
    FILE_CHECKS,
    FLOW_CHECKS,
    REPOSITORY_CHECKS,
    TENANT_CHECKS,
)
from trunkline.finding import Finding
from trunkline.gathered import bounded
from trunkline.graph.analysis import Analysis
from trunkline.model.flow import Flow
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant


def faults_of_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """What is wrong with the file of a flow, whoever uses it."""
    for check in FILE_CHECKS:
        yield from bounded(check(flow, repository))


def faults_of_flow(analysis: Analysis, day: date) -> Iterator[Finding]:
    """What is wrong with a flow of a tenant, with all that it uses in place."""
    for check in FLOW_CHECKS:
        yield from bounded(check(analysis))
    for dated_check in DATED_FLOW_CHECKS:
        yield from bounded(dated_check(analysis, day))


def faults_of_tenant(tenant: Tenant, repository: Repository) -> Iterator[Finding]:
    """What is wrong with the settings of a tenant."""
    for check in TENANT_CHECKS:
        yield from bounded(check(tenant, repository))


def faults_of_rest(
    repository: Repository, analyses: Mapping[tuple[str, str], Analysis], day: date
) -> Iterator[Finding]:
    """What is wrong with the policy, and between the files."""
    for check in REPOSITORY_CHECKS:
        yield from bounded(check(repository))
    for dated_check in DATED_POLICY_CHECKS:
        yield from bounded(dated_check(repository, analyses, day))
