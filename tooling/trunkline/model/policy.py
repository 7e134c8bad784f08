"""What the compiler needs of the policy: the facts that an effect requires, and disclosures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trunkline.model.flow import Flow
from trunkline.model.tenant import Tenant
from trunkline_runtime.policy.scope import Scope

REQUIREMENTS = "requirements.yaml"
DISCLOSURES = "disclosures.yaml"


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """The documents of `policy/`, by their path in it. A missing one holds nothing back here."""

    documents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def disclosures(self) -> Mapping[str, Any] | None:
        """Name → its texts by language; None where the document is missing."""
        document = self.documents.get(DISCLOSURES)
        return None if document is None else document["disclosures"]

    def required_facts(self, tenant: Tenant | None, flow: Flow) -> Mapping[str, tuple[str, ...]]:
        """Effect → the facts that must be proven for it in this flow, sorted.

        The platform's and the tenant's unite. A rule counts whatever its dates say: the compiler
        has no clock, and a flow that is proven without the rule's end is proven with it.
        """
        rules = [
            *self.documents.get(REQUIREMENTS, {}).get("requirements", ()),
            *(tenant.written.get("policy", {}).get("requirements", ()) if tenant else ()),
        ]
        facts: dict[str, set[str]] = {}
        for rule in rules:
            if _applies(rule.get("applies_to", {}), flow):
                facts.setdefault(rule["effect"], set()).update(rule["facts"])
        return {effect: tuple(sorted(required)) for effect, required in facts.items()}


def facts_of(effects: Iterable[str], required: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The facts that any of `effects` requires, each with the first effect that does, sorted."""
    found: dict[str, str] = {}
    for effect in sorted(effects):
        for fact in required.get(effect, ()):
            found.setdefault(fact, effect)
    return dict(sorted(found.items()))


def _applies(applies_to: Mapping[str, Any], flow: Flow) -> bool:
    """False only where the flow itself rules the rule out: regions are not known here.

    A flow without a purpose may serve any, so it is held to what any purpose requires.
    """
    scope = Scope.from_document(applies_to)
    purposes = [flow.purpose] if flow.purpose is not None else sorted(scope.purposes or [""])
    return any(
        scope.covers_call(purpose, flow.direction or "", voice="artificial") for purpose in purposes
    )
