"""The runtime's own calls: what a generation really did, or has to do, comes back through them.

A generation may be thrown away before anybody hears it; a tool call of it is carried out only when
its turn has come. So whatever changes the call travels as a call of one tool, which the model never
sees: words were spoken, a question was answered, a transfer is due, the call ends.
"""

from dataclasses import dataclass
from typing import TypeAlias

from trunkline_runtime.call.collection.yes_no import Reply
from trunkline_runtime.call.spoken import Words

# LiveKit keeps names that begin with `lk_` to itself, so no tool of a catalogue has this one.
STEP = "lk_step"


@dataclass(frozen=True)
class Spoke:
    """These words were spoken. `more`: the call goes on by itself, the caller has no floor yet."""

    words: tuple[Words, ...]
    more: bool


@dataclass(frozen=True)
class Answered:
    """The caller answered a question; `message` is the id of what they said."""

    reply: Reply
    message: str


@dataclass(frozen=True)
class Advance:
    """Look whether a move holds: a result came in late, or the time is up."""


@dataclass(frozen=True)
class Suppress:
    """Write down that this number is not to be called again."""


@dataclass(frozen=True)
class HandOver:
    """Hand the call to a human."""


@dataclass(frozen=True)
class Close:
    """The last word is spoken: the line may drop."""


@dataclass(frozen=True)
class Failure:
    """Something of ours, or the model, failed."""

    why: str


Step: TypeAlias = Spoke | Answered | Advance | Suppress | HandOver | Close | Failure
