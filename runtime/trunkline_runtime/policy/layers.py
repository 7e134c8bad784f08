"""A tenant's own policy as a layer over the platform's: rules beside it, so it only tightens.

Windows of both layers must be open, caps of both must hold, and facts of both are needed. A tenant
that writes something wider changes nothing at run time; `loosening.py` reports it.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.read_jurisdiction import read_frequency, read_window
from trunkline_runtime.policy.read_lists import read_cap
from trunkline_runtime.policy.read_obligations import read_requirement
from trunkline_runtime.policy.rule import Rule
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.schema import schema

if TYPE_CHECKING:
    import jsonschema

AnyRule = TypeVar("AnyRule", bound=Rule)


def with_tenant(rules: Rules, tenant: str, policy: object) -> Rules:
    """The platform's rules with those of `tenant` (the `policy` of its settings) beside them.

    Rule ids of the tenant become `<tenant>/<id>`. A policy that cannot be read denies everything
    that the tenant wants to do; it never leaves only the platform's rules in force.
    """
    try:
        written = _fitting(policy)
        windows = [read_window(one, {}, None) for one in written.get("windows", [])]
        frequency = [read_frequency(one, None) for one in written.get("frequency", [])]
        needed = [read_requirement(one) for one in written.get("requirements", [])]
        caps = [read_cap(one) for one in written.get("spend", [])]
    except Malformed as error:
        return replace(rules, tenant_fault=str(error))
    return replace(
        rules,
        windows=tuple(_owned(rule, tenant) for rule in windows),
        frequency=tuple(_owned(rule, tenant) for rule in frequency),
        tenant_requirements=tuple(_owned(rule, tenant) for rule in needed),
        tenant_caps=tuple(_owned(rule, tenant) for rule in caps),
    )


def _owned(rule: AnyRule, tenant: str) -> AnyRule:
    # An exception names a rule of the platform; it must not hit a tenant's rule of the same name.
    return replace(rule, id=f"{tenant}/{rule.id}", level="mandatory")


def _fitting(policy: object) -> Mapping[str, Any]:
    if policy == {}:
        return {}
    for error in _validator().iter_errors(policy):
        place = ".".join(str(step) for step in error.absolute_path) or "policy"
        raise Malformed(f"{place}: {error.message}")
    assert isinstance(policy, Mapping)  # the schema says so
    return policy


@cache
def _validator() -> "jsonschema.Draft7Validator":
    import jsonschema  # most tenants have no policy of their own, and loading it takes a while

    tenant = schema("tenant")
    return jsonschema.Draft7Validator(
        {**tenant["properties"]["policy"], "definitions": tenant["definitions"]}
    )
