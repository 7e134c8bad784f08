"""What a run with real models used: tokens, and what they cost at a price."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens that a model reads and writes."""

    read: float
    written: float


@dataclass(frozen=True)
class Usage:
    """Tokens that models read and wrote."""

    read: int = 0
    written: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.read + other.read, self.written + other.written)

    def dollars(self, price: Price) -> float:
        """What these tokens cost."""
        return (self.read * price.read + self.written * price.written) / 1_000_000
