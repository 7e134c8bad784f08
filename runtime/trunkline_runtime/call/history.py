"""The full history of a call: everything that was said, pressed, called and answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from trunkline_runtime.call.moment import Moment
from trunkline_runtime.table.canonical import Json

Speaker = Literal["caller", "agent", "human"]


@dataclass(frozen=True)
class Said:
    """Words as they were heard. `cut` means that the caller interrupted them."""

    who: Speaker
    words: str
    node: str
    at: str
    cut: bool = False

    def to_json(self) -> dict[str, Json]:
        return {
            "who": self.who,
            "words": self.words,
            "node": self.node,
            "at": self.at,
            "cut": self.cut,
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Said":
        return cls(saved["who"], saved["words"], saved["node"], saved["at"], saved["cut"])


ToolOutcome = Literal["running", "done", "error", "timeout", "denied", "used_up", "refused"]


@dataclass(frozen=True)
class ToolCall:
    """One call of a catalogue tool, from the request to what became of it.

    `attempt` is the key under which the gate and the back end know it. `args` are all arguments,
    bound ones included; `private` names those that must not be shown. `decision`, `allowed` and
    `rules` are the gate's; `known` is what the call knew when it was asked for; `outcome` is what
    the flow sees: `refused` means that the call never
    reached the gate (not granted, wrong arguments). `ending` is what the gate was told of how it
    ended, None for one that never started. `seconds` is how long the tool ran.
    """

    tool: str
    node: str
    visit: int
    at: str
    args: Mapping[str, Json]
    outcome: ToolOutcome
    words: str
    private: frozenset[str] = frozenset()
    attempt: str = ""
    decision: str | None = None
    allowed: bool | None = None
    rules: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    result: Json = None
    seconds: float = 0.0
    known: Moment = field(default_factory=Moment)
    ending: str | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "tool": self.tool,
            "node": self.node,
            "visit": self.visit,
            "at": self.at,
            "args": dict(self.args),
            "outcome": self.outcome,
            "words": self.words,
            "private": sorted(self.private),
            "attempt": self.attempt,
            "decision": self.decision,
            "allowed": self.allowed,
            "rules": list(self.rules),
            "reasons": list(self.reasons),
            "result": self.result,
            "seconds": self.seconds,
            "known": self.known.to_json(),
            "ending": self.ending,
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "ToolCall":
        return cls(
            **{
                **saved,
                "private": frozenset(saved["private"]),
                "rules": tuple(saved["rules"]),
                "reasons": tuple(saved["reasons"]),
                "known": Moment.from_json(saved["known"]),
            }
        )
