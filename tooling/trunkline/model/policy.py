"""What the compiler needs of the policy: its documents, and the rules that the engine reads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trunkline.model.flow import Flow
from trunkline.model.place import Place
from trunkline.model.tenant import Tenant
from trunkline_runtime.policy.scope import Scope

if TYPE_CHECKING:
    from trunkline_runtime.policy.rules import Rules

REQUIREMENTS = "requirements.yaml"
DISCLOSURES = "disclosures.yaml"
DNC = "dnc.yaml"
EXCEPTIONS = "exceptions.yaml"


@dataclass(frozen=True, eq=False)
class Policy:
    """The documents of `policy/`, by their path in it. A missing one holds nothing back here.

    `places` says where each stands; `broken` are the paths of those that cannot be relied on.
    """

    documents: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()

    @cached_property
    def rules(self) -> "Rules":
        """The platform's rules. A document that cannot be relied on is in `Rules.unreadable`."""
        # A repository without policy need not load the engine.
        from trunkline_runtime.policy.documents import rules_from

        unreadable = dict.fromkeys(self.broken, "it has errors of its own")
        return rules_from(self.documents, unreadable, fitting=True)

    def rules_for(self, tenant: Tenant) -> "Rules":
        """The platform's rules with those of the tenant beside them."""
        if tenant.id not in self._layered:
            from trunkline_runtime.policy.layers import with_tenant

            own = tenant.written.get("policy", {})
            self._layered[tenant.id] = with_tenant(self.rules, tenant.id, own)
        return self._layered[tenant.id]

    @cached_property
    def _layered(self) -> dict[str, "Rules"]:
        return {}

    @property
    def disclosures(self) -> Mapping[str, Any] | None:
        """Name → its texts by language; None where the document is missing."""
        document = self.documents.get(DISCLOSURES)
        return None if document is None else document["disclosures"]

    def required_facts(
        self, tenant: Tenant | None, flow: Flow, waived: frozenset[str] = frozenset()
    ) -> Mapping[str, tuple[str, ...]]:
        """Effect → the facts that must be proven for it in this flow, sorted.

        The platform's and the tenant's unite; those of the platform in `waived` do not count. A
        rule counts whatever its dates say: a flow that is proven with it is proven without it.
        """
        rules = [
            *(
                rule
                for rule in self.documents.get(REQUIREMENTS, {}).get("requirements", ())
                if rule["id"] not in waived
            ),
            *(tenant.written.get("policy", {}).get("requirements", ()) if tenant else ()),
        ]
        facts: dict[str, set[str]] = {}
        for rule in rules:
            if applies(Scope.from_document(rule.get("applies_to")), flow):
                facts.setdefault(rule["effect"], set()).update(rule["facts"])
        return {effect: tuple(sorted(required)) for effect, required in facts.items()}


def facts_of(effects: Iterable[str], required: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The facts that any of `effects` requires, each with the first effect that does, sorted."""
    found: dict[str, str] = {}
    for effect in sorted(effects):
        for fact in required.get(effect, ()):
            found.setdefault(fact, effect)
    return dict(sorted(found.items()))


def applies(scope: Scope, flow: Flow) -> bool:
    """False only where the flow itself rules a rule out: regions are not known here.

    A flow without a purpose may serve any, so it is held to what any purpose requires.
    """
    purposes = [flow.purpose] if flow.purpose is not None else sorted(scope.purposes or [""])
    return any(
        scope.covers_call(purpose, flow.direction or "", voice="artificial") for purpose in purposes
    )


def disclosed(known: Mapping[str, Any], name: str, language: str | None) -> str | None:
    """The words of a disclosure in a language; None if it has none. `en` also serves `en-US`."""
    texts: Mapping[str, str] = known.get(name, {}).get("texts", {})
    tags = (language or "", (language or "").split("-")[0])
    return next((texts[tag] for tag in tags if tag in texts), None)
