"""What the call says or does next, decided from its state alone: nothing is changed here.

LiveKit may ask for a generation that nobody hears in the end (it generates while the caller still
talks), so the decision must be free of effects; what was really said comes back as a step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collection.yes_no import Reply, yes_or_no
from trunkline_runtime.call.exits import automatic, collected, missing_slots
from trunkline_runtime.call.spoken import Words
from trunkline_runtime.table.nodes import ConfirmNode, TalkNode, TransferNode


@dataclass(frozen=True)
class Speak:
    """Say fixed words. `more`: something follows at once; else the caller has the floor.

    `model`: the model goes on in the same breath, so that it thinks while the words are heard.
    """

    words: tuple[Words, ...]
    more: bool = False
    model: bool = False


@dataclass(frozen=True)
class AskModel:
    """Let the model speak and call. Words of its own alone are replaced by `ask`, if there is one.

    `ask` are the exact words for the next slot: due until they have been said once in this visit.
    """

    ask: Words | None = None


@dataclass(frozen=True)
class Do:
    """Something that is not speech: write an opt-out down, take a transfer, go on, end."""

    what: Literal["suppress", "transfer", "advance", "close"]


@dataclass(frozen=True)
class Answer:
    """The caller answered the question of a confirm node."""

    reply: Reply


@dataclass(frozen=True)
class Wait:
    """Nothing: the caller has the floor, or the call is over."""


Act: TypeAlias = Speak | AskModel | Do | Answer | Wait


def next_act(call: Call, said: str | None, in_flight: Sequence[Words] = ()) -> Act:
    """What comes next. `said` is what the caller said and nobody has answered yet.

    `in_flight` are owed words that are being spoken at this moment.
    """
    state, node = call.state, call.node
    if state.over:
        return Wait()
    if state.closing and not state.suppressed and call.suppresses(state.outcome or ""):
        return Do("suppress")  # on disk before a word of it is spoken
    owed = [words for words in state.words if not any(words is spoken for spoken in in_flight)]
    if owed:
        return _speak(call, owed)
    if state.closing:
        return Do("close")
    if isinstance(node, TransferNode):
        return Do("transfer")
    if isinstance(node, ConfirmNode):
        if said is not None:
            return Answer(yes_or_no(said, call.table.language))
        return Do("advance") if time_is_up(call) else Wait()
    if not isinstance(node, TalkNode):
        return Do("advance")
    if state.unsettled or time_is_up(call):
        return Do("advance")
    return AskModel(due_ask(call, node))


def _speak(call: Call, owed: Sequence[Words]) -> Speak:
    """The first words that may be interrupted alike; what can be cut off waits for what cannot."""
    first = owed[0].interruptible
    cut = next((at for at, words in enumerate(owed) if words.interruptible != first), len(owed))
    words = tuple(owed[:cut])
    last = words[-1]
    if cut < len(owed) or last.kind in ("disclosure", "end", "transfer"):
        return Speak(words, more=True)
    if last.kind != "say":
        return Speak(words)
    node = call.node
    if not isinstance(node, TalkNode) or _exit_holds(call, node):
        return Speak(words, more=True)
    return Speak(words, model=_has_more_to_say(call, node, last))


def _has_more_to_say(call: Call, node: TalkNode, last: Words) -> bool:
    """Whether the model goes on after the fixed words: not if they were a question already."""
    if missing_slots(node, call.state):
        return True
    return node.instructions is not None and not last.text.endswith("?")


def _exit_holds(call: Call, node: TalkNode) -> bool:
    """Whether an exit without `when` is taken as soon as the words are spoken."""
    if not collected(node, call.state):
        return False
    edges = (*node.edges, *call.table.anywhere)
    return automatic(edges, call.state, call.conditions, call.values()) is not None


def due_ask(call: Call, node: TalkNode) -> Words | None:
    """The exact words for the next missing slot, unless they were said in this visit already."""
    for name in missing_slots(node, call.state):
        slot = call.table.slots[name]
        if slot.ask is None or name in call.state.visit.asked:
            return None
        return Words("ask", call.words(slot.ask), name)
    return None


def time_is_up(call: Call) -> bool:
    """Whether the call has lasted as long as it may, and nothing has been done about it yet."""
    return not call.state.limited and seconds_left(call) <= 0.0


def seconds_left(call: Call) -> float:
    """How much longer the call may last; a flow that it was linked to has a limit of its own."""
    lasted = (call.clock.now() - call.state.started).total_seconds()
    return call.table.limits.max_minutes * 60.0 - lasted
