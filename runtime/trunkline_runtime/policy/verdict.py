"""What the engine answers: the rules that took part, and a reason for each that says no."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ReasonKind = Literal[
    "kill_switch",
    "grant",
    "arguments",
    "purpose",
    "fact",
    "consent",
    "number_type",
    "dnc",
    "window",
    "frequency",
    "spend",
    "repeat",
    "unreadable",
]


@dataclass(frozen=True)
class Reason:
    """Why something is denied. `rule` is the id of a rule, or names what stands in its place
    (`number-type`, `internal-list`, the path of a document). `message` holds no phone number.
    """

    kind: ReasonKind
    rule: str
    message: str


@dataclass(frozen=True)
class Part:
    """One step's answer. `lasting` is set if waiting would not change it."""

    rules: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    lasting: bool = False


@dataclass(frozen=True)
class Verdict:
    """Allowed if and only if there is no reason against it.

    `zones` are the candidate time zones of the parties and `local_times` their clocks (ISO 8601).
    `next_allowed` is the first instant at which windows and frequency caps leave it open, where
    one of them is against it now and nothing lasting is. `notes` are for a human reader.
    """

    rules: tuple[str, ...]
    reasons: tuple[Reason, ...]
    zones: tuple[str, ...] = ()
    local_times: tuple[tuple[str, str], ...] = ()
    next_allowed: datetime | None = None
    notes: tuple[str, ...] = ()

    @property
    def allowed(self) -> bool:
        return not self.reasons
