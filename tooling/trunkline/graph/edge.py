"""An edge of the graph: one way on from a node, and why a call takes it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from trunkline.graph.scope import Scope
from trunkline.model.edge import Edge
from trunkline.model.place import Place


class Kind(StrEnum):
    """Why a call goes from one node to the next."""

    LOCAL = "local"
    ANYWHERE = "anywhere"
    KEY = "key"
    ANSWER = "answer"
    START = "start"
    SILENCE = "silence"
    LIMITS = "limits"
    ERROR = "error"
    ON_FAILURE = "on_failure"
    ON_YES = "on_yes"
    ON_NO = "on_no"
    ON_UNCLEAR = "on_unclear"
    BACK = "back"


CONFIRM_KINDS = frozenset({Kind.ON_YES, Kind.ON_NO, Kind.ON_UNCLEAR})


@dataclass(frozen=True, slots=True, eq=False)
class GraphEdge:
    """A way from `source` (an inlined id; None for the beginning of the call) to `target`.

    `edge` is the edge as written, for the kinds that have one; `place` is where the way is
    written; `label` is the key that is pressed or what answered. A way out of an aside that holds
    only while it was entered from one node names that node as its `entered_from`. A way that a
    limit on visits sends the call instead of another one has that one as its `instead_of`.
    """

    source: str | None
    target: str
    kind: Kind
    scope: Scope
    place: Place
    edge: Edge | None = None
    label: str = ""
    entered_from: str | None = None
    instead_of: "GraphEdge | None" = None

    @property
    def asks_model(self) -> bool:
        """True if the model chooses it."""
        return self.edge is not None and self.edge.asks_model


def way(
    source: str | None,
    scope: Scope,
    target: str,
    kind: Kind,
    place: Place,
    edge: Edge | None = None,
    label: str = "",
) -> Iterator[GraphEdge]:
    """The edge to a target of a file; nothing if the target does not exist."""
    reached = scope.resolve(target)
    if reached is not None:
        yield GraphEdge(source, reached, kind, scope, place, edge, label)
