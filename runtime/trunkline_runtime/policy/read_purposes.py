"""Purposes, who may call for them, and the consents that a tenant holds for all of its people."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.read_rule import read_date
from trunkline_runtime.policy.rule import Purpose, StandingConsent

Purposes = Mapping[str, Purpose]
Grants = Mapping[str, frozenset[str]]


def read_purposes(
    document: Mapping[str, Any],
) -> tuple[Purposes, Grants, tuple[StandingConsent, ...]]:
    """What `purposes.yaml` says. Raises Malformed, as for a grant of an unknown purpose."""
    purposes = {
        name: Purpose(
            id=name,
            direction=written.get("direction"),
            requires=frozenset(written.get("requires", [])),
            effective_from=read_date(written.get("effective_from"), date.min),
        )
        for name, written in document["purposes"].items()
    }
    grants = {tenant: frozenset(names) for tenant, names in document["grants"].items()}
    standing = tuple(_standing(written) for written in document.get("consents", []))
    for named in (*grants.values(), *({consent.purpose} for consent in standing)):
        for name in sorted(named):
            if name not in purposes:
                raise Malformed(f"there is no purpose {name!r}")
    return purposes, grants, standing


def _standing(written: Mapping[str, Any]) -> StandingConsent:
    return StandingConsent(
        tenant=written["tenant"],
        purpose=written["purpose"],
        consents=frozenset(written["consents"]),
        expires=read_date(written.get("expires"), date.max),
    )
