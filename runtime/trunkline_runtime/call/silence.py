"""What a silence does: the words said into it, and where it leads when they do not help."""

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.late import filler
from trunkline_runtime.call.path import Reason
from trunkline_runtime.call.spoken import Words
from trunkline_runtime.table.nodes import ConfirmNode, TalkNode
from trunkline_runtime.table.parts import Silence


def silence_of(call: Call) -> Silence:
    """The node's own rules for silence, else the flow's."""
    node = call.node
    if isinstance(node, TalkNode) and node.silence is not None:
        return node.silence
    return call.table.silence


def waits_for_caller(call: Call) -> bool:
    """Whether silence counts here at all: not while the call itself has to go on."""
    if call.state.closing or call.state.over:
        return False
    return isinstance(call.node, TalkNode | ConfirmNode)


def fell_silent(call: Call) -> Move | None:
    """The caller let the time run out once more.

    The words are owed `times` times; after that the call moves: the target is "" where the rules
    name none, which means the outcome `abandoned`. Without words of its own the question of a
    confirm node is put again, and on a talk node the model asks (None, and nothing is owed). While
    a tool works in the background, its words for that are said, and the silence does not count.
    """
    waiting = filler(call)
    if waiting is not None:
        # they wait for us: a silence of theirs is none
        call.state.words.append(Words("filler", waiting))
        return None
    rules = silence_of(call)
    call.state.visit.silences += 1
    count = call.state.visit.silences
    if count > rules.times:
        return Move(rules.to or "", Reason("silence", f"{rules.times} times without an answer"))
    if rules.say is not None:
        call.state.words.append(Words("silence", call.words(rules.say)))
    elif isinstance(call.node, ConfirmNode):
        call.state.words.append(Words("confirm", call.words(call.node.say)))
    return None
