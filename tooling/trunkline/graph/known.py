"""What is known on every path: facts that are proven and slots that are set, as bit sets."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline.graph.flow_graph import FlowGraph


@dataclass(frozen=True, slots=True)
class Change:
    """What an edge does to what is known: `loses` at its node, `gains` on it, `clears` on arrival.

    The design's formula takes cleared slots away before it adds what `requires` proves. At run
    time `requires` is checked first and the clearing comes with the move, so here they go last.
    """

    loses: int = 0
    gains: int = 0
    clears: int = 0

    def after(self, known: int) -> int:
        """What is known once the edge is taken."""
        return (known & ~self.loses | self.gains) & ~self.clears


def known_on_entry(
    graph: FlowGraph, changes: Sequence[Sequence[Change]], at_start: int = 0
) -> Sequence[int | None]:
    """For each vertex the bits that hold on every path to it; None where no path leads.

    A greatest fixed point: an entry starts with everything and loses what some edge into it does
    not bring. `changes` stand beside `graph.out`; `at_start` are the bits that hold wherever a call
    begins.
    """
    known: list[int | None] = [None] * len(graph.vertices)
    waiting: list[int] = []
    queued = [False] * len(graph.vertices)

    def arrive(target: int, brought: int) -> None:
        before = known[target]
        after = brought if before is None else before & brought
        if after != before:
            known[target] = after
            if not queued[target]:
                queued[target] = True
                waiting.append(target)

    for passage in graph.starts:
        arrive(passage.target, at_start)
    position = 0
    while position < len(waiting):
        vertex = waiting[position]
        position += 1
        queued[vertex] = False
        entry = known[vertex]
        assert entry is not None
        for passage, change in zip(graph.out[vertex], changes[vertex], strict=True):
            arrive(passage.target, change.after(entry))
    return known
