"""Findings of many flows brought together: one for each fault, however many flows share it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from trunkline.finding import Finding
from trunkline.source.layout import is_shared

FlowKey = tuple[str, str]

# Of one check on one flow: more would help nobody, bury the others and take long to find.
MOST_OF_A_CHECK = 200


@dataclass
class Gathered:
    """Collects findings with the flows, as (tenant, flow), that each was found in."""

    _flows: dict[Finding, set[FlowKey]] = field(default_factory=dict)
    _traces: dict[Finding, tuple[str, ...]] = field(default_factory=dict)

    def add(self, findings: Iterable[Finding], flows: Iterable[FlowKey]) -> None:
        """Findings that all of `flows` have: of each check at most MOST_OF_A_CHECK (`bounded`)."""
        affected = tuple(flows)
        for finding in findings:
            fault = replace(finding, trace=())
            self._flows.setdefault(fault, set()).update(affected)
            trace = self._traces.setdefault(fault, finding.trace)
            self._traces[fault] = min(trace, finding.trace, key=lambda each: (len(each), each))

    def findings(self) -> list[Finding]:
        """One finding for each fault, with the shortest trace.

        A fault in a shared flow says how many flows it affects: it is repaired once.
        """
        return [
            replace(fault, message=_with_reach(fault, len(flows)), trace=self._traces[fault])
            for fault, flows in self._flows.items()
        ]

    def flows_with_errors(self) -> frozenset[FlowKey]:
        """The flows that have an error."""
        return frozenset(
            flow
            for fault, flows in self._flows.items()
            if fault.severity == "error"
            for flow in flows
        )


def users(sources: Mapping[FlowKey, Iterable[str]]) -> dict[str, list[FlowKey]]:
    """Path → the flows that are made of it, from flow → the paths that it is made of."""
    found: dict[str, list[FlowKey]] = {}
    for flow, paths in sources.items():
        for path in paths:
            found.setdefault(path, []).append(flow)
    return found


def bounded(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The first findings; where there are more, the last one says so."""
    for position, finding in enumerate(findings):
        if position == MOST_OF_A_CHECK:
            message = f"{MOST_OF_A_CHECK} findings of {finding.code} up to here, and more follow"
            yield replace(finding, message=message, help="Mend these first.", trace=())
            return
        yield finding


def _with_reach(fault: Finding, flows: int) -> str:
    if not is_shared(fault.path) or not flows:
        return fault.message
    return f"{fault.message} (affects {flows} flow{'' if flows == 1 else 's'})"
