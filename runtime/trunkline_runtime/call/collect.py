"""Collecting: what the model hands over of what the caller said becomes the values of slots."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import phonenumbers

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collect_schema import (
    CHANGED,
    DECLINED,
    answered_elsewhere,
    choices_of,
)
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.call.collection.normalise import normalised
from trunkline_runtime.call.exits import missing_slots
from trunkline_runtime.call.known import SlotValue
from trunkline_runtime.call.rules import decline_slot, set_slot
from trunkline_runtime.call.zones import zone_of_number
from trunkline_runtime.policy.clock import zone
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.table.parts import Slot

# What models write where nothing was said; no caller says these as an answer.
_NOTHING = frozenset(
    {"", "null", "undefined", "unknown", "n/a", "not provided", "not given", "not specified"}
    | {"not available", "unspecified"}
)


@dataclass(frozen=True)
class Collected:
    """What became of one `collect`. `words` tell the model; `any` says that something was taken."""

    words: str
    any: bool


def collect(call: Call, node: TalkNode, args: Mapping[str, Json]) -> Collected:
    """Takes what fits, says what does not. A value that changes lets fall what rested on it."""
    taken: list[str] = []
    wrong: list[str] = []
    elsewhere, changed = answered_elsewhere(call, node), list[str]()
    for name, raw in args.items():
        if name in (DECLINED, CHANGED) and name not in node.collect:
            continue
        if name not in node.collect and name in elsewhere:
            if _differs(call, name, raw):
                changed.append(name)
        elif name not in node.collect:
            wrong.append(f"{name} is not collected here")
        elif _is_nothing(raw):
            continue  # a model that fills in every property means nothing by it
        else:
            try:
                value = normalised(call.table.slots[name], raw, hearing(call), _choices(call, name))
            except NotUnderstood as error:
                wrong.append(f"{name}: {error}")
                continue
            call.keep_private(name, value)
            set_slot(call.state, name, SlotValue(value, "caller", node.id))
            call.state.visit.typed.pop(name, None)
            taken.append(f"{name} is {value}" if value != raw else name)
    changed += [] if CHANGED in node.collect else _names(args.get(CHANGED))
    for name in dict.fromkeys(changed):
        if name in elsewhere:
            # it changes only where it is collected: until then the old value stands
            call.state.ask_again.add(name)
            taken.append(f"{name} is asked for again at its own step")
        else:
            wrong.append(f"{name} is no earlier answer")
    for name in [] if DECLINED in node.collect else _names(args.get(DECLINED)):
        if name not in node.collect or not call.table.slots[name].optional:
            wrong.append(f"{name} cannot be declined")
        elif not _is_nothing(args.get(name)):
            wrong.append(f"{name} was given and declined at once")
        else:
            decline_slot(call.state, name)
            taken.append(f"{name} is declined")
    return Collected(_report(taken, wrong, missing_slots(node, call.state)), bool(taken))


def _is_nothing(raw: Json) -> bool:
    """Whether a model filled in a property for which the caller said nothing."""
    return raw is None or (
        isinstance(raw, str) and raw.strip().strip("<>[]().").lower() in _NOTHING
    )


def _differs(call: Call, name: str, raw: Json) -> bool:
    """Whether the caller takes back an answer: what the model hands over is another value."""
    if _is_nothing(raw):
        return False
    try:
        value = normalised(call.table.slots[name], raw, hearing(call), _choices(call, name))
    except NotUnderstood:
        return False
    return value != call.state.slots[name].value


def _names(raw: Json) -> list[str]:
    """The slots that are named; a model may name one without making a list of it."""
    if isinstance(raw, str):
        return [] if _is_nothing(raw) else [raw]
    return list(dict.fromkeys(str(name) for name in raw)) if isinstance(raw, list | tuple) else []


def _choices(call: Call, name: str) -> Sequence[str]:
    return choices_of(call, call.table.slots[name])


def _report(taken: list[str], wrong: list[str], missing: Sequence[str]) -> str:
    parts = [f"Noted: {', '.join(taken)}." if taken else "Nothing was noted."]
    if wrong:
        parts.append(f"Not taken: {'; '.join(wrong)}.")
    if missing:
        parts.append(f"Still missing: {', '.join(missing)}.")
    return " ".join(parts)


def hearing(call: Call) -> Hearing:
    """The circumstances of this call: its language, the country of the number, the day there."""
    here = zone_of_number(call.state.party) or zone(call.settings.timezone)
    language = call.table.language
    return Hearing(language, _region(call), here, call.clock.now().astimezone(here).date())


def _region(call: Call) -> str:
    for number in (call.state.party, *call.settings.numbers.values()):
        if number is None:
            continue
        try:
            region = phonenumbers.region_code_for_number(phonenumbers.parse(number))
        except phonenumbers.NumberParseException:
            continue
        if region:
            return str(region)
    territory = re.search(r"-([A-Z]{2})$", call.table.language)
    return territory[1] if territory else "US"


def takes_digits(slot: Slot) -> bool:
    """Whether a slot can be typed on a telephone: numbers, and text whose pattern wants digits."""
    if slot.type in ("integer", "number", "phone"):
        return True
    if slot.type != "string" or slot.pattern is None:
        return False
    tries = [str(digit) * length for digit in (0, 1, 5, 9) for length in range(1, 21)]
    return any(re.fullmatch(slot.pattern, text) for text in tries) and not re.fullmatch(
        slot.pattern, "abc"
    )
