"""A file as read: its values, and where each key and value stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from trunkline.finding import START, Mark

# Where a value stands: (line, column, end line, end column), counted from 0, and for a mapping or
# a list also the places inside it. Plain tuples, because a repository has millions of them.
# A mapping holds key → (place of the key, place of the value); a list holds places.
Place: TypeAlias = tuple[Any, ...]
Step: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class Document:
    """One file. `data` is JSON (mappings keep the file's order); `text` is the file as read.

    `kind` names its schema: flow, tenant, tool, ….
    """

    path: str
    kind: str
    data: Any
    places: Place
    text: str

    @property
    def folder(self) -> str:
        """The name of the folder it lies in: the tenant of a flow, the connection of a tool."""
        parts = self.path.split("/")
        return parts[-2] if len(parts) > 1 else ""

    @property
    def tenant(self) -> str | None:
        """The tenant that the file belongs to; None for shared flows, catalogue and policy."""
        parts = self.path.split("/")
        return parts[1] if parts[0] == "flows" and parts[1] != "shared" else None

    @property
    def stem(self) -> str:
        """The file's name without `.yaml`."""
        return self.path.rsplit("/", 1)[-1].removesuffix(".yaml")

    def mark(self, path: Sequence[Step], of: Literal["value", "key"] = "value") -> Mark:
        """Where the value at `path` (or its key) stands.

        For a step that the file does not hold, where the nearest value around it stands.
        """
        key_place: Place | None = None
        place = self.places
        for step in path:
            inner = place[4] if len(place) > 4 else None
            if isinstance(inner, dict) and step in inner:
                key_place, place = inner[step]
            elif isinstance(inner, list) and isinstance(step, int) and step < len(inner):
                key_place, place = None, inner[step]
            else:
                break
        chosen = key_place if of == "key" and key_place is not None else place
        if not chosen:
            return START
        line, column, end_line, end_column = chosen[:4]
        return Mark(line + 1, column + 1, end_line + 1, end_column + 1)

    def is_bare_key(self, path: Sequence[Step]) -> bool:
        """True for a key in braces without a colon: what an unquoted comma leaves behind."""
        key, value = self.mark(path, "key"), self.mark(path)
        return (key.end_line, key.end_column) == value[:2] == value[2:]
