"""Names that a question uses: one that stands nowhere in the repository is a slip, and is refused.

An answer about a fact that nobody can prove, or a flow that does not exist, would look like an
answer about the one that was meant.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.policy.reading import PolicySources
from trunkline_runtime.policy.rules import Rules

_MOST_SHOWN = 8


def require_flow(policy: PolicySources, tenant: str, flow: str | None) -> None:
    """Raises FatalError for a flow that the tenant does not have."""
    if flow is None or f"flows/{tenant}/{flow}.yaml" in policy.sources.broken:
        return
    flows = {
        document.data["id"]
        for document in policy.sources.of_kind("flow")
        if document.tenant == tenant
    }
    _require(flow, flows, f"{tenant} has no flow {flow!r}")


def require_purpose(rules: Rules, purpose: str | None) -> None:
    """Raises FatalError for a purpose that policy/purposes.yaml does not list."""
    if purpose is not None and rules.purposes is not None:
        path = "policy/purposes.yaml"
        _require(purpose, rules.purposes, f"{path} lists no purpose {purpose!r}")


def require_facts(policy: PolicySources, names: Iterable[str]) -> None:
    """Raises FatalError for a fact that catalog/facts.yaml does not list."""
    path = "catalog/facts.yaml"
    for name in names if path not in policy.sources.broken else ():
        _require(name, _keys(policy, path, "facts"), f"{path} lists no fact {name!r}")


def require_disclosures(policy: PolicySources, names: Iterable[str]) -> None:
    """Raises FatalError for a disclosure that policy/disclosures.yaml does not list."""
    path = "policy/disclosures.yaml"
    for name in names if path not in policy.sources.broken else ():
        known = _keys(policy, path, "disclosures")
        _require(name, known, f"{path} lists no disclosure {name!r}")


def require_consents(rules: Rules, names: Iterable[str]) -> None:
    """Raises FatalError for a consent that no rule asks for or is lifted by."""
    if rules.unreadable:
        return  # the document that asks for it may be the one that cannot be read
    places = rules.jurisdictions.values()
    known = frozenset().union(
        *(consent.any_of for place in places for consent in place.consent),
        *(window.lifted_by for place in places for window in place.windows),
        *(purpose.requires for purpose in (rules.purposes or {}).values()),
        *(consent.consents for consent in rules.standing_consents),
    )
    for name in names:
        _require(name, known, f"no rule of the policy asks for a consent {name!r}")


def _keys(policy: PolicySources, path: str, key: str) -> Iterable[str]:
    document = policy.sources.documents.get(path)
    listed: Mapping[str, Any] = document.data[key] if document is not None else {}
    return listed.keys()


def _require(name: str, known: Iterable[str], missing: str) -> None:
    names = sorted(known)
    if name in names:
        return
    shown = ", ".join(names[:_MOST_SHOWN]) or "none"
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    raise FatalError(f"{missing}. {did_you_mean(name, names) or f'Known: {shown}{more}.'}")
