"""TL504: calls that the policy can never allow, or that could cost more than it allows.

Finds: an outbound flow without a purpose, or for which the hours of all rules, the tenant's own
included, leave no minute of the week in any region; a flow whose tools together, each called as
often as `max_calls` lets it, would pass a spend cap; a tool whose cost no cap bounds. The tools of
subagents and of linked flows count. `trunkline explain TENANT/FLOW` shows the sum.

On the phone: the call is never made, or breaks off in the middle: the tool that would pass the cap
is refused while the person waits.

Fails:

    # a call may cost 2 dollars, and take_payment costs 0.30 at a time
    tools:
      - {id: take_payment, max_calls: 10}

Passes:

    tools:
      - {id: take_payment, max_calls: 2}
"""

from collections.abc import Iterator
from datetime import date

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.cap_loads import CapLoad, cap_loads, is_far_below
from trunkline.graph.spenders import Spender
from trunkline.model.place import Place
from trunkline_runtime.policy.opening import DIALLING, is_ever_open

CODE = "TL504"
_MICROS = 1_000_000
_TOLD = 3  # so many tools say enough about a sum


def check(analysis: Analysis, today: date) -> Iterator[Finding]:
    """What the policy could never allow of a flow."""
    if analysis.inlined.obstacles or analysis.tenant is None:
        return
    if analysis.inlined.whole.direction == DIALLING:
        yield from _dial(analysis, today)
    if is_far_below(analysis, today):
        return
    loads = cap_loads(analysis, today)
    for load in loads.caps:
        if load.micros > load.limit:
            yield _passed(analysis, load)
    for spender in loads.uncapped:
        cost = spender.entry.cost
        currency = cost.currency if cost else ""
        message = f"`{spender.entry.id}` costs {currency}, and no cap bounds that: it is denied"
        help = "Compliance adds a cap in that currency to policy/spend.yaml."
        yield error_at(CODE, _place(analysis, spender), message, help)


def _dial(analysis: Analysis, today: date) -> Iterator[Finding]:
    rules, whole = analysis.repository.policy.rules, analysis.inlined.whole
    own = analysis.inlined.flow
    place = own.place.at("id") if own is whole else own.place.at("use")
    if rules.purposes is not None and whole.purpose is None:
        message = "nobody can be called by this flow: it names no purpose, and each dial needs one"
        help = "Add `purpose`: one that policy/purposes.yaml grants this tenant."
        yield error_at(CODE, place, message, help)
        return
    tenant = analysis.tenant
    unread = any(name.startswith("jurisdictions/") for name in rules.unreadable)
    if tenant is None or unread or not rules.jurisdictions:
        return
    layered = analysis.repository.policy.rules_for(tenant)
    if layered.tenant_fault is None and not is_ever_open(layered, whole.purpose or "", today):
        message = "nobody can be called by this flow: the windows leave no minute of the week"
        help = (
            f"Compare `policy` of flows/{tenant.id}/tenant.yaml with policy/jurisdictions/: every "
            "rule must be open at once."
        )
        yield error_at(CODE, place, message, help)


def _passed(analysis: Analysis, load: CapLoad) -> Finding:
    tools = [_cost(spender) for spender in load.spenders[:_TOLD]]
    rest = len(load.spenders) - len(tools)
    more = f" and {rest} more" if rest else ""
    message = (
        f"at worst one call costs {_money(load.micros, load.currency)} in tools, and the cap "
        f"`{load.rule}` allows {_money(load.limit, load.currency)} a {load.per}"
    )
    help = f"Lower `max_calls`: {', '.join(tools)}{more}."
    return error_at(CODE, _place(analysis, load.spenders[0]), message, help)


def _cost(spender: Spender) -> str:
    cost = spender.entry.cost
    each = cost.worst_micros if cost else 0
    return f"{spender.entry.id} {spender.calls} times {each / _MICROS:g}"


def _place(analysis: Analysis, spender: Spender) -> Place:
    """The grant; a tool of a linked flow is that flow's, so the link's own flow is named."""
    if spender.flow == analysis.inlined.flow.id:
        return spender.use.place
    return analysis.inlined.flow.place.at("id")


def _money(micros: int, currency: str) -> str:
    return f"{micros / _MICROS:.2f} {currency}"
