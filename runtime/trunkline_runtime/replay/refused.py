"""A move that the model asked for and did not get: whether another release would grant it."""

from collections.abc import Iterator

from trunkline_runtime.call.exits import offered
from trunkline_runtime.call.path import Refusal
from trunkline_runtime.replay.difference import Kind
from trunkline_runtime.replay.recalled import Recalled
from trunkline_runtime.table.nodes import TalkNode


def granted_now(recalled: Recalled, node: TalkNode, refusal: Refusal) -> Iterator[tuple[Kind, str]]:
    """What there is to say if the refused move would be taken, or cannot be told to be refused."""
    if refusal.to not in [exit.to for exit in offered(recalled.table, node)]:
        return
    edges = [
        edge
        for edge in (*node.edges, *recalled.table.anywhere)
        if edge.asks_model and edge.to == refusal.to
    ]
    held = [recalled.guard(edge) for edge in edges]
    was = "; ".join(refusal.missing)
    if "open" in held:
        yield "guard", f"the exit to {refusal.to} is open; it was refused ({was})"
    elif "unclear" in held:
        yield (
            "unclear",
            f"the exit to {refusal.to} was refused ({was}), and has a guard that reads what the "
            "record does not show",
        )
