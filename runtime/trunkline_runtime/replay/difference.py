"""What a replay finds: where the call would go differently, and what could not be told."""

from dataclasses import dataclass
from typing import Literal

from trunkline_runtime.table.canonical import Json

# What differs. `unclear`: it depends on a value that the record does not show.
Kind = Literal[
    "flow",  # the release has no such flow
    "node",  # the flow has no such node any more
    "exit",  # an exit is gone, or leads elsewhere
    "guard",  # a guard is closed that was open, or open that was closed
    "limit",  # visits or minutes
    "silence",  # how often the caller may be silent
    "tool",  # a tool is not granted any more, or is now
    "arguments",  # a tool would not take what it was given
    "fact",  # the policy needs a fact that was not there, or no longer needs it
    "number",  # a transfer goes to another number
    "outcome",  # the call ends as something else
    "words",  # fixed words, or what the model reads
    "unclear",
]


@dataclass(frozen=True)
class Difference:
    """One place. `step` counts the nodes of the path from 1: the one on which it shows."""

    step: int
    flow: str
    node: str
    kind: Kind
    message: str

    def to_json(self) -> dict[str, Json]:
        return {
            "step": self.step,
            "flow": self.flow,
            "node": self.node,
            "kind": self.kind,
            "message": self.message,
        }

    @property
    def leads_elsewhere(self) -> bool:
        """Whether the call would not have gone on as it did: other words alone change no path."""
        return self.kind not in ("words", "unclear")
