"""Requirements (effect → facts) and the obligations that hold while a call runs."""

from collections.abc import Mapping
from typing import Any

from trunkline_runtime.policy.read_rule import read_head, unique_ids
from trunkline_runtime.policy.rule import Disclosure, Obligation, Requirement


def read_requirements(document: Mapping[str, Any]) -> tuple[Requirement, ...]:
    """What `requirements.yaml` says. Raises Malformed."""
    written = document["requirements"]
    unique_ids(written)
    return tuple(read_requirement(one) for one in written)


def read_requirement(written: Mapping[str, Any]) -> Requirement:
    """One requirement, the platform's or a tenant's. Raises Malformed."""
    return Requirement(
        **read_head(written), effect=written["effect"], facts=frozenset(written["facts"])
    )


def read_disclosures(document: Mapping[str, Any]) -> tuple[Disclosure, ...]:
    """The disclosures that `obligations.yaml` asks for. Raises Malformed."""
    written = document["obligations"]
    unique_ids(written)
    return tuple(
        Disclosure(
            **read_head(one),
            disclosures=frozenset(one["disclosures"]),
            before=one.get("before", "collect"),
        )
        for one in written
        if one["kind"] == "disclosure"
    )


def read_shape(document: Mapping[str, Any]) -> tuple[Obligation, ...]:
    """The obligations about the shape of a flow. Raises Malformed.

    While a call runs nothing asks for them: they are proven when the flow is compiled.
    """
    return tuple(
        Obligation(**read_head(one), kind=one["kind"])
        for one in document["obligations"]
        if one["kind"] != "disclosure"
    )
