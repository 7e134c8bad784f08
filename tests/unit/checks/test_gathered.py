"""Findings of many flows brought together, and no more of them than help."""

from collections.abc import Iterator

from trunkline.finding import Finding
from trunkline.gathered import MOST_OF_A_CHECK, Gathered, bounded

_FLOWS = [("acme", "one"), ("acme", "two")]


def _finding(line: int, path: str = "flows/acme/one.yaml", trace: tuple[str, ...] = ()) -> Finding:
    return Finding("TL301", "error", path, line, 1, line, 2, "unknown", "", trace)


def test_one_fault_of_two_flows_is_one_finding_with_the_shortest_trace() -> None:
    gathered = Gathered()
    shared = "flows/shared/verify.yaml"
    gathered.add([_finding(1, shared, ("a", "b", "c"))], _FLOWS[:1])
    gathered.add([_finding(1, shared, ("a", "z"))], _FLOWS[1:])
    told = gathered.findings()
    assert [(each.message, each.trace) for each in told] == [
        ("unknown (affects 2 flows)", ("a", "z"))
    ]
    assert gathered.flows_with_errors() == frozenset(_FLOWS)


def test_a_check_that_finds_no_end_is_stopped_and_says_so() -> None:
    gathered = Gathered()
    taken = []

    def without_end() -> Iterator[Finding]:
        line = 0
        while True:
            line += 1
            taken.append(line)
            yield _finding(line)

    gathered.add(bounded(without_end()), _FLOWS[:1])
    told = gathered.findings()
    assert len(taken) == len(told) == MOST_OF_A_CHECK + 1
    assert told[-1].message == "200 findings of TL301 up to here, and more follow"
