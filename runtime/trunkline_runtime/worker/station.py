"""What all calls of one worker stand on: its releases, its books, and how it telephones."""

from dataclasses import dataclass, field
from pathlib import Path

from trunkline_runtime.worker.sip import Trunk


@dataclass(frozen=True)
class Station:
    """One worker's place. It is given to the process of each call, so it can be pickled.

    `cache` is what the worker's follower keeps, `state` where ledger, records and checkpoints are.
    `trunk` is what it dials with, None for a worker that dials nobody. `fallback` is the number for
    callers whom no tenant can be found for. The three of LiveKit reach its services.
    """

    cache: Path
    state: Path
    url: str
    key: str
    secret: str = field(repr=False)
    trunk: Trunk | None = None
    fallback: str | None = field(default=None, repr=False)
