"""What is known on every path agrees with trying every path, on small graphs."""

from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trunkline.graph.known import Change, known_on_entry
from trunkline.graph.trace import shortest_trace

BITS = 3
EVERYTHING = (1 << BITS) - 1


def place(number: int) -> Any:
    return SimpleNamespace(place=SimpleNamespace(order=("flow.yaml", number, 1)))


def graph_of(size: int, edges: Sequence[tuple[int, int, Change]]) -> tuple[Any, list[list[Change]]]:
    """A graph with as much of FlowGraph as the analyses look at; it is entered on vertex 0."""
    out: list[list[Any]] = [[] for _ in range(size)]
    changes: list[list[Change]] = [[] for _ in range(size)]
    for number, (source, target, change) in enumerate(edges):
        out[source].append(SimpleNamespace(source=source, target=target, edge=place(number + 1)))
        changes[source].append(change)
    start = SimpleNamespace(source=-1, target=0, edge=place(0))
    graph = SimpleNamespace(
        vertices=range(size),
        starts=[start],
        out=out,
        names=lambda path: tuple(each.target for each in path),
    )
    return graph, changes


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, Change]]]:
    size = draw(st.integers(1, 5))
    vertex, bits = st.integers(0, size - 1), st.integers(0, EVERYTHING)
    change = st.builds(Change, bits, bits, bits)
    return size, draw(st.lists(st.tuples(vertex, vertex, change), max_size=9))


def every_state(
    size: int, edges: Sequence[tuple[int, int, Change]]
) -> dict[int, dict[int, tuple[int, ...]]]:
    """Vertex → what can be known on entry → a shortest path of edges, by trying all paths.

    A path that comes to a vertex with what was known there before can only go on as before.
    """
    found: dict[int, dict[int, tuple[int, ...]]] = {vertex: {} for vertex in range(size)}
    found[0][0] = ()
    level = [(0, 0, ())]
    while level:
        following: list[tuple[int, int, tuple[int, ...]]] = []
        for vertex, known, path in level:
            for number, (source, target, change) in enumerate(edges):
                after = change.after(known)
                if source == vertex and after not in found[target]:
                    found[target][after] = (*path, number)
                    following.append((target, after, (*path, number)))
        level = following
    return found


@given(graphs())
def test_known_is_what_every_path_brings(drawn: tuple[int, Any]) -> None:
    size, edges = drawn
    graph, changes = graph_of(size, edges)
    known = known_on_entry(graph, changes)
    for vertex, states in every_state(size, edges).items():
        together: int | None = EVERYTHING if states else None
        for state in states:
            together = (together or 0) & state
        assert known[vertex] == together


@given(graphs(), st.integers(0, BITS - 1))
def test_a_trace_is_a_shortest_path_without_the_bit(drawn: tuple[int, Any], number: int) -> None:
    size, edges = drawn
    graph, changes = graph_of(size, edges)
    bit = 1 << number
    states = every_state(size, edges)
    for vertex in range(size):
        trace = shortest_trace(
            graph, changes, bit, lambda here, held, goal=vertex: here == goal and not held
        )
        without = [path for known, path in states[vertex].items() if not known & bit]
        assert (trace is None) == (not without)
        if trace is None:
            continue
        assert len(trace) == 1 + min(len(path) for path in without)
        assert trace[-1].target == vertex
        assert all(step.target == after.source for step, after in pairwise(trace))
        held = 0
        for step in trace[1:]:
            held = edges[step.edge.place.order[1] - 1][2].after(held)
        assert not held & bit


def test_of_equally_short_traces_the_first_in_file_order() -> None:
    nothing = Change()
    edges = [(0, 2, nothing), (0, 1, nothing), (1, 3, nothing), (2, 3, nothing)]
    graph, changes = graph_of(4, edges)
    trace = shortest_trace(graph, changes, 1, lambda vertex, held: vertex == 3)
    assert trace is not None
    assert [step.target for step in trace] == [0, 2, 3]


def test_requires_is_checked_before_the_slots_are_cleared() -> None:
    assert Change(loses=1, gains=1).after(0) == 1
    assert Change(gains=1, clears=1).after(0) == 0
    assert Change(loses=1).after(3) == 2
