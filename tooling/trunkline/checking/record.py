"""What is known of one file by itself, whatever stands beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline.checking.written_findings import as_lists, from_lists
from trunkline.finding import Finding, Mark
from trunkline.model.flow import Flow
from trunkline.model.nodes import LinkNode, SubflowNode
from trunkline.source.document import Document
from trunkline.source.fit import name_findings
from trunkline.source.ignores import Ignore, ignores

_SHARED = "shared/"


@dataclass(frozen=True, slots=True)
class Record:
    """One file. `fits` is False for one that cannot be relied on; then the rest is empty.

    Of a flow, `uses` are the ids of the shared flows that it names, and `links` maps each flow that
    it links to, to the names that the links give.
    """

    digest: str
    fits: bool
    findings: tuple[Finding, ...] = ()
    comments: tuple[Ignore, ...] = ()
    uses: tuple[str, ...] = ()
    links: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def as_list(self) -> list[Any]:
        """As JSON."""
        return [
            self.digest,
            self.fits,
            as_lists(self.findings),
            [[*each.mark, each.line, each.codes, each.reason] for each in self.comments],
            self.uses,
            self.links,
        ]

    @classmethod
    def from_list(cls, written: list[Any]) -> "Record":
        """What `as_list` wrote."""
        digest, fits, findings, comments, uses, links = written
        return cls(
            digest,
            fits,
            tuple(from_lists(findings)) if findings else (),
            tuple(Ignore(Mark(*each[:4]), each[4], tuple(each[5]), each[6]) for each in comments),
            tuple(uses),
            tuple((flow, tuple(names)) for flow, names in links),
        )


def record_of(
    digest: str, document: Document | None, findings: list[Finding], flow: Flow | None
) -> Record:
    """The record of a file that has been read; `flow` is None for one that is no flow."""
    if document is None:
        return Record(digest, False, tuple(findings))
    told = (*findings, *name_findings(document))
    comments = ignores(document)
    if flow is None:
        return Record(digest, True, told, comments)
    links: dict[str, set[str]] = {}
    for node in flow.nodes.values():
        if isinstance(node, LinkNode):
            links.setdefault(node.flow, set()).update(node.bind)
    named = tuple((id, tuple(sorted(names))) for id, names in sorted(links.items()))
    return Record(digest, True, told, comments, tuple(sorted(set(_uses(flow)))), named)


def _uses(flow: Flow) -> Iterator[str]:
    if flow.use is not None:
        yield flow.use.removeprefix(_SHARED)
    for node in flow.nodes.values():
        if isinstance(node, SubflowNode):
            yield node.flow.removeprefix(_SHARED)


def given_by(
    records: Mapping[tuple[str | None, str], Record],
) -> dict[tuple[str | None, str], frozenset[str]]:
    """(tenant, flow) → the names that links to it give; `records` are those of all flows."""
    found: dict[tuple[str | None, str], set[str]] = {}
    for (tenant, _), record in records.items():
        for flow, names in record.links:
            found.setdefault((tenant, flow), set()).update(names)
    return {key: frozenset(names) for key, names in found.items()}
