"""The flow as a LangGraph StateGraph: a node for each step, compiled, and read back."""

import gc
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, TypedDict

# What LangGraph would pass from node to node; no node can have this name.
CallState = TypedDict("CallState", {"the call": str})


def adjacency(
    nodes: Iterable[str], targets: Mapping[str, Iterable[str]]
) -> frozenset[tuple[str, str]]:
    """The (source, target) pairs of the compiled graph.

    The entry leads to every node: `get_graph()` walks the graph for at most 250 steps from its
    entry and leaves out what it does not meet on the way, so that it would miss the end of a long
    flow and each island. Where a call really begins is kept apart (Kind.START, Kind.ANSWER).
    """
    # Costs about a second, so it is imported only when a flow must be compiled.
    with _collector_paused():
        from langgraph.graph import START, StateGraph

    stay, choose = _runnables()
    builder: StateGraph[Any] = StateGraph(CallState)
    ids = list(nodes)
    for id in ids:
        builder.add_node(id, stay)
    everywhere: dict[Hashable, str] = {id: id for id in ids}
    builder.add_conditional_edges(START, choose, everywhere)
    for source, reached in targets.items():
        # A path map is needed: without one LangGraph takes a node to lead everywhere.
        ways: dict[Hashable, str] = {target: target for target in reached}
        if ways:
            builder.add_conditional_edges(source, choose, ways)
    drawn = builder.compile().get_graph()
    known = frozenset(ids)
    return frozenset(
        (edge.source, edge.target)
        for edge in drawn.edges
        if edge.source in known and edge.target in known
    )


@contextmanager
def _collector_paused() -> Iterator[None]:
    """An import only makes things that stay: looking for garbage among them costs a seventh."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@cache
def _runnables() -> tuple[Any, Any]:
    """Both functions as LangGraph wraps them: it would look at their signatures for each node."""
    from langchain_core.runnables import RunnableLambda

    # Without hints, which LangGraph would read anew for each branch.
    return RunnableLambda(_stay), RunnableLambda(lambda state: state["the call"], name="choose")


def _stay(state: CallState) -> CallState:
    """LangGraph asks for a function on every node; calls run elsewhere, so none is ever run."""
    return state
