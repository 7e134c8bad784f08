"""Who watches a call's exits, where anybody does: the coverage and the stories of scenario tests.

A call in production is watched by nobody, and then this costs one look at a context variable.
"""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from trunkline_runtime.table.parts import Edge

if TYPE_CHECKING:
    from trunkline_runtime.call.call import Call
    from trunkline_runtime.call.exits import Move


class Watcher(Protocol):
    """What is told of a call. It must change nothing and raise nothing."""

    def looked_at(self, edge: Edge, holds: bool) -> None:
        """An exit was looked at, and held or did not."""

    def moves(self, call: "Call", move: "Move") -> None:
        """A move is about to be taken; a limit has had its say already."""

    def stopped(self, call: "Call") -> None:
        """A script is at its end, or does not fit the flow any more; the caller hangs up next."""


watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
