"""What is known of one file by itself, whatever stands beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline.checking.written_findings import as_lists, from_lists
from trunkline.finding import Finding, Mark
from trunkline.model.flow import Flow
from trunkline.model.link_given import Given, links_of
from trunkline.model.nodes import SubflowNode
from trunkline.source.document import Document
from trunkline.source.fit import name_findings
from trunkline.source.ignores import Ignore, ignores

_SHARED = "shared/"


@dataclass(frozen=True, slots=True)
class Record:
    """One file. `fits` is False for one that cannot be relied on; then the rest is empty.

    Of a flow, `uses` are the ids of the shared flows that it names, and `links` says of each link
    to which flow it leads and what it gives.
    """

    digest: str
    fits: bool
    findings: tuple[Finding, ...] = ()
    comments: tuple[Ignore, ...] = ()
    uses: tuple[str, ...] = ()
    links: tuple[tuple[str, Given], ...] = ()

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
            tuple(
                (flow, Given(holder, tuple(surely), tuple(perhaps)))
                for flow, (holder, surely, perhaps) in links
            ),
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
    links = tuple(sorted(set(links_of(flow))))
    return Record(digest, True, told, comments, tuple(sorted(set(_uses(flow)))), links)


def _uses(flow: Flow) -> Iterator[str]:
    if flow.use is not None:
        yield flow.use.removeprefix(_SHARED)
    for node in flow.nodes.values():
        if isinstance(node, SubflowNode):
            yield node.flow.removeprefix(_SHARED)


def given_by(
    records: Mapping[tuple[str | None, str], Record],
) -> dict[tuple[str | None, str], frozenset[Given]]:
    """(tenant, flow) → what links to it give; `records` are those of all flows."""
    found: dict[tuple[str | None, str], set[Given]] = {}
    for (tenant, _), record in records.items():
        for flow, given in record.links:
            found.setdefault((tenant, flow), set()).add(given)
    return {key: frozenset(links) for key, links in found.items()}
