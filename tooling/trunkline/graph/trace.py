"""The shortest path on which something is not known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trunkline.graph.flow_graph import FlowGraph, Passage
from trunkline.graph.known import Change


@dataclass(frozen=True, slots=True)
class _Step:
    """A passage that the search has taken, with whether the bit is known after it."""

    passage: Passage
    held: bool
    before: "_Step | None"


def shortest_trace(
    graph: FlowGraph,
    changes: Sequence[Sequence[Change]],
    bit: int,
    is_goal: Callable[[int, bool], bool],
    at_start: int = 0,
) -> tuple[Passage, ...] | None:
    """The passages of the shortest path from the beginning to a goal; None if there is none.

    `at_start` are the bits that hold where a call begins.
    `is_goal(vertex, held)` is asked with whether `bit` is known on entry by the path so far. Of
    equally short paths it is the one whose edges come first in the files: the search takes edges
    in that order.
    """
    seen: set[tuple[int, bool]] = set()
    level: list[_Step] = []
    begins = bool(at_start & bit)
    for passage in sorted(graph.starts, key=_order):
        if (passage.target, begins) not in seen:
            seen.add((passage.target, begins))
            level.append(_Step(passage, begins, None))
    while level:
        following: list[_Step] = []
        for step in level:
            vertex = step.passage.target
            if is_goal(vertex, step.held):
                return _path(step)
            ways = zip(graph.out[vertex], changes[vertex], strict=True)
            for passage, change in sorted(ways, key=lambda way: _order(way[0])):
                held = bool(change.after(bit if step.held else 0) & bit)
                if (passage.target, held) not in seen:
                    seen.add((passage.target, held))
                    following.append(_Step(passage, held, step))
        level = following
    return None


def shortest_path(graph: FlowGraph, goals: frozenset[int]) -> tuple[Passage, ...] | None:
    """The passages of the shortest path from the beginning to any of `goals`."""
    nothing = [[Change()] * len(out) for out in graph.out]
    return shortest_trace(graph, nothing, 0, lambda vertex, held: vertex in goals)


def _path(last: _Step) -> tuple[Passage, ...]:
    path: list[Passage] = []
    step: _Step | None = last
    while step is not None:
        path.append(step.passage)
        step = step.before
    return tuple(reversed(path))


def _order(passage: Passage) -> tuple[str, int, int]:
    return passage.edge.place.order
