"""Which vertices a call can come to, and from which it can come to others."""

from collections.abc import Callable, Iterable, Sequence

from trunkline.graph.flow_graph import FlowGraph, Passage


def reachable(graph: FlowGraph) -> frozenset[int]:
    """The vertices that some path from the beginning of the call reaches."""
    seen = {passage.target for passage in graph.starts}
    waiting = list(seen)
    while waiting:
        for passage in graph.out[waiting.pop()]:
            if passage.target not in seen:
                seen.add(passage.target)
                waiting.append(passage.target)
    return frozenset(seen)


def leading_to(
    graph: FlowGraph, goals: Iterable[int], counts: Callable[[Passage], bool]
) -> frozenset[int]:
    """The vertices from which a goal can be reached over passages that count, goals included."""
    seen = set(goals)
    waiting = list(seen)
    while waiting:
        for passage in graph.into[waiting.pop()]:
            if passage.source not in seen and passage.source >= 0 and counts(passage):
                seen.add(passage.source)
                waiting.append(passage.source)
    return frozenset(seen)


def closure(graph: FlowGraph, counts: Callable[[Passage], bool]) -> Sequence[int]:
    """For each vertex a bit set of the vertices that one or more counting passages reach.

    Near linear: one pass over the strongly connected components, targets first.
    """
    successors = [[passage.target for passage in out if counts(passage)] for out in graph.out]
    reached = [0] * len(successors)
    for component in components(successors):
        members = set(component)
        bits = 0
        cyclic = len(component) > 1
        for vertex in component:
            for target in successors[vertex]:
                bits |= 1 << target | (0 if target in members else reached[target])
                cyclic = cyclic or target == vertex
        if cyclic:
            for vertex in component:
                bits |= 1 << vertex
        for vertex in component:
            reached[vertex] = bits
    return reached


def components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components, each after those that it leads to (Tarjan, 1972)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_stack: list[int] = []
    is_open: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(successors)):
        if root in order:
            continue
        order[root] = low[root] = len(order)
        open_stack.append(root)
        is_open.add(root)
        work = [(root, iter(successors[root]))]
        while work:
            vertex, rest = work[-1]
            for target in rest:
                if target not in order:
                    order[target] = low[target] = len(order)
                    open_stack.append(target)
                    is_open.add(target)
                    work.append((target, iter(successors[target])))
                    break
                if target in is_open:
                    low[vertex] = min(low[vertex], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[vertex])
                if low[vertex] == order[vertex]:
                    component: list[int] = []
                    while not component or component[-1] != vertex:
                        component.append(open_stack.pop())
                        is_open.discard(component[-1])
                    found.append(component)
    return found
