"""The path of a call: the nodes that it passed, and why it went to each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from trunkline_runtime.call.moment import Moment
from trunkline_runtime.table.canonical import Json

Cause = Literal[
    "start",  # the first node
    "answer",  # who or what picked up
    "model",  # the model chose an exit
    "edge",  # an exit without `when` held
    "back",  # an aside returned
    "key",  # a key was pressed
    "confirm",  # a yes, a no, or neither
    "silence",
    "limit",  # too many visits, or too long a call
    "error",  # the flow itself failed
    "on_failure",  # a transfer did not come about
    "link",  # the call went on in another flow
    "resume",  # a call that was cut off goes on
]


@dataclass(frozen=True)
class Reason:
    """Why the call moved. `words` explain the cause: the `when` that was chosen, the key, …"""

    cause: Cause
    words: str = ""

    def __str__(self) -> str:
        return f"{self.cause}: {self.words}" if self.words else self.cause


@dataclass(frozen=True)
class Step:
    """One node that the call passed. `at` is an instant in RFC 3339, `visit` counts all steps.

    `known` is what the call knew when it was decided to go there.
    """

    flow: str
    node: str
    visit: int
    reason: Reason
    at: str
    known: Moment

    def to_json(self) -> dict[str, Json]:
        return {
            "flow": self.flow,
            "node": self.node,
            "visit": self.visit,
            "cause": self.reason.cause,
            "why": self.reason.words,
            "at": self.at,
            "known": self.known.to_json(),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Step":
        reason = Reason(saved["cause"], saved["why"])
        known = Moment.from_json(saved["known"])
        return cls(saved["flow"], saved["node"], saved["visit"], reason, saved["at"], known)


@dataclass(frozen=True)
class Refusal:
    """A move that the model asked for and did not get; `missing` is what it was told.

    `known` is what the call knew when it was refused.
    """

    node: str
    to: str
    missing: tuple[str, ...]
    at: str
    known: Moment

    def to_json(self) -> dict[str, Json]:
        return {
            "node": self.node,
            "to": self.to,
            "missing": list(self.missing),
            "at": self.at,
            "known": self.known.to_json(),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Refusal":
        known = Moment.from_json(saved["known"])
        return cls(saved["node"], saved["to"], tuple(saved["missing"]), saved["at"], known)
