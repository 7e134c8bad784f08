"""One flow file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from trunkline.model.declaration import Declaration, read_declarations
from trunkline.model.edge import Edge, read_edges
from trunkline.model.nodes import Node, read_node
from trunkline.model.place import Place
from trunkline.model.tool_use import ToolUse, read_tool_uses
from trunkline.source.document import Document


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """A flow as its file has it: a tenant's, a shared one, or a tenant's use of a shared one.

    `id` is the file's name, by which other files find it. `exits` is None unless the file is a
    shared sub-flow. Where `use` names a shared flow, `given` are the values of its params and
    everything else is empty.
    """

    id: str
    place: Place
    direction: str | None
    purpose: str | None
    language: str | None
    start: str | None
    params: Mapping[str, Declaration]
    exits: tuple[str, ...] | None
    inputs: Mapping[str, Declaration]
    slots: Mapping[str, Declaration]
    nodes: Mapping[str, Node]
    anywhere: tuple[Edge, ...]
    keys: Mapping[str, str]
    answer: Mapping[str, str]
    silence: Mapping[str, Any]
    limits: Mapping[str, Any]
    error: str | None
    after_call: tuple[ToolUse, ...]
    use: str | None
    given: Mapping[str, bool | int | float | str]

    @property
    def path(self) -> str:
        """The file, relative to the repository."""
        return self.place.path

    @classmethod
    def read(cls, document: Document) -> "Flow":
        """The flow that a document holds, which has been checked against `flow.schema.json`."""
        place = Place(document)
        written: Mapping[str, Any] = document.data
        nodes = place.at("nodes")
        return cls(
            id=PurePosixPath(document.path).stem,
            place=place,
            direction=written.get("direction"),
            purpose=written.get("purpose"),
            language=written.get("language"),
            start=written.get("start"),
            params=read_declarations(place.at("params"), written.get("params", {})),
            exits=tuple(written["exits"]) if "exits" in written else None,
            inputs=read_declarations(place.at("inputs"), written.get("inputs", {})),
            slots=read_declarations(place.at("slots"), written.get("slots", {})),
            nodes={
                id: read_node(id, nodes.at(id), node)
                for id, node in written.get("nodes", {}).items()
            },
            anywhere=read_edges(place.at("anywhere"), written.get("anywhere", ())),
            keys=written.get("keys", {}),
            answer=written.get("answer", {}),
            silence=written.get("silence", {}),
            limits=written.get("limits", {}),
            error=written.get("error"),
            after_call=read_tool_uses(place.at("after_call"), written.get("after_call", ())),
            use=written.get("use"),
            given=written.get("with", {}),
        )
