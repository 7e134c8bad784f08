"""What a call knew at the moment of a decision, so that another release can be asked the same.

A record holds no personal data: of a value that may not be shown, only that it was set.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trunkline_runtime.call.masking import masked
from trunkline_runtime.table.canonical import Json

if TYPE_CHECKING:
    from trunkline_runtime.call.call import Call


@dataclass(frozen=True)
class Moment:
    """What held. `values` are by qualified name (`slots.amount_due`, `call.visits`).

    `facts` are those established, `failed` maps a tool to how its last call in this visit failed,
    `disclosed` are the disclosures spoken so far. `hidden` names slots and inputs that are set and
    whose values no record may show; `declined` are slots that the caller would rather not give,
    `ask_again` those that are set and asked for once more.
    """

    facts: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    disclosed: tuple[str, ...] = ()
    values: Mapping[str, Json] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    ask_again: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "facts": list(self.facts),
            "failed": dict(self.failed),
            "disclosed": list(self.disclosed),
            "values": dict(self.values),
            "hidden": list(self.hidden),
            "declined": list(self.declined),
            "ask_again": list(self.ask_again),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Moment":
        return cls(
            facts=tuple(saved["facts"]),
            failed=dict(saved["failed"]),
            disclosed=tuple(saved["disclosed"]),
            values=dict(saved["values"]),
            hidden=tuple(saved["hidden"]),
            declined=tuple(saved["declined"]),
            ask_again=tuple(saved["ask_again"]),
        )


def moment_of(call: "Call") -> Moment:
    """What the call knows now."""
    state = call.state
    values: dict[str, Json] = {}
    hidden: list[str] = []
    for name, value in call.values().items():
        if name.startswith(("facts.", "failed.")):
            continue  # true for those listed, false for all others
        if call.is_private(name) or masked(value, state.private) != value:
            hidden.append(name)
        else:
            values[name] = value
    return Moment(
        facts=tuple(sorted(state.facts)),
        failed=dict(state.visit.failed),
        disclosed=tuple(sorted(state.disclosed)),
        values=values,
        hidden=tuple(sorted(hidden)),
        declined=tuple(sorted(state.declined)),
        ask_again=tuple(sorted(state.ask_again)),
    )
