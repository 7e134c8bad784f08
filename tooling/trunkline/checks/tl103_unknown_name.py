"""TL103: a name of something that does not exist.

Finds: a node, exit, number, disclosure, outcome, flow, slot, input, tenant variable, tool argument
or param that nothing declares; a param, exit or input that is not given; a shared flow that holds
itself; a number that callers dial and that has no inbound flow; a time zone that is not there. The
nearest name that exists is told. (An unknown tool is TL301, an unknown name in an expression TL404,
an unknown fact in a flow TL403.)

On the phone: the call would have nowhere to go, nobody to transfer to, or a gap in a sentence.

Fails:

    verify:
      collect: [postcode]
      edges:
        - {to: state_invoise, when: account holder confirmed}

Passes:

    verify:
      collect: [postcode]
      edges:
        - {to: state_invoice, when: account holder confirmed}
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at, misspelt
from trunkline.checks.names.call_data import names_of_data
from trunkline.checks.names.call_ends import names_of_ends
from trunkline.checks.names.flow_file import names_of_file
from trunkline.checks.names.tool_data import names_of_entry, names_of_tools
from trunkline.checks.tenants.settings import time_zone
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.flow import Flow
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant
from trunkline.nearest import did_you_mean


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """Names that are wrong whoever uses the file."""
    yield from names_of_file(flow, repository)


def check_catalogue(repository: Repository) -> Iterator[Finding]:
    """Facts and arguments that entries of the catalogue name and that do not exist."""
    for entry in repository.catalogue.entries.values():
        yield from names_of_entry(entry, repository.catalogue)


def check_tenant(tenant: Tenant, repository: Repository) -> Iterator[Finding]:
    """Numbers of a tenant that lead to no inbound flow of it, and its time zone."""
    yield from time_zone(tenant)
    known = repository.flow_ids_of(tenant.id)
    for number, flow in tenant.inbound.items():
        if flow not in known:
            message = f"the tenant {tenant.id} has no flow `{flow}`"
            help = did_you_mean(flow, known) or f"It would be flows/{tenant.id}/{flow}.yaml."
            found = error_at("TL103", tenant.place.at("inbound", number), message, help)
            yield misspelt(found, flow, known)
            continue
        whole = repository.whole_flow(tenant.id, flow)
        if whole is not None and whole.direction == "outbound":
            message = f"`{flow}` is outbound: no caller who dials this number can come to it"
            help = f"Name an inbound flow of {tenant.id}, or take the number out."
            yield error_at("TL103", tenant.place.at("inbound", number), message, help)


def check(analysis: Analysis) -> Iterator[Finding]:
    """Names that the flow, its tenant, the catalogue or the policy would have to hold."""
    for obstacle in analysis.inlined.obstacles:
        if obstacle.kind == "loop":
            message = f"{obstacle.flow} holds itself, so it could never be left"
            help = "Let one of the flows in the loop lead to a node instead of the sub-flow."
            yield error_at("TL103", obstacle.place, message, help)
    if analysis.inlined.flow.use is not None and analysis.inlined.whole is analysis.inlined.flow:
        return
    for scope in analysis.inlined.scopes:
        yield from names_of_data(analysis, scope)
        yield from names_of_ends(analysis, scope)
        yield from names_of_tools(analysis, scope)
