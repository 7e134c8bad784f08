"""TL101: a file that does not fit its schema.

Finds: an unknown key (with the nearest known one), a missing key, a value of the wrong type or
beyond its bounds, a word that is not among the choices, an empty file, a folder of flows without
a `tenant.yaml`, a flow that is too large with all that it uses. Text that an unquoted comma has
torn apart inside braces is told as what it is. A `pattern` that is no regular expression, or one
that some texts keep busy for ever: `(\\w+ ?)+`. In the policy also what no schema can say: a day
that no calendar has, hours that overlap, a list of holidays or a purpose that is not there; and in
a tenant a variable of the environment that does not begin with the tenant's id.
The same schemas (`schemas/`) help in the editor while one types.

On the phone: a key that nobody knows does nothing. `colect: [postcode]` would be an agent that
never asks for the postcode.

Fails:

    edges:
      - {to: goodbye, when: they say no, or hang up}

Passes:

    edges:
      - {to: goodbye, when: "they say no, or hang up"}
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.checks.at import error_at
from trunkline.checks.implementation.endless import ENDLESS, ENDLESS_HELP, LONGEST, is_endless
from trunkline.checks.tenants.settings import opening_hours, variables
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.flow import Flow
from trunkline.model.place import Place
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant


def check(analysis: Analysis) -> Iterator[Finding]:
    """A flow that no schema finds too large, and that is with its sub-flows and asides in place."""
    for obstacle in analysis.inlined.obstacles:
        if obstacle.kind == "size":
            message = "this flow is too large to be proven, with its sub-flows and asides in place"
            help = "Split it into flows that link to each other, or use fewer sub-flows and asides."
            yield error_at("TL101", obstacle.place, message, help)


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """A `pattern` of a slot, input or param that nothing said could ever be held against."""
    for declared in (flow.params, flow.inputs, flow.slots):
        for declaration in declared.values():
            fault = _fault_of_pattern(declaration.written.get("pattern", ""))
            if fault is not None:
                yield error_at("TL101", declaration.place.at("pattern"), *fault)


def _fault_of_pattern(pattern: str) -> tuple[str, str] | None:
    """Message and help for a pattern that cannot be used."""
    if not pattern:
        return None
    if len(pattern) > LONGEST:
        return f"a pattern has {LONGEST} characters at most", "List the values as `choices`."
    try:
        re.compile(pattern)
    except RecursionError:
        return "this pattern has too many brackets inside each other", "Write it flatter."
    except (re.error, OverflowError) as fault:
        help = "A sign that stands for itself is written with a backslash, such as `\\(`."
        return f"this is no regular expression: {fault}", help
    return (ENDLESS, ENDLESS_HELP) if is_endless(pattern) else None


def check_policy(repository: Repository) -> Iterator[Finding]:
    """Documents of the policy that fit their schema and that the engine still cannot read."""
    policy = repository.policy
    for path, place in policy.places.items():
        why = policy.rules.unreadable.get(path.removesuffix(".yaml"))
        if why is not None:
            message = f"the policy engine cannot read this, so what needs it is denied: {why}"
            yield error_at("TL101", _rule(place, policy.documents[path], why), message)


def check_tenant(tenant: Tenant, repository: Repository) -> Iterator[Finding]:
    """The policy of a tenant, likewise; its hours, and the variables that it reads."""
    yield from opening_hours(tenant)
    yield from variables(tenant)
    written = tenant.written.get("policy")
    why = repository.policy.rules_for(tenant).tenant_fault if written else None
    if written and why is not None:
        message = f"the policy engine cannot read this, so the tenant may do nothing: {why}"
        yield error_at("TL101", _rule(tenant.place.at("policy"), written, why), message)


def _rule(place: Place, document: Mapping[str, Any], why: str) -> Place:
    """The rule that the engine names at the beginning of its reason, or the whole document."""
    for key, rules in document.items():
        for index, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, dict) and why.startswith(f"{rule.get('id')}:"):
                return place.at(key, index)
    return place.at("schema_version")
