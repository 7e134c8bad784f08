"""Everything that a draft for one tenant may name: closed lists, made from the repository."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trunkline.draft.tool_choice import MOST_TOOLS, needed_tools
from trunkline.failure import FatalError
from trunkline.model.repository import Repository
from trunkline.model.tenant import Tenant
from trunkline.nearest import did_you_mean
from trunkline_runtime.catalogue.entry import ToolEntry

_LANGUAGE = "en-US"  # where no disclosure says which languages there are
_NO_LIST = ("no_action",)  # outcomes, where the catalogue has no list of them


@dataclass(frozen=True)
class Vocabulary:
    """What a tenant's flow may name. `left_out` are tools that were not offered to the model.

    `purposes` are those granted to the tenant, with what the policy says of each; `facts` and
    `rules` are name → words. `confirmable` are the facts that a strict yes establishes.
    """

    tenant: Tenant
    purposes: Mapping[str, Mapping[str, Any]]
    languages: tuple[str, ...]
    tools: tuple[ToolEntry, ...]
    left_out: tuple[str, ...]
    facts: Mapping[str, str]
    confirmable: tuple[str, ...]
    outcomes: Mapping[str, str]
    disclosures: tuple[str, ...]
    numbers: tuple[str, ...]
    rules: Mapping[str, str]

    def entries(self, ids: Sequence[str]) -> tuple[ToolEntry, ...]:
        """The entries of those of its tools that are named."""
        return tuple(entry for entry in self.tools if entry.id in ids)


def vocabulary(
    repository: Repository, tenant: str, words: str, most_tools: int = MOST_TOOLS
) -> Vocabulary:
    """What a flow of `tenant` may name; of too many tools, those that the words need.

    Raises FatalError if there is no such tenant, or if it may call for no purpose.
    """
    found = repository.tenants.get(tenant)
    if found is None:
        hint = did_you_mean(tenant, repository.tenants)
        raise FatalError(f"there is no tenant {tenant} in flows/. {hint}".rstrip())
    catalogue, documents = repository.catalogue, repository.policy.documents
    connected = [e for e in catalogue.entries.values() if e.connection in found.connections]
    required = _required_facts(documents)
    tools = needed_tools(connected, words, required, most_tools)
    facts = catalogue.facts or {name: {"description": ""} for name in catalogue.fact_names}
    texts = repository.policy.disclosures or {}
    languages = [set(each["texts"]) for each in texts.values()]
    common = set.intersection(*languages) if languages else set()
    outcomes = catalogue.outcomes or {name: {"description": ""} for name in _NO_LIST}
    return Vocabulary(
        tenant=found,
        purposes=_purposes(documents, tenant),
        languages=tuple(sorted(common, key=lambda each: (each != _LANGUAGE, each))) or (_LANGUAGE,),
        tools=tuple(tools),
        left_out=tuple(sorted({e.id for e in connected} - {e.id for e in tools})),
        facts={name: about.get("description", "") for name, about in facts.items()},
        confirmable=tuple(name for name in facts if catalogue.may_confirm(name)),
        outcomes={
            **{name: about.get("description", "") for name, about in outcomes.items()},
            "opt_out": "The person asked not to be called again.",
        },
        disclosures=tuple(texts),
        numbers=tuple(sorted(found.numbers)),
        rules=_rules(documents),
    )


def _purposes(
    documents: Mapping[str, Mapping[str, Any]], tenant: str
) -> Mapping[str, Mapping[str, Any]]:
    document = documents.get("purposes.yaml")
    if document is None:
        return {}
    granted = document["grants"].get(tenant, ())
    if not granted:
        raise FatalError(
            f"{tenant} may call for no purpose yet: policy/purposes.yaml grants it none. "
            "Compliance owns that file."
        )
    return {name: document["purposes"][name] for name in granted if name in document["purposes"]}


def _required_facts(documents: Mapping[str, Mapping[str, Any]]) -> Mapping[str, frozenset[str]]:
    facts: dict[str, frozenset[str]] = {}
    for rule in documents.get("requirements.yaml", {}).get("requirements", ()):
        facts[rule["effect"]] = facts.get(rule["effect"], frozenset()) | set(rule["facts"])
    return facts


def _rules(documents: Mapping[str, Mapping[str, Any]]) -> Mapping[str, str]:
    """Each requirement and obligation in a sentence, for the model to keep from the start."""
    told = {}
    for rule in documents.get("requirements.yaml", {}).get("requirements", ()):
        facts, where = ", ".join(rule["facts"]), _where(rule)
        told[rule["id"]] = f"Effect {rule['effect']} needs {facts}{where}. {_said(rule)}"
    for rule in documents.get("obligations.yaml", {}).get("obligations", ()):
        names = ", ".join(rule.get("disclosures", ()))
        spoken = f" Speak: {names}, before you {rule.get('before', 'collect')}." if names else ""
        told[rule["id"]] = f"{_said(rule)}{_where(rule)}{spoken}"
    return told


def _said(rule: Mapping[str, Any]) -> str:
    return " ".join(str(rule.get("description", "")).split())


def _where(rule: Mapping[str, Any]) -> str:
    scope = rule.get("applies_to", {})
    purposes = scope.get("purpose", ())
    parts = [*purposes, *([scope["direction"]] if "direction" in scope else [])]
    return f" ({', '.join(parts)} only)" if parts else ""
