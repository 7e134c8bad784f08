"""What a call knows for certain: slots with where they came from, facts with what they rest on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from trunkline_runtime.table.canonical import Json

# caller: collected from what was said or typed. tool: a tool's `sets`. link: bound by a link node.
# given: known before the first word (a scenario that starts in the middle of a flow).
Source = Literal["caller", "tool", "link", "given"]


@dataclass(frozen=True)
class SlotValue:
    """A slot that is set. `by` names the tool where `source` is `tool`; `node` is where it was."""

    value: Json
    source: Source
    node: str
    by: str | None = None

    def to_json(self) -> dict[str, Json]:
        return {"value": self.value, "source": self.source, "node": self.node, "by": self.by}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "SlotValue":
        return cls(saved["value"], saved["source"], saved["node"], saved["by"])


@dataclass(frozen=True)
class Fact:
    """A fact that is established.

    `subject` says whom it is about (None: nobody in particular). `by` is the tool or the confirm
    node that established it, `slots` what it rests on: it falls when one of them changes.
    """

    subject: str | None
    by: str
    slots: frozenset[str]

    def to_json(self) -> dict[str, Json]:
        return {"subject": self.subject, "by": self.by, "slots": sorted(self.slots)}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Fact":
        return cls(saved["subject"], saved["by"], frozenset(saved["slots"]))
