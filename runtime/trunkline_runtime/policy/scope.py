"""Where a rule holds: regions, purposes, direction, voice."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scope:
    """A rule's `applies_to`. None means everywhere.

    `regions` are countries (`US`) or parts of one (`US-FL`); a country stands for all its parts.
    `voice` is `artificial` for a rule about synthesized voices only.
    """

    regions: frozenset[str] | None = None
    purposes: frozenset[str] | None = None
    direction: str | None = None
    voice: str | None = None

    @classmethod
    def from_document(
        cls, document: Mapping[str, Any] | None, country: str | None = None
    ) -> "Scope":
        """From `applies_to`; inside a jurisdiction an absent region is its `country`."""
        written = document or {}
        regions = written.get("region")
        if regions is None and country is not None:
            regions = [country]
        purposes = written.get("purpose")
        voice = written.get("voice")
        return cls(
            regions=None if regions is None else frozenset(regions),
            purposes=None if purposes is None else frozenset(purposes),
            direction=written.get("direction"),
            voice=None if voice == "any" else voice,
        )

    def covers_call(self, purpose: str, direction: str, voice: str) -> bool:
        """Whether the rule holds for such a call, wherever the other party is."""
        return (
            (self.purposes is None or purpose in self.purposes)
            and self.direction in (None, direction)
            and self.voice in (None, voice)
        )

    def covers_regions(self, regions: Iterable[str]) -> bool:
        """Whether the rule holds in at least one of the regions where the party may be."""
        if self.regions is None:
            return True
        return any(
            region == ours or region.startswith(f"{ours}-")
            for region in regions
            for ours in self.regions
        )
