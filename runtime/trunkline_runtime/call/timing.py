"""How long a call took over what: each answer to the caller, and each swap of nodes."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trunkline_runtime.table.canonical import Json


@dataclass(frozen=True)
class Answered:
    """One turn: the caller's words were complete `at`, and the answer began `seconds` later.

    `visit` is the one that the words fell into. `heard` and `decided` are seconds that LiveKit
    took to write the words down and to see that the turn was over; None in a text call.
    """

    node: str
    visit: int
    at: str
    seconds: float
    heard: float | None = None
    decided: float | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "node": self.node,
            "visit": self.visit,
            "at": self.at,
            "seconds": self.seconds,
            "heard": self.heard,
            "decided": self.decided,
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Answered":
        return cls(**saved)


@dataclass(frozen=True)
class Swapped:
    """One swap: all that the runtime did from the settled batch to standing on the new node."""

    node: str
    to: str
    visit: int
    at: str
    seconds: float

    def to_json(self) -> dict[str, Json]:
        return {
            "node": self.node,
            "to": self.to,
            "visit": self.visit,
            "at": self.at,
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Swapped":
        return cls(**saved)


@dataclass
class Turn:
    """A turn of the caller that nobody has answered yet."""

    node: str
    visit: int
    at: str
    heard: float | None
    decided: float | None
    began: float

    @classmethod
    def of(cls, node: str, visit: int, at: str, metrics: Mapping[str, Any]) -> "Turn":
        """The turn that ends now. `metrics` are LiveKit's of the caller's message."""
        return cls(
            node,
            visit,
            at,
            _seconds(metrics.get("transcription_delay")),
            _seconds(metrics.get("end_of_turn_delay")),
            time.monotonic(),
        )

    def answered(self) -> Answered:
        """The answer begins now."""
        took = round(time.monotonic() - self.began, 4)
        return Answered(self.node, self.visit, self.at, took, self.heard, self.decided)


def _seconds(value: object) -> float | None:
    return round(float(value), 4) if isinstance(value, int | float) else None
