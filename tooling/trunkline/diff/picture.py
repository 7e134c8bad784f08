"""A picture of what changed in a flow, as data: nodes, ways between them, what became of each."""

from dataclasses import dataclass
from typing import Literal

from trunkline.diff.change import FlowId

Status = Literal["same", "added", "removed", "changed"]
# Two that are no nodes of any flow: a node's id has no spaces.
EVERYWHERE = "every talk node"
BEGINNING = "the call begins"


@dataclass(frozen=True)
class PictureNode:
    """A node: its id, what became of it, and a second line that says what it is.

    `on_path` is true if the path of a change leads over it; `cut` counts the ways on from it that
    are not drawn.
    """

    id: str
    status: Status
    line: str = ""
    on_path: bool = False
    cut: int = 0


@dataclass(frozen=True)
class PictureEdge:
    """A way between two nodes, what became of it, and what leads there; `on_path` as of a node."""

    source: str
    target: str
    status: Status
    label: str = ""
    on_path: bool = False


@dataclass(frozen=True)
class Picture:
    """The changed neighbourhood of one flow. `alike` are other flows of which it is true too;
    `left_out` counts the changed nodes for which there was no room."""

    tenant: str
    flow: str
    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...]
    alike: tuple[FlowId, ...] = ()
    left_out: int = 0
