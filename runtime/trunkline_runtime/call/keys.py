"""Keys of the telephone: where one leads, and digits that are typed into a slot."""

from dataclasses import dataclass

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collect import takes_digits
from trunkline_runtime.call.collection.yes_no import Reply
from trunkline_runtime.call.exits import Move, missing_slots
from trunkline_runtime.call.path import Reason
from trunkline_runtime.table.nodes import ConfirmNode, TalkNode

END_OF_DIGITS = "#"
_REPLIES: dict[str, Reply] = {"1": "yes", "2": "no"}


@dataclass(frozen=True)
class Typed:
    """Digits that belong to a slot; `done` when the caller ended them."""

    slot: str
    done: bool


def pressed(call: Call, key: str) -> Move | Typed | Reply | None:
    """What a key means here: digits of a slot, an exit, an answer to a question, or nothing.

    While digits are being collected no key is an exit. Otherwise the flow's own keys come before
    the node's, so that an exit which holds everywhere is not shadowed.
    """
    node = call.node
    slot = _awaited(call)
    if slot is not None:
        return Typed(slot, key == END_OF_DIGITS)
    own = node.keys if isinstance(node, TalkNode) else {}
    target = call.table.keys.get(key) or own.get(key)
    if target is not None:
        return Move(target, Reason("key", key))
    if isinstance(node, ConfirmNode):
        return _REPLIES.get(key, "unclear")
    return None


def typed_into(call: Call) -> str | None:
    """The slot into which the caller has typed digits that nobody has taken yet."""
    slot = _awaited(call)
    return slot if slot is not None and call.state.visit.typed.get(slot) else None


def _awaited(call: Call) -> str | None:
    node = call.node
    if not isinstance(node, TalkNode):
        return None
    for name in missing_slots(node, call.state):
        return name if takes_digits(call.table.slots[name]) else None
    return None
