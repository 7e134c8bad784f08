"""Reads one revision into a snapshot: tables, proofs, origins, and what could not be read."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from trunkline.diff.change import FlowId
from trunkline.diff.lenient import lenient_table
from trunkline.diff.prove import LazyProofs
from trunkline.diff.salvage import salvaged
from trunkline.diff.snapshot import Gap, Origin, Snapshot
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis, analyse
from trunkline.model.repository import read_model
from trunkline.source import Document, read_repository
from trunkline.source.layout import is_shared, kind_of
from trunkline.source.reader import read_document
from trunkline.source.tree import Tree, UnreadableError
from trunkline.table.flow import table_of


def read_snapshot(tree: Tree) -> Snapshot:
    """One revision. Raises FatalError if there is no repository; faults of files are gaps."""
    read = read_repository(tree)
    reasons = {
        finding.path: _gap(finding)
        for finding in reversed(read.findings)
        if finding.severity == "error"
    }
    mended = {path: found for path in read.broken if (found := _mended(tree, path)) is not None}
    documents = {**read.documents, **mended}
    broken = tuple(path for path in read.broken if path not in mended)
    sources = replace(read, documents=dict(sorted(documents.items())), broken=broken)
    repository = read_model(sources)
    analyses = {id: analyse(repository, id[0], flow) for id, flow in repository.flows.items()}
    tables: dict[FlowId, Mapping[str, Any]] = {}
    gaps: dict[FlowId, Gap] = {}
    for id, analysis in analyses.items():
        tables[id], gap = _table(analysis)
        # A file that does not fit its schema is the cause of whatever else is missing.
        gap = _first_gap(analysis, reasons, mended.keys()) or gap
        if gap is not None:
            gaps[id] = gap
    unread = {path: reasons[path] for path in broken if path in reasons}
    flows = {path for path in unread if kind_of(path) == "flow" and not is_shared(path)}
    return Snapshot(
        tables=tables,
        proofs=LazyProofs(analyses),
        origins={id: tuple(_origins(analysis)) for id, analysis in analyses.items()},
        entries=repository.catalogue.entries,
        documents={path: document.data for path, document in documents.items()},
        unreadable={_id_of(path): unread[path] for path in flows},
        partial=gaps,
        broken={path: gap for path, gap in unread.items() if path not in flows},
    )


def _gap(finding: Finding) -> Gap:
    return Gap(finding.path, finding.line, finding.code, finding.message)


def _mended(tree: Tree, path: str) -> Document | None:
    """A flow file that can be read but does not fit its schema, without what does not fit.

    Half of a policy or of a catalogue entry would be taken for the whole: those stay unread.
    """
    kind = kind_of(path)
    if kind != "flow":
        return None
    try:
        document, _ = read_document(path, kind, tree.read(path))
    except UnreadableError:
        return None
    return None if document is None else salvaged(document)


def _id_of(path: str) -> FlowId:
    return PurePosixPath(path).parent.name, PurePosixPath(path).stem


def _table(analysis: Analysis) -> tuple[Mapping[str, Any], Gap | None]:
    """The table of a flow, and what is wrong with it if it is only as good as it can be."""
    place = analysis.inlined.flow.place
    for obstacle in analysis.inlined.obstacles:
        message = f"`{obstacle.flow}` cannot be put in its place ({obstacle.kind})"
        gap = Gap(obstacle.place.path, obstacle.place.mark.line, "", message)
        return lenient_table(analysis), gap
    unknown = sorted(analysis.tools - analysis.catalogue.entries.keys())
    if unknown:
        message = f"the catalogue has no `{unknown[0]}` that can be read"
        return lenient_table(analysis), Gap(place.path, 0, "", message)
    try:
        given = analysis.slots_from_links
        return table_of(analysis.inlined, analysis.catalogue.entries, given), None
    except ValueError as problem:  # an exit to a node that is not there
        target = str(problem).partition(" leads nowhere")[0]
        message = f"`{target}` is not there, and something leads to it"
        return lenient_table(analysis), Gap(place.path, 0, "", message)


def _first_gap(
    analysis: Analysis, reasons: Mapping[str, Gap], mended: Collection[str]
) -> Gap | None:
    """Why a flow is not compared in full: one of its files does not fit its schema."""
    paths = [analysis.inlined.flow.path, *(scope.flow.path for scope in analysis.inlined.scopes)]
    return next((reasons[path] for path in paths if path in mended and path in reasons), None)


def _origins(analysis: Analysis) -> Iterator[Origin]:
    for scope in analysis.inlined.scopes:
        if is_shared(scope.flow.path):
            yield Origin(scope.prefix, scope.flow.path)
