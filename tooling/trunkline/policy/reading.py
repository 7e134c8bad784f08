"""What `policy/`, the tenants' settings and the catalogue say, for questions to the engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.source.document import Document
from trunkline.source.repository import Sources, read_repository
from trunkline_runtime.policy.documents import rules_from
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.rules import Rules


@dataclass(frozen=True)
class PolicySources:
    """A repository, seen from its policy. A document that has findings counts as unreadable."""

    sources: Sources
    platform: Rules

    @property
    def tests(self) -> tuple[Document, ...]:
        """The files of policy tests that can be read, by path."""
        return tuple(self.sources.of_kind("policy-test"))

    @property
    def broken_tests(self) -> Mapping[str, str]:
        """Path → what is wrong, for files of policy tests that cannot be read."""
        return {
            path: _fault(self.sources, path)
            for path in self.sources.broken
            if path.startswith("policy/tests/")
        }

    def tenant(self, tenant: str) -> Mapping[str, Any]:
        """The settings of a tenant. Raises FatalError for one that does not exist."""
        found = {document.folder: document for document in self.sources.of_kind("tenant")}
        if tenant in found:
            data: Mapping[str, Any] = found[tenant].data
            return data
        path = f"flows/{tenant}/tenant.yaml"
        if path in self.sources.broken:
            return {}
        hint = did_you_mean(tenant, found) or f"Known: {', '.join(found) or 'none'}."
        raise FatalError(f"there is no tenant {tenant!r} ({path}). {hint}")

    def rules_for(self, tenant: str) -> Rules:
        """The platform's rules and the tenant's. Raises FatalError for an unknown tenant."""
        settings = self.tenant(tenant)
        path = f"flows/{tenant}/tenant.yaml"
        # None is no policy that could be read: a broken file denies all that its tenant wants.
        broken = path in self.sources.broken
        return with_tenant(self.platform, tenant, None if broken else settings.get("policy", {}))

    def effects_of(self, tool: str) -> frozenset[str]:
        """The effects of a catalogue tool. Raises FatalError for one that cannot be read."""
        found = {document.data["id"]: document for document in self.sources.of_kind("tool")}
        if tool in found:
            return frozenset(found[tool].data.get("effects", ()))
        if any(path.endswith(f"/{tool}.yaml") for path in self.sources.broken):
            raise FatalError(f"the entry of {tool} has errors; `trunkline check` shows them")
        hint = did_you_mean(tool, found) or f"Known: {', '.join(found) or 'none'}."
        raise FatalError(f"there is no tool {tool!r} in the catalogue. {hint}")

    def purpose_for(self, tenant: str, given: str | None, flow: str | None = None) -> str:
        """The purpose to ask about: the given one, that of the flow, that of all the tenant's flows
        that call people, that of all its flows, or its only grant. Raises FatalError where there
        are several.
        """
        if given is not None:
            return given
        flows = [
            document.data
            for document in self.sources.of_kind("flow")
            if document.tenant == tenant and "purpose" in document.data
        ]
        if flow is not None:
            flows = [written for written in flows if written["id"] == flow] or flows
        calling = {flow["purpose"] for flow in flows if flow["direction"] == "outbound"}
        written = {flow["purpose"] for flow in flows}
        granted = self.platform.grants.get(tenant, frozenset())
        for candidates in (calling, written, granted):
            if len(candidates) == 1:
                return str(next(iter(candidates)))
        known = ", ".join(sorted(written | granted)) or "none"
        raise FatalError(f"say for which --purpose {tenant} calls; known: {known}")

    def direction_for(self, purpose: str) -> str:
        """The direction of calls for a purpose; outbound where nothing says otherwise."""
        known = (self.platform.purposes or {}).get(purpose)
        return (known.direction if known else None) or "outbound"


def read_policy(root: Path) -> PolicySources:
    """Reads a repository. Raises FatalError if there is none."""
    sources = read_repository(root)
    return PolicySources(sources, read_rules(sources))


def read_rules(sources: Sources) -> Rules:
    """The platform's rules, as far as the documents of a repository can be read."""
    documents = {
        document.path: document.data
        for document in sources.documents.values()
        if document.path.startswith("policy/")
    }
    unreadable = {
        path: _fault(sources, path) for path in sources.broken if path.startswith("policy/")
    }
    return rules_from(documents, unreadable)


def _fault(sources: Sources, path: str) -> str:
    """The first thing that is wrong with a broken file, and where."""
    finding = next(finding for finding in sources.findings if finding.path == path)
    return f"line {finding.line}, column {finding.column}: {finding.message}"
