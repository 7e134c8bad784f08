"""The catalogue: every tool, fact and outcome that a flow may name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trunkline.model.place import Place
from trunkline_runtime.catalogue.entry import ToolEntry

# Outcomes that the platform gives by itself; they need no entry (design, `end`).
RESERVED_OUTCOMES = frozenset(
    {"opt_out", "transferred", "hung_up", "busy", "no_answer", "abandoned", "failed"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """What `catalog/` holds. `facts` and `outcomes` are None where their file is missing.

    `unreadable` are the ids of tools whose file has findings of its own: they exist, but nothing
    is known of them.
    """

    entries: Mapping[str, ToolEntry] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)
    unreadable: frozenset[str] = frozenset()
    facts: Mapping[str, Any] | None = None
    outcomes: Mapping[str, Any] | None = None

    @property
    def fact_names(self) -> frozenset[str]:
        """Every fact that may be named; without `facts.yaml`, what the tools speak of."""
        if self.facts is not None:
            return frozenset(self.facts)
        return frozenset(
            fact for entry in self.entries.values() for fact in (*entry.establishes, *entry.revokes)
        )

    def may_confirm(self, fact: str) -> bool:
        """True if a confirm node may establish the fact (`confirm: true` in facts.yaml)."""
        return bool(self.facts and self.facts.get(fact, {}).get("confirm", False))

    def knows_outcome(self, outcome: str) -> bool:
        """True for a listed or reserved outcome; for all while there is no list."""
        return self.outcomes is None or outcome in self.outcomes or outcome in RESERVED_OUTCOMES
