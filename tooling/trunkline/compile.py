"""Compiles a repository: its findings, and a node table for each flow that has no error."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from trunkline.checks.all import (
    CATALOGUE_CHECKS,
    FLOWS_CHECKS,
)
from trunkline.checks.applied import (
    faults_of_file,
    faults_of_flow,
    faults_of_rest,
    faults_of_tenant,
)
from trunkline.checks.tl106_needless_ignore import without_ignored
from trunkline.finding import Finding, in_order
from trunkline.gathered import FlowKey, Gathered, users
from trunkline.graph.analysis import Analysis, analyse, files_of
from trunkline.model.repository import Repository, read_model
from trunkline.source import Sources, read_repository
from trunkline.source.ignores import ignores
from trunkline.source.tree import Tree
from trunkline.table.flow import table_of
from trunkline.today import today
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import canonical_bytes, digest


@dataclass(frozen=True)
class Compiled:
    """A compiled repository.

    `findings` are all of them, sorted. `tables` maps (tenant, flow) to the node table as JSON, for
    the flows without errors; `sources` maps each flow to the paths of the files that it is made
    of. `analyses` holds what is known of each flow whose file can be relied on.
    """

    findings: tuple[Finding, ...]
    tables: Mapping[FlowKey, dict[str, Any]]
    sources: Mapping[FlowKey, tuple[str, ...]]
    analyses: Mapping[FlowKey, Analysis]
    repository: Repository

    @property
    def has_errors(self) -> bool:
        """True if anything must be repaired before something can be published."""
        return any(finding.severity == "error" for finding in self.findings)

    @cached_property
    def digests(self) -> Mapping[FlowKey, str]:
        """(tenant, flow) → `sha256:…` over the table's RFC 8785 bytes."""
        return {flow: digest(canonical_bytes(table)) for flow, table in self.tables.items()}

    @property
    def entries(self) -> Mapping[str, ToolEntry]:
        """The catalogue, by tool id."""
        return self.repository.catalogue.entries

    @property
    def facts(self) -> Mapping[str, Any] | None:
        """The facts of the catalogue; None without `facts.yaml`."""
        return self.repository.catalogue.facts

    @property
    def outcomes(self) -> Mapping[str, Any] | None:
        """The outcomes of the catalogue; None without `outcomes.yaml`."""
        return self.repository.catalogue.outcomes

    @property
    def tenants(self) -> Mapping[str, Mapping[str, Any]]:
        """Tenant id → its `tenant.yaml`."""
        return {id: tenant.written for id, tenant in self.repository.tenants.items()}

    @property
    def policy(self) -> Mapping[str, Mapping[str, Any]]:
        """The documents of `policy/`, by their path in it."""
        return self.repository.policy.documents


def compile_repository(root: Path | Tree, day: date | None = None) -> Compiled:
    """Reads, checks and compiles all flows below `root` (or of another tree, such as a commit).

    `day` is the date that exceptions and rules are held against; today's if it is not given.
    Raises FatalError if there is no repository. Faults of the files are findings, never raised.
    """
    sources = read_repository(root)
    repository = read_model(sources)
    analyses = {
        (tenant, flow.id): analyse(repository, tenant, flow)
        for (tenant, _), flow in repository.flows.items()
    }
    made_of = {flow: files_of(analysis) for flow, analysis in analyses.items()}
    gathered = _check(repository, analyses, made_of, day or today())
    broken = gathered.flows_with_errors() | set(_with_broken_files(sources, analyses, made_of))
    tables = {
        flow: table_of(analysis.inlined, repository.catalogue.entries, analysis.slots_from_links)
        for flow, analysis in analyses.items()
        if flow not in broken
    }
    found = [*sources.findings, *gathered.findings()]
    comments = {path: ignores(document) for path, document in sources.documents.items()}
    findings = in_order(list(without_ignored(found, comments)))
    return Compiled(findings, tables, made_of, analyses, repository)


def _check(
    repository: Repository,
    analyses: Mapping[FlowKey, Analysis],
    made_of: Mapping[FlowKey, tuple[str, ...]],
    day: date,
) -> Gathered:
    gathered = Gathered()
    used_by = users(made_of)
    files = [*repository.flows.values(), *repository.shared.values()]
    for flow in files:
        gathered.add(faults_of_file(flow, repository), used_by.get(flow.path, ()))
    for key, analysis in analyses.items():
        gathered.add(faults_of_flow(analysis, day), [key])
    owned: dict[str, list[FlowKey]] = {tenant: [] for tenant in repository.tenants}
    for key in analyses:
        owned.setdefault(key[0], []).append(key)
    for id, own in owned.items():
        for flows_check in FLOWS_CHECKS:
            for finding in flows_check([analyses[key] for key in own]):
                gathered.add([finding], [key for key in own if finding.path in made_of[key]])
        if id in repository.tenants:
            gathered.add(faults_of_tenant(repository.tenants[id], repository), own)
    for catalogue_check in CATALOGUE_CHECKS:
        for finding in catalogue_check(repository):
            gathered.add([finding], _using(finding, repository, analyses))
    gathered.add(faults_of_rest(repository, analyses, day), ())
    return gathered


def _using(
    finding: Finding, repository: Repository, analyses: Mapping[FlowKey, Analysis]
) -> Iterator[FlowKey]:
    """The flows with a tool whose entry has the finding."""
    faulty = {id for id, place in repository.catalogue.places.items() if place.path == finding.path}
    for key, analysis in analyses.items():
        if faulty & analysis.tools:
            yield key


def _with_broken_files(
    sources: Sources,
    analyses: Mapping[FlowKey, Analysis],
    made_of: Mapping[FlowKey, tuple[str, ...]],
) -> Iterator[FlowKey]:
    """The flows that are made of, or use, a file that cannot be relied on or has another's name."""
    broken = {finding.path for finding in sources.findings if finding.severity == "error"}
    for key, analysis in analyses.items():
        unknown = analysis.tools - analysis.catalogue.entries.keys()
        # A shared flow that cannot be read is not among the files that the flow is made of.
        missing = analysis.inlined.obstacles
        if analysis.tenant is None or unknown or missing or not broken.isdisjoint(made_of[key]):
            yield key
