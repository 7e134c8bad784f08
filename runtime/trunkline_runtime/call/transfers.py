"""Handing a call to a human: who is called, what they are told, and whether they took it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.spoken_value import spoken
from trunkline_runtime.table.nodes import TransferNode

Mode = Literal["warm", "cold"]
_E164 = re.compile(r"\+[1-9][0-9]{6,14}")


@dataclass(frozen=True)
class HandOff:
    """One transfer. `name` is the number's name in the tenant's settings, `number` its E.164.

    `summary` maps a slot to its value in words: what a human hears first in a warm transfer.
    """

    call_id: str
    tenant: str
    language: str
    name: str
    number: str
    mode: Mode
    summary: Mapping[str, str]


@dataclass(frozen=True)
class Taken:
    """Whether a human took the call, who, and what they said first, as far as that is known."""

    answered: bool
    who: str | None = None
    says: str | None = None


class Transfers(Protocol):
    """How calls are handed over here: over SIP, or to the sandbox's desk in a text call.

    An exception counts as a transfer that did not come about.
    """

    async def hand_over(self, hand_off: HandOff) -> Taken: ...


def hand_off(call: Call, node: TransferNode) -> HandOff | None:
    """What a transfer node asks for; None if it names no number that the tenant has.

    What is no E.164 number is none: a release that was made by hand must not dial an address or a
    short number of whatever network the call is on.
    """
    name = number_name(call, node)
    number = call.settings.numbers.get(name, "") if name is not None else ""
    if name is None or _E164.fullmatch(number) is None:
        return None
    return HandOff(
        call_id=call.state.call_id,
        tenant=call.state.tenant,
        language=call.table.language,
        name=name,
        number=number,
        mode="cold" if node.mode == "cold" else "warm",
        summary={
            slot: spoken(
                call.state.slots[slot].value, call.table.slots[slot].type, call.table.language
            )
            for slot in node.summary
            if slot in call.state.slots
        },
    )


def number_name(call: Call, node: TransferNode) -> str | None:
    """The name of the number: as written, or by the value of a slot, else its default."""
    if isinstance(node.number, str):
        return node.number
    slot = call.state.slots.get(node.number.by.removeprefix("slots."))
    if slot is not None and str(slot.value) in node.number.names:
        return node.number.names[str(slot.value)]
    return node.number.default
