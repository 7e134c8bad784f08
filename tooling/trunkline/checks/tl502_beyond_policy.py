"""TL502: a tenant or a flow that goes beyond what the policy grants.

Finds: a rule under `policy` of a tenant that is wider than the platform's (hours when every rule of
the platform is closed, a cap that is higher than the platform's); a purpose that
`policy/purposes.yaml` does not grant the tenant, or that is for calls of the other direction; a
`link` to a flow of another purpose or direction.

On the phone: nothing that is wider takes effect, because the stricter rule always wins: whoever
wrote it expects calls that will be refused. And a call that begins as a reminder must not turn into
an offer half way through.

Fails:

    # policy/purposes.yaml grants northwind-energy collections only
    purpose: sales

Passes:

    purpose: collections
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time

from trunkline.checks.at import error_at, listed
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.inline import InlinedNode
from trunkline.model.nodes import LinkNode
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant
from trunkline.nearest import did_you_mean
from trunkline_runtime.policy.loosening import loosenings
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.step_purpose import judge_purpose

CODE = "TL502"


def check_tenant(tenant: Tenant, repository: Repository) -> Iterator[Finding]:
    """Each rule of a tenant that asks for more than the platform allows."""
    if not tenant.written.get("policy"):
        return
    for found in loosenings(repository.policy.rules_for(tenant), tenant.id):
        place = tenant.place.at("policy", *found.path)
        yield error_at(CODE, place, found.message, f"{_sentence(found.help)}.")


def check(analysis: Analysis, today: date) -> Iterator[Finding]:
    """The purpose of a flow, and the flows that it links to."""
    yield from _purpose(analysis, today)
    for inner in analysis.inlined.nodes.values():
        if isinstance(inner.node, LinkNode):
            yield from _link(analysis, inner, inner.node)


def _purpose(analysis: Analysis, today: date) -> Iterator[Finding]:
    rules, whole = analysis.repository.policy.rules, analysis.inlined.whole
    if rules.purposes is None or whole.purpose is None:
        return
    tenant = analysis.inlined.tenant
    question = Question(
        tenant=tenant,
        purpose=whole.purpose,
        now=datetime.combine(today, time(), UTC),
        direction=whole.direction or "",
    )
    for reason in judge_purpose(rules, question).reasons:
        granted = rules.grants.get(tenant, frozenset())
        nearest = did_you_mean(whole.purpose, granted - {whole.purpose})
        has = f"It was granted {listed(tuple(sorted(granted)))}." if granted else ""
        help = nearest or f"Compliance grants purposes in policy/purposes.yaml. {has}".strip()
        own = analysis.inlined.flow
        # A shared flow states its purpose for all: to use it without the grant is the fault.
        place = whole.place.at("purpose") if own is whole else own.place.at("use")
        yield error_at(CODE, place, reason.message, help)


def _link(analysis: Analysis, inner: InlinedNode, node: LinkNode) -> Iterator[Finding]:
    here = analysis.inlined.whole
    there = analysis.repository.whole_flow(analysis.inlined.tenant, node.flow)
    if there is None:
        return
    for what, ours, theirs in (
        ("purpose", here.purpose, there.purpose),
        ("direction", here.direction, there.direction),
    ):
        if ours != theirs:
            message = (
                f"`{node.flow}` has the {what} {theirs or '(none)'} and this flow "
                f"{ours or '(none)'}: a call keeps both when it goes on in another flow"
            )
            help = "Link to a flow of the same purpose and direction, or end the call here."
            yield error_at(CODE, inner.node.place.at("flow"), message, help)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
