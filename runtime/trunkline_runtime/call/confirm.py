"""A confirm node: what an answer to its exact words does. No model takes part."""

import re

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collection.yes_no import Reply, yes_or_no
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.rules import establish
from trunkline_runtime.call.spoken import Words
from trunkline_runtime.table.nodes import ConfirmNode

_SLOT = re.compile(r"\{\{\s*slots\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


def answered(call: Call, node: ConfirmNode, reply: Reply) -> Move | None:
    """The move that an answer makes; None while the question is put again.

    A yes establishes the node's facts. They rest on the slots that its words read out.
    """
    if reply == "yes":
        for fact in node.establishes:
            establish(
                call.state, fact, by=node.id, subject=None, slots=set(_SLOT.findall(node.say))
            )
        return Move(node.on_yes, Reason("confirm", "yes"))
    if reply == "no":
        return Move(node.on_no, Reason("confirm", "no"))
    if call.state.visit.questions < node.times:
        call.state.words.append(Words("confirm", call.words(node.say)))
        return None
    return Move(node.on_unclear, Reason("confirm", "neither yes nor no"))


def agrees(call: Call, words: str) -> bool:
    """Whether words are a yes to the question on which the call stands."""
    asked = isinstance(call.node, ConfirmNode)
    return asked and yes_or_no(words, call.table.language) == "yes"
