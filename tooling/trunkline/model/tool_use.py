"""A tool as one node grants it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trunkline.model.place import Place
from trunkline_runtime.table.parts import DEFAULT_MAX_CALLS, Bound


@dataclass(frozen=True, slots=True)
class ToolUse:
    """An entry of `tools` or `after_call`.

    `bind` is `with`: argument → CEL text, or a literal number or boolean. `sets` maps a slot to
    the CEL text over the result that fills it.
    """

    id: str
    place: Place
    bind: Mapping[str, Bound] = field(default_factory=dict)
    sets: Mapping[str, Bound] = field(default_factory=dict)
    condition: str | None = None
    once: bool = False
    max_calls: int = DEFAULT_MAX_CALLS

    @property
    def id_place(self) -> Place:
        """Where the id stands: the entry itself, if it is nothing but an id."""
        return self.place.at("id") if self._is_mapping else self.place

    @property
    def _is_mapping(self) -> bool:
        value: Any = self.place.document.data
        for key in self.place.keys:
            value = value[key]
        return isinstance(value, Mapping)

    @classmethod
    def read(cls, place: Place, written: str | Mapping[str, Any]) -> "ToolUse":
        if isinstance(written, str):
            return cls(id=written, place=place)
        return cls(
            id=written["id"],
            place=place,
            bind=written.get("with", {}),
            sets=written.get("sets", {}),
            condition=written.get("if"),
            once=written.get("once", False),
            max_calls=written.get("max_calls", DEFAULT_MAX_CALLS),
        )


def read_tool_uses(place: Place, written: Sequence[str | Mapping[str, Any]]) -> tuple[ToolUse, ...]:
    """The entries under `tools` or `after_call`, in order."""
    return tuple(ToolUse.read(place.at(index), use) for index, use in enumerate(written))
