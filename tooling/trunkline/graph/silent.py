"""Loops that run without the caller: found exactly, by taking away what can stop them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from trunkline.graph.reach import components

# So many ways of taking slots away are tried in one component; beyond it, a loop is told although
# one of its slots might stop it. Real flows need a handful.
BUDGET = 4_000


@dataclass(frozen=True, slots=True, eq=False)
class SilentEdge:
    """An edge without `when`, between vertices by number, with the slots that it clears."""

    source: int
    target: int
    clears: frozenset[Hashable]


def silent_cycles(
    collects: Sequence[frozenset[Hashable]], edges: Iterable[SilentEdge]
) -> list[tuple[int, ...]]:
    """One loop for each strongly connected component that has one, as its vertices in order.

    A loop counts if no vertex on it collects a slot that an edge of it clears: nothing on it ever
    waits for the caller. `collects` has the slots that each vertex collects; edges that come first
    are taken first, and a loop begins with its vertex of the lowest number.
    """
    leaving: dict[int, list[SilentEdge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    found = []
    for members, inside in _cyclic(range(len(collects)), leaving):
        cycle = _Search(collects).cycle(members, inside)
        if cycle is not None:
            found.append(cycle)
    return sorted(found)


Leaving = Mapping[int, Sequence[SilentEdge]]


class _Search:
    """The search in one component, with what is left of its budget."""

    def __init__(self, collects: Sequence[frozenset[Hashable]]) -> None:
        self.collects = collects
        self.left = BUDGET

    def cycle(self, vertices: Iterable[int], leaving: Leaving) -> tuple[int, ...] | None:
        """A loop among these vertices that nothing stops, if there is one.

        A slot that a vertex collects and an edge clears stops a loop only if both are on it: so
        there is a loop without one of the two, or none that this slot does not stop.
        """
        for members, inside in _cyclic(vertices, leaving):
            collected = {slot for vertex in members for slot in self.collects[vertex]}
            cleared = {slot for out in inside.values() for edge in out for slot in edge.clears}
            stopping = sorted(collected & cleared, key=repr)
            self.left -= 1
            if not stopping or self.left <= 0:
                return _shortest(min(members), inside)
            slot = stopping[0]
            without_clearing = {
                vertex: [edge for edge in out if slot not in edge.clears]
                for vertex, out in inside.items()
            }
            without_asking = [each for each in members if slot not in self.collects[each]]
            found = self.cycle(members, without_clearing) or self.cycle(without_asking, inside)
            if found is not None:
                return found
        return None


def _cyclic(
    vertices: Iterable[int], leaving: Leaving
) -> list[tuple[list[int], dict[int, list[SilentEdge]]]]:
    """The strongly connected components that hold an edge, each with its own edges."""
    names = sorted(vertices)
    number = {vertex: index for index, vertex in enumerate(names)}
    successors = [
        [number[edge.target] for edge in leaving.get(vertex, ()) if edge.target in number]
        for vertex in names
    ]
    found = []
    for component in components(successors):
        members = {names[index] for index in component}
        inside = {
            vertex: [edge for edge in leaving.get(vertex, ()) if edge.target in members]
            for vertex in sorted(members)
        }
        if any(inside.values()):
            found.append((sorted(members), inside))
    return found


def _shortest(first: int, leaving: Leaving) -> tuple[int, ...]:
    """The shortest loop through a vertex of a component, edges in their order."""
    came_from: dict[int, int] = {}
    level = [first]
    while level:
        following = []
        for vertex in level:
            for edge in leaving.get(vertex, ()):
                if edge.target == first:
                    path = [vertex]
                    while path[-1] != first:
                        path.append(came_from[path[-1]])
                    return tuple(reversed(path))
                if edge.target not in came_from:
                    came_from[edge.target] = vertex
                    following.append(edge.target)
        level = following
    raise ValueError("no loop goes through this vertex")
