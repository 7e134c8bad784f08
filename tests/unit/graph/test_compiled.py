"""What LangGraph compiles is read back whole, however long the flow is and whatever is cut off."""

from itertools import pairwise

from trunkline.graph.compiled import adjacency


def test_a_flow_longer_than_langgraph_walks() -> None:
    """`get_graph()` stops after 250 steps; entered on the first node alone it loses the rest."""
    nodes = [f"n{number}" for number in range(400)]
    targets = {here: [after] for here, after in pairwise(nodes)}
    expected = {(here, after) for here, (after,) in targets.items()}
    assert adjacency(nodes, targets) == expected


def test_islands_and_loops_and_ends() -> None:
    targets = {"a": ["a", "b"], "c": ["d", "b"], "d": ["c"], "b": []}
    assert adjacency("abcde", targets) == {
        ("a", "a"),
        ("a", "b"),
        ("c", "d"),
        ("c", "b"),
        ("d", "c"),
    }


def test_ids_as_inlining_makes_them() -> None:
    nodes = ["verify/ask-again", "verify/inner/ask", "__x", "langgraph"]
    targets = {"verify/ask-again": nodes}
    assert adjacency(nodes, targets) == {("verify/ask-again", node) for node in nodes}
