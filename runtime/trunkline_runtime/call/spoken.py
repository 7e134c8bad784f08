"""Fixed words that wait to be spoken, before the model or anything else says a word."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from trunkline_runtime.table.canonical import Json

# What the words are decides whether the caller may interrupt them, and what comes after them.
Kind = Literal["disclosure", "say", "ask", "confirm", "end", "transfer", "silence", "filler"]

# A caller who talks over these has not heard them: a disclosure is owed in full, a yes counts only
# for words that were heard, and a goodbye or a hand-over is not cut off by a cough.
_UNINTERRUPTIBLE: frozenset[Kind] = frozenset({"disclosure", "confirm", "end", "transfer"})


@dataclass(frozen=True)
class Words:
    """Words exactly as they will be spoken, templates filled in.

    `slot` is what an `ask` asks for, `disclosures` are those that the words of one consist of.
    """

    kind: Kind
    text: str
    slot: str | None = None
    disclosures: tuple[str, ...] = ()

    @property
    def interruptible(self) -> bool:
        return self.kind not in _UNINTERRUPTIBLE

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind,
            "text": self.text,
            "slot": self.slot,
            "disclosures": list(self.disclosures),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Words":
        return cls(saved["kind"], saved["text"], saved["slot"], tuple(saved["disclosures"]))
