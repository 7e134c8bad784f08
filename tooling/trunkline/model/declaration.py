"""Data that a flow declares: its slots, inputs and params."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trunkline.model.place import Place


@dataclass(frozen=True, slots=True)
class Declaration:
    """A slot, an input or a param. `written` is its declaration as the file has it."""

    name: str
    type: str
    written: Mapping[str, Any]
    place: Place

    @property
    def optional(self) -> bool:
        """True for a slot that the caller may decline."""
        return self.written.get("optional", False) is True

    @property
    def ask(self) -> str | None:
        """The exact words that ask for a slot, if it has any."""
        ask: str | None = self.written.get("ask")
        return ask

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a `choice` that lists them."""
        return tuple(self.written.get("choices", ()))

    @property
    def choices_from(self) -> str | None:
        """`<tool>.<path in its result>` of a `choice` that is filled while the call runs."""
        source: str | None = self.written.get("choices_from")
        return source


def read_declarations(place: Place, written: Mapping[str, Any]) -> Mapping[str, Declaration]:
    """The declarations under `slots`, `inputs` or `params`, by name."""
    return {
        name: Declaration(name, value["type"], value, place.at(name))
        for name, value in written.items()
    }
