"""What the gate is asked, and the face of the gate that a call sees."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.policy.question import ContactKind
from trunkline_runtime.table.canonical import Json

__all__ = [
    "ContactRecord",
    "Decision",
    "DialRequest",
    "FactRecord",
    "Gate",
    "OptOut",
    "PutOff",
    "ToolRequest",
]


@dataclass(frozen=True)
class FactRecord:
    """An established fact: `subject` is whom it is about, None if it is about nobody special."""

    subject: str | None = None


@dataclass(frozen=True)
class ToolRequest:
    """May this tool run now, with these arguments?

    `granted` are the tools of the node; `args` all arguments, `bound` the names of those that the
    flow bound and the model could not choose. `attempt` is the same when one attempt is repeated.
    `subject` is whom the call of the tool is about (the entry's `subject`), `party` the E.164
    number of the other side, `disclosed` the disclosures that were spoken in this call, `consents`
    those that the call carries. `now` is an aware instant.
    """

    call_id: str
    tenant: str
    flow: str
    node: str
    pin_digest: str
    tool: ToolEntry | None
    tool_id: str
    granted: frozenset[str]
    args: Mapping[str, Json]
    bound: frozenset[str]
    attempt: str
    facts: Mapping[str, FactRecord]
    subject: str | None
    party: str | None
    address: Mapping[str, Json] | None
    purpose: str
    direction: str
    now: datetime
    voice: str = "artificial"
    disclosed: frozenset[str] = frozenset()
    consents: frozenset[str] = frozenset()


@dataclass(frozen=True)
class DialRequest:
    """May this number be dialled now? Asked at the moment of dialling, whatever was asked before.

    `subject` is what the call is about (an account), `consents` what the job says was given.
    """

    call_id: str
    tenant: str
    flow: str
    pin_digest: str
    party: str
    purpose: str
    now: datetime
    address: Mapping[str, Json] | None = None
    subject: str | None = None
    voice: str = "artificial"
    consents: frozenset[str] = frozenset()


@dataclass(frozen=True)
class OptOut:
    """A number that is not to be called again: by one tenant, or by the whole platform."""

    call_id: str
    tenant: str
    number: str
    now: datetime
    scope: Literal["tenant", "platform"] = "tenant"
    source: str = "call"


@dataclass(frozen=True)
class ContactRecord:
    """Something that frequency caps count: a conversation was held, or the person refused."""

    call_id: str
    tenant: str
    number: str
    now: datetime
    kind: ContactKind
    subject: str | None = field(default=None)


class PutOff(Exception):
    """The ledger does not take it now. It is on this machine's disk and will be put there later."""


class Gate(Protocol):
    """What a call may ask of the gate.

    `decide` and `decide_dial` never raise: what goes wrong inside is a denial. The decision is on
    record before they return. Every decision that allowed is followed by exactly one `settle`.
    """

    async def decide(self, request: ToolRequest) -> Decision: ...

    async def decide_dial(self, request: DialRequest) -> Decision: ...

    async def settle(self, decision: Decision, ending: Ending, micros: int | None = None) -> None:
        """How the tool ended and what it really cost (None: what was reserved). Never raises."""
        ...

    async def record_opt_out(self, opt_out: OptOut) -> None:
        """Durable when it returns. Raises if it is not: then no words may say that it was done."""
        ...

    async def record_contact(self, contact: ContactRecord) -> None:
        """Durable when it returns. Raises if it is not."""
        ...
