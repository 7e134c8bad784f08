"""The search for silent loops agrees with trying every loop, on small graphs."""

from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trunkline.graph import silent
from trunkline.graph.silent import SilentEdge, silent_cycles

Edges = Sequence[SilentEdge]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[frozenset[Any]], list[SilentEdge]]:
    size = draw(st.integers(1, 5))
    slots = st.frozensets(st.sampled_from("xyz"), max_size=2)
    collects = draw(st.lists(slots, min_size=size, max_size=size))
    vertex = st.integers(0, size - 1)
    edges = draw(st.lists(st.builds(SilentEdge, vertex, vertex, slots), max_size=9))
    return list(collects), edges


def loops(edges: Edges, used: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every loop that comes to no vertex twice, as the numbers of its edges.

    What stops none of these stops no longer way round either: that is made of them.
    """
    if used and edges[used[-1]].target == edges[used[0]].source:
        yield used
        return
    passed = {edges[number].source for number in used}
    for number, edge in enumerate(edges):
        goes_on = not used or edge.source == edges[used[-1]].target
        if goes_on and edge.source not in passed:
            yield from loops(edges, (*used, number))


def is_silent(collects: Sequence[frozenset[Any]], edges: Edges, loop: tuple[int, ...]) -> bool:
    collected = {slot for number in loop for slot in collects[edges[number].source]}
    return not any(slot in collected for number in loop for slot in edges[number].clears)


@given(graphs())
def test_a_loop_is_found_where_there_is_one_and_it_is_one(
    drawn: tuple[list[frozenset[Any]], list[SilentEdge]],
) -> None:
    collects, edges = drawn
    cycles = silent_cycles(collects, edges)
    on_a_loop = {
        edges[number].source
        for loop in loops(edges)
        if is_silent(collects, edges, loop)
        for number in loop
    }
    assert bool(cycles) == bool(on_a_loop)
    for cycle in cycles:
        assert set(cycle) <= on_a_loop
        assert cycle[0] == min(cycle)
        assert len(set(cycle)) == len(cycle)


def test_one_loop_for_each_component() -> None:
    nothing: frozenset[Any] = frozenset()
    edges = [
        SilentEdge(source, target, nothing)
        for source, target in ((0, 1), (1, 0), (1, 2), (2, 2), (2, 3), (3, 4), (4, 3))
    ]
    assert silent_cycles([nothing] * 5, edges) == [(0, 1), (2,), (3, 4)]


def test_beyond_the_budget_a_loop_is_told(monkeypatch: Any) -> None:
    """Two halves that two slots stop: exact within the budget, careful beyond it."""
    collects = [frozenset[Any](), frozenset("x"), frozenset("y")]
    edges = [
        SilentEdge(0, 1, frozenset("x")),
        SilentEdge(1, 0, frozenset()),
        SilentEdge(0, 2, frozenset("y")),
        SilentEdge(2, 0, frozenset()),
    ]
    assert silent_cycles(collects, edges) == []
    monkeypatch.setattr(silent, "BUDGET", 1)
    assert silent_cycles(collects, edges) == [(0, 1)]


def test_many_slots_do_not_hold_up_the_search() -> None:
    """Twenty slots, each collected and cleared: the branching is cut off by the budget."""
    slots = [str(number) for number in range(20)]
    collects = [frozenset[Any](), *(frozenset([slot]) for slot in slots)]
    edges = [SilentEdge(0, number + 1, frozenset([slot])) for number, slot in enumerate(slots)]
    edges += [SilentEdge(number + 1, 0, frozenset(slots[:1])) for number in range(20)]
    assert len(silent_cycles(collects, edges)) <= 1
