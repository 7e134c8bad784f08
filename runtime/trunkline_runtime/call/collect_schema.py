"""The tool by which the model hands over what the caller said: its parameters on a node."""

from collections.abc import Sequence
from typing import Any

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.listed import listed
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.table.parts import Slot

COLLECT = "collect"
# Properties beside the slots of a node; a slot of such a name takes its place.
DECLINED = "declined"
CHANGED = "changed"

# Constrained decoders take these everywhere; everything finer is checked when the value arrives.
_JSON_TYPES = {"integer": "integer", "number": "number", "boolean": "boolean"}
_FORMS = {
    "date": "YYYY-MM-DD",
    "time": "HH:MM, 24 hours",
    "datetime": "YYYY-MM-DDTHH:MM",
    "phone": "all digits that were said",
    "email": "name@domain",
}


def collect_schema(call: Call, node: TalkNode) -> dict[str, Any]:
    """The parameters of `collect`: each slot optional, and `declined` where one may be."""
    properties: dict[str, Any] = {
        name: _property(call, call.table.slots[name]) for name in node.collect
    }
    optional = [name for name in node.collect if call.table.slots[name].optional]
    if optional and DECLINED not in node.collect:
        properties[DECLINED] = {
            "type": "array",
            "items": {"type": "string", "enum": optional},
            "description": "What the caller would rather not say.",
        }
    elsewhere = answered_elsewhere(call, node)
    if elsewhere and CHANGED not in node.collect:
        properties[CHANGED] = {
            "type": "array",
            "items": {"type": "string", "enum": elsewhere},
            "description": "Earlier answers that the caller takes back; their steps ask again.",
        }
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _property(call: Call, slot: Slot) -> dict[str, Any]:
    says = [slot.description] if slot.description else []
    if slot.type in _FORMS:
        says.append(f"As {_FORMS[slot.type]}.")
    prop: dict[str, Any] = {"type": _JSON_TYPES.get(slot.type, "string")}
    choices = choices_of(call, slot)
    if slot.type == "choice" and choices:
        prop["enum"] = list(choices)
    if says:
        prop["description"] = " ".join(says)
    return prop


def answered_elsewhere(call: Call, node: TalkNode) -> list[str]:
    """The slots that the caller has filled and another step collects, in the order of the flow."""
    elsewhere = {
        name
        for other in call.table.nodes.values()
        if isinstance(other, TalkNode)
        for name in other.collect
    }.difference(node.collect)
    known = call.state.slots
    return [
        name
        for name in call.table.slots
        if name in elsewhere and name in known and known[name].source == "caller"
    ]


def choices_of(call: Call, slot: Slot) -> Sequence[str]:
    """The choices of a slot: its own, or the list in the last result of the tool that it names."""
    if slot.choices_from is None:
        return slot.choices
    return listed(call.state.results, slot.choices_from)
