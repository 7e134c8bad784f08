"""The node table: one compiled flow, as JSON, as typed nodes, and as the digest that names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from trunkline_runtime.schema import validator
from trunkline_runtime.schema.accepting import fits
from trunkline_runtime.table.canonical import canonical_bytes, digest
from trunkline_runtime.table.nodes import Node, node_from_json
from trunkline_runtime.table.parts import Edge, Limits, Silence, Slot, ToolUse

FORMAT = "trunkline/node-table/v1"


class TableError(ValueError):
    """A node table that this version cannot use; the message says where and why."""


@dataclass(frozen=True)
class NodeTable:
    """A compiled flow. `document` is the JSON that it was read from; the rest is a typed view.

    `given` are slots that a link fills before the flow begins: no call may begin with it.
    """

    tenant: str
    flow: str
    direction: str
    purpose: str | None
    language: str
    start: str
    inputs: Mapping[str, Slot]
    slots: Mapping[str, Slot]
    given: tuple[str, ...]
    nodes: Mapping[str, Node]
    anywhere: tuple[Edge, ...]
    keys: Mapping[str, str]
    answer: Mapping[str, str]
    silence: Silence
    limits: Limits
    error: str | None
    after_call: tuple[ToolUse, ...]
    tools: Mapping[str, str]
    document: Mapping[str, Any]

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "NodeTable":
        """Reads a table. Raises TableError if the format is another or the schema is broken."""
        _refuse_other_format(document)
        return cls(
            tenant=document["tenant"],
            flow=document["flow"],
            direction=document["direction"],
            purpose=document.get("purpose"),
            language=document["language"],
            start=document["start"],
            inputs=_slots(document.get("inputs", {})),
            slots=_slots(document.get("slots", {})),
            given=tuple(document.get("given", ())),
            nodes={id: node_from_json(id, node) for id, node in document["nodes"].items()},
            anywhere=tuple(Edge.from_json(edge) for edge in document.get("anywhere", ())),
            keys=dict(document.get("keys", {})),
            answer=dict(document.get("answer", {})),
            silence=Silence.from_json(document.get("silence", {})),
            limits=Limits.from_json(document.get("limits", {})),
            error=document.get("error"),
            after_call=tuple(ToolUse.from_json(use) for use in document.get("after_call", ())),
            tools=dict(document.get("tools", {})),
            document=document,
        )

    @classmethod
    def from_layer(cls, document: Mapping[str, Any], digest: str) -> "NodeTable":
        """Reads a table whose RFC 8785 bytes were proven to have `digest`. Raises TableError."""
        table = cls.from_json(document)
        # Where a cached property keeps its value: the bytes need not be made again to name it.
        vars(table)["digest"] = digest
        return table

    def to_json(self) -> Mapping[str, Any]:
        """The JSON that the table was read from."""
        return self.document

    @cached_property
    def canonical(self) -> bytes:
        """RFC 8785 bytes: a layer of a release."""
        return canonical_bytes(self.document)

    @cached_property
    def digest(self) -> str:
        """`sha256:…` over `canonical`: the same meaning gives the same digest everywhere."""
        return digest(self.canonical)


def _slots(declared: Mapping[str, Any]) -> dict[str, Slot]:
    return {name: Slot.from_json(value) for name, value in declared.items()}


def _refuse_other_format(document: Mapping[str, Any]) -> None:
    found = document.get("schema") if isinstance(document, Mapping) else None
    if found != FORMAT:
        raise TableError(f"this is not a {FORMAT}: its `schema` says {found!r}")
    if fits("node-table", document):
        return
    for error in validator("node-table").iter_errors(document):
        where = "/".join(str(part) for part in error.absolute_path) or "the top"
        raise TableError(f"the node table breaks its schema at {where}: {error.message[:200]}")
