"""A decision of the gate, as the call sees it and as the record keeps it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from trunkline_runtime.policy.verdict import Reason, ReasonKind

__all__ = ["Decision", "Ending", "Reason", "ReasonKind"]

# How a tool that was allowed ended. `done`: it gave a result, or is a thought that has ended and
# cost what it cost. `failed`: it certainly did nothing.
# `unknown`: it may have done it (a timeout). `withdrawn`: it was never started.
Ending = Literal["done", "failed", "unknown", "withdrawn"]


@dataclass(frozen=True)
class Decision:
    """Allowed if and only if there is no reason against it; `id` names it in the record.

    `rules` took part, `zones` are where the other party may be, `next_allowed` is the first
    instant at which time alone would lift the reasons. No field holds a phone number.
    """

    id: str
    allowed: bool
    rules: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    zones: tuple[str, ...] = ()
    next_allowed: datetime | None = None
    policy_digest: str = ""
    tzdata_version: str = ""
    attempt: str = ""
