"""What the engine is asked: one dial or one tool call, and all that is known about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from trunkline_runtime.policy.rule import DoNotCallList

ContactKind = Literal["attempt", "conversation", "refusal"]
# What a Do-Not-Call list says of a number; anything but `clear` denies.
ListAnswer = Literal["clear", "listed", "missing", "mismatch", "unreadable"]
Lists = Callable[[DoNotCallList, str], ListAnswer]


def no_lists(rule: DoNotCallList, number: str) -> ListAnswer:
    """Where nothing can be looked up, every list is missing."""
    return "missing"


@dataclass(frozen=True)
class Contact:
    """One earlier contact with a number: tried, talked, or refused."""

    at: datetime
    kind: ContactKind = "attempt"
    subject: str | None = None


@dataclass(frozen=True)
class Party:
    """Somebody who would be contacted. `number` is meant to be E.164; anything else is denied.

    `address` is text or a mapping (see `address_of`); `opted_out` is what the internal list
    says, None where nobody looked (a person who asks why; never the gate).
    """

    number: str
    address: str | Mapping[str, object] | None = None
    history: tuple[Contact, ...] = ()
    opted_out: bool | None = None


@dataclass(frozen=True)
class Question:
    """May this be done now? `now` is an aware instant.

    `parties` matter for a dial and for a tool that contacts. `facts`, `consents` and `disclosed`
    are what the call has established; None leaves them out of the answer, which only a person
    who asks why may do, never the gate.
    """

    tenant: str
    purpose: str
    now: datetime
    flow: str | None = None
    node: str | None = None
    tool: str | None = None
    direction: str = "outbound"
    voice: str = "artificial"
    effects: frozenset[str] = frozenset()
    dial: bool = False
    parties: tuple[Party, ...] = ()
    subject: str | None = None
    facts: frozenset[str] | None = None
    consents: frozenset[str] | None = None
    disclosed: frozenset[str] | None = None
    lists: Lists = no_lists

    @property
    def contacts(self) -> bool:
        """Whether somebody's phone would ring or buzz."""
        return self.dial or "contact" in self.effects
