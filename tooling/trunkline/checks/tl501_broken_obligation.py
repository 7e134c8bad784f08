"""TL501: an obligation of the policy that the flow breaks.

Finds: what `policy/obligations.yaml` asks of every flow that it applies to: a talk node of an
outbound flow that does not offer, in words, to be called no more; a path on which something is
collected, or the person's data read, before a disclosure is spoken; a talk node from which no human
can be reached. A rule of level `overridable` may be waived by an exception that names the flow or
the node; a mandatory one by nothing. The trace is the shortest path that shows it.

On the phone: somebody who does not know that a machine is speaking, cannot make it stop, and cannot
get past it. The law has a price for each of these.

Fails:

    # an outbound flow
    start: verify
    nodes:
      verify:
        collect: [postcode]

Passes:

    # an outbound flow
    start: greeting
    anywhere:
      - {to: do_not_call, when: the person asks not to be called again}
      - {to: human, when: the person asks for a human}
    nodes:
      greeting:
        speak: [ai, recording]
        edges:
          - {to: verify, when: the person agrees to talk}
      verify:
        collect: [postcode]
"""

from collections.abc import Callable, Iterator
from datetime import date
from typing import TypeAlias

from trunkline.checks.at import error_at
from trunkline.checks.obligations import disclosed, human, opt_out
from trunkline.checks.obligations.breach import Breach, place_in_host
from trunkline.checks.waived import waived_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.inline import InlinedNode
from trunkline.model.policy import applies
from trunkline_runtime.policy.rule import Disclosure, Obligation

CODE = "TL501"
_Owed: TypeAlias = Disclosure | Obligation


def check(analysis: Analysis, today: date) -> Iterator[Finding]:
    """Each obligation that holds for the flow today and that it breaks, once."""
    rules = analysis.repository.policy.rules
    if not analysis.has_graph:
        return
    owed: list[_Owed] = [*(rules.disclosures or ()), *(rules.obligations or ())]
    for rule in owed:
        if not rule.in_force(today) or not applies(rule.scope, analysis.inlined.whole):
            continue
        found = _breach(analysis, rule, _exempt(analysis, rule, today))
        if found is not None:
            message = f"{found.message} (`{rule.id}`)"
            trace = analysis.graph.names(found.path)
            yield error_at(CODE, place_in_host(found.node), message, found.help, trace)


def _breach(
    analysis: Analysis, rule: _Owed, is_exempt: Callable[[InlinedNode], bool]
) -> Breach | None:
    if isinstance(rule, Disclosure):
        return disclosed.breach(analysis, rule, is_exempt)
    if rule.kind == "opt_out":
        return opt_out.breach(analysis, is_exempt)
    return human.breach(analysis, is_exempt)


def _exempt(analysis: Analysis, rule: _Owed, today: date) -> Callable[[InlinedNode], bool]:
    """Which nodes an exception takes out of the rule: the engine says which exceptions count."""
    if rule.level != "overridable":
        return lambda inner: False
    return lambda inner: rule.id in waived_at(analysis, today, inner.id)
