"""The one flow that a command is asked about, found by `<tenant>/<flow>`."""

from trunkline.failure import FatalError
from trunkline.graph.analysis import Analysis, analyse
from trunkline.model.repository import Repository
from trunkline.nearest import did_you_mean


def chosen_flow(repository: Repository, name: str) -> Analysis:
    """The analysis of a flow. Raises FatalError if there is none, or none that can be relied on."""
    tenant, _, flow = name.partition("/")
    if not flow:
        raise FatalError(f"{name}: name a flow as TENANT/FLOW")
    found = repository.flows.get((tenant, flow))
    if found is None:
        path = f"flows/{tenant}/{flow}.yaml"
        if path in repository.broken:
            raise FatalError(f"{path} has errors; `trunkline check {path}` tells them")
        tenants = {owner for owner, _ in repository.flows} | repository.tenants.keys()
        if tenant not in tenants:
            hint = did_you_mean(tenant, tenants)
            raise FatalError(f"there is no tenant {tenant} in flows/. {hint}".rstrip())
        hint = did_you_mean(flow, repository.flow_ids_of(tenant))
        raise FatalError(f"the tenant {tenant} has no flow {flow}. {hint}".rstrip())
    return analyse(repository, tenant, found)
