"""From what was heard to the value of a slot, by its declared type."""

from collections.abc import Sequence

from trunkline_runtime.call.collection.choice import one_of
from trunkline_runtime.call.collection.dates import day
from trunkline_runtime.call.collection.email import email_address
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.call.collection.numbers import amount, whole_number
from trunkline_runtime.call.collection.phone import phone_number
from trunkline_runtime.call.collection.text import LONGEST, plain_text
from trunkline_runtime.call.collection.times import clock_time, instant
from trunkline_runtime.call.collection.yes_no import yes_or_no
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.parts import Slot


def normalised(slot: Slot, raw: Json, hearing: Hearing, choices: Sequence[str] = ()) -> Json:
    """The value that a slot takes. `choices` are those of a `choice`, wherever they come from.

    Raises NotUnderstood, whose message tells the model what is wrong.
    """
    if isinstance(raw, str) and len(raw) > LONGEST:
        raise NotUnderstood(f"it is longer than {LONGEST} characters")
    match slot.type:
        case "integer":
            return whole_number(raw, hearing)
        case "number":
            return amount(raw, hearing)
        case "boolean":
            return _truth(raw, hearing)
        case "date":
            return day(raw, hearing)
        case "time":
            return clock_time(raw, hearing)
        case "datetime":
            return instant(raw, hearing)
        case "phone":
            return phone_number(raw, hearing)
        case "email":
            return email_address(raw, hearing)
        case "choice":
            return one_of(raw, choices, hearing.language)
        case _:
            return plain_text(raw, slot.pattern, hearing.language)


def _truth(raw: Json, hearing: Hearing) -> bool:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        if raw.strip().lower() in ("true", "false"):
            return raw.strip().lower() == "true"
        reply = yes_or_no(raw, hearing.language)
        if reply != "unclear":
            return reply == "yes"
    raise NotUnderstood("it must be a yes or a no: true or false")
