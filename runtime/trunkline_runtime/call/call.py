"""A call as its parts see it: the pin, the state, the clock and the policy of the moment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline_runtime.call.clock import Clock
from trunkline_runtime.call.conditions import Conditions, conditions_of
from trunkline_runtime.call.state import CallState, PinnedTo, Visit
from trunkline_runtime.call.templates import filled
from trunkline_runtime.call.values import values_now
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.failure import Refused
from trunkline_runtime.release.loaded import Pin, PolicySnapshot
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import Node
from trunkline_runtime.table.settings import TenantSettings

# Outcomes that a flow or the runtime may record without an entry in the catalogue; of these, only
# opt_out takes the number off the list of those who are called.
OPT_OUT = "opt_out"
# Shorter values would black out half of every sentence and tell nobody anything.
_SHORTEST_PRIVATE = 3


class CallFailed(RuntimeError):
    """The flow itself failed: the call goes to its `error` node. The message goes on record."""


@dataclass
class Call:
    """Everything that deciding needs, and nothing that speaks or sends.

    `pin` changes only when a `link` goes on in another flow of the same release; `state` changes by
    the functions of this room alone.
    """

    pin: Pin
    state: CallState
    clock: Clock
    policy: PolicySnapshot

    @classmethod
    def begin(
        cls,
        pin: Pin,
        clock: Clock,
        policy: PolicySnapshot,
        *,
        call_id: str,
        party: str | None = None,
        inputs: Mapping[str, Json] | None = None,
        answered_by: str | None = None,
        consents: Iterable[str] = (),
    ) -> "Call":
        """A call that has not entered a node yet. `party` is the other side's number in E.164."""
        table = pin.table
        state = CallState(
            call_id=call_id,
            tenant=table.tenant,
            flow=table.flow,
            pin=PinnedTo(pin.tag, pin.digest),
            direction=table.direction,
            language=table.language,
            started=clock.now(),
            visit=Visit(0, table.start),
            party=party,
            answered_by=answered_by,
            consents=set(consents),
            inputs=dict(inputs or {}),
        )
        call = cls(pin, state, clock, policy)
        if party is not None:
            state.private.add(party)
        for name, value in state.inputs.items():
            call.keep_private(name, value)
        return call

    @classmethod
    def resume(cls, pin: Pin, clock: Clock, policy: PolicySnapshot, state: CallState) -> "Call":
        """A call that was cut off, from its checkpoint. Raises Refused on another pin than its."""
        pin = pin if pin.flow == state.flow else pin.linked(state.flow)
        if (pin.tag, pin.digest) != (state.pin.tag, state.pin.digest):
            raise Refused(
                f"the call is pinned to {state.flow} {state.pin.tag} {state.pin.digest}, "
                f"which {pin.tag} {pin.digest} is not"
            )
        return cls(pin, state, clock, policy)

    @property
    def table(self) -> NodeTable:
        return self.pin.table

    @property
    def entries(self) -> Mapping[str, ToolEntry]:
        return self.pin.entries

    @property
    def settings(self) -> TenantSettings:
        return self.pin.settings

    @property
    def node(self) -> Node:
        """The node that the call stands on."""
        return self.table.nodes[self.state.node]

    @property
    def conditions(self) -> Conditions:
        return conditions_of(self.table, self.entries, self.pin.release.facts)

    def values(self) -> dict[str, Json]:
        """What expressions and templates see at this moment."""
        return values_now(self.state, self.table, self.settings, self.conditions, self.clock)

    def words(self, text: str) -> str:
        """A text of the flow with its places filled in."""
        return filled(text, self.values(), self.table, self.settings)

    def now(self) -> str:
        """This moment in RFC 3339, for the record."""
        return self.clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def suppresses(self, outcome: str) -> bool:
        """Whether an outcome takes the number off the list of those who are called."""
        entry: Mapping[str, Any] = self.pin.release.outcomes.get(outcome, {})
        return outcome == OPT_OUT or entry.get("suppress") is not None

    def is_private(self, name: str) -> bool:
        """Whether a qualified name (`slots.full_name`) is declared as personal data."""
        room, _, rest = name.partition(".")
        declared = {"slots": self.table.slots, "inputs": self.table.inputs}.get(room, {})
        return rest in declared and declared[rest].pii

    def keep_private(self, name: str, value: Json) -> None:
        """Remembers a value that no record may show, however it is named there."""
        private = self.is_private(f"slots.{name}") or self.is_private(f"inputs.{name}")
        text = str(value)
        if private and len(text) >= _SHORTEST_PRIVATE and not isinstance(value, bool):
            self.state.private.add(text)
