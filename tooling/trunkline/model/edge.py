"""An edge: one exit of a node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trunkline.model.place import Place

_SLOT = "slots."


@dataclass(frozen=True, slots=True)
class Edge:
    """An exit as the file has it. `condition` is the CEL text of `if`, `otherwise` is `else`."""

    to: str
    when: str | None
    condition: str | None
    requires: tuple[str, ...]
    otherwise: bool
    say: str | None
    correction: bool
    clears: tuple[str, ...]
    place: Place

    @property
    def asks_model(self) -> bool:
        """True for an exit that the model chooses (`when`), false for the runtime's own."""
        return self.when is not None

    @property
    def required_facts(self) -> tuple[str, ...]:
        return tuple(name for name in self.requires if not name.startswith(_SLOT))

    @property
    def required_slots(self) -> tuple[str, ...]:
        return tuple(name[len(_SLOT) :] for name in self.requires if name.startswith(_SLOT))

    @classmethod
    def read(cls, place: Place, written: Mapping[str, Any]) -> "Edge":
        return cls(
            to=written["to"],
            when=written.get("when"),
            condition=written.get("if"),
            requires=tuple(written.get("requires", ())),
            otherwise=written.get("else", False),
            say=written.get("say"),
            correction=written.get("correction", False),
            clears=tuple(written.get("clears", ())),
            place=place,
        )


def read_edges(place: Place, written: Sequence[Mapping[str, Any]]) -> tuple[Edge, ...]:
    """The exits under `edges` or `anywhere`, in order."""
    return tuple(Edge.read(place.at(index), edge) for index, edge in enumerate(written))
