"""`trunkline explain`: the documentation of a check, or all that is known of a flow or node."""

import re
from pathlib import Path

import click

from trunkline.checks.documentation import documentation
from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean


@click.command("explain")
@click.argument("subject", metavar="CODE | TENANT | TENANT/FLOW")
@click.argument("node", required=False)
@click.pass_obj
def command(root: Path, subject: str, node: str | None) -> int:
    """What a check finds and why it matters, or what is known of a flow or of one NODE.

    Of a TENANT, its flows.
    """
    if "/" in subject:
        click.echo(_flow(root, subject, node), nl=False)
    elif node is not None:
        raise FatalError(f"{subject}: name a flow as TENANT/FLOW to ask about its node {node}")
    else:
        click.echo(_check(root, subject), nl=False)
    return 0


def _check(root: Path, subject: str) -> str:
    # What a flow needs (the compiler) and what a check needs (a page of text) load apart.
    from trunkline.report.explanation import explanation

    code = subject.upper()
    known = documentation()
    about = known.get(code)
    if about is not None:
        return explanation(about)
    if re.fullmatch(r"TL\d*", code) is None:
        flows = _flows_of(root, subject)
        if flows is not None:
            return flows
        raise FatalError(f"{subject}: this is neither a code, such as TL401, nor a TENANT/FLOW")
    hint = did_you_mean(code, known) or f"Known: {', '.join(known)}."
    raise FatalError(f"{code}: there is no such check. {hint}")


def _flows_of(root: Path, tenant: str) -> str | None:
    """A line for each flow of a tenant, with what to type; None if there is no such tenant."""
    from trunkline.model.repository import read_model
    from trunkline.source import read_repository

    if not (root / "flows" / tenant).is_dir():
        return None
    repository = read_model(read_repository(root))
    flows = sorted(flow for owner, flow in repository.flows if owner == tenant)
    if not flows:
        raise FatalError(f"{tenant} has no flow that can be read; `trunkline check` tells why")
    count = f"{len(flows)} flow{'s' * (len(flows) != 1)}"
    lines = [f"{tenant} has {count}; `trunkline explain {tenant}/{flows[0]}` tells of one:"]
    return "\n".join([*lines, *(f"  {tenant}/{flow}" for flow in flows)]) + "\n"


def _flow(root: Path, subject: str, node: str | None) -> str:
    from trunkline.chosen_flow import chosen_flow
    from trunkline.graph.account import account
    from trunkline.model.repository import read_model
    from trunkline.report.account import flow_text, node_text
    from trunkline.source import read_repository
    from trunkline.today import today

    analysis = chosen_flow(read_model(read_repository(root)), subject)
    if not analysis.has_graph:
        path = analysis.inlined.flow.path
        raise FatalError(f"{path} has errors; `trunkline check {path}` tells them")
    nodes = analysis.inlined.nodes
    if node is None:
        return flow_text(account(analysis, today()))
    if node not in nodes:
        hint = did_you_mean(node, nodes) or f"It has {', '.join(nodes)}."
        raise FatalError(f"{subject} has no node {node}. {hint}")
    return node_text(account(analysis, today(), [node]).nodes[0])
