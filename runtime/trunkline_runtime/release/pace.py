"""How often a follower asks a store, spread out so that a fleet does not ask all at once."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """`every` is the time between two rounds, in seconds; each is up to `jitter` of it early.

    So a change is followed within `every` seconds. A registry that asks to be left alone for
    longer is left alone, for at most `longest` seconds.
    """

    every: float = 15.0
    jitter: float = 0.3
    longest: float = 600.0

    def first(self) -> float:
        """When the first round begins: machines that started together part here."""
        return random.uniform(0, self.every * self.jitter)

    def next(self, asked_for: float | None) -> float:
        """How long to wait now. `asked_for` is what a registry wished, in seconds."""
        wait = self.every * (1 - random.uniform(0, self.jitter))
        return wait if asked_for is None else max(wait, min(asked_for, self.longest))
