"""Going to a node: what a move changes, and the fixed words that the new node owes the caller."""

from trunkline_runtime.call.call import Call, CallFailed
from trunkline_runtime.call.disclosures import NoDisclosure, disclosure
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.known import SlotValue
from trunkline_runtime.call.moment import Moment, moment_of
from trunkline_runtime.call.path import Reason, Step
from trunkline_runtime.call.rules import set_slot, unset_slot
from trunkline_runtime.call.spoken import Words
from trunkline_runtime.call.state import PinnedTo, Visit
from trunkline_runtime.call.watched import watcher
from trunkline_runtime.expression import EvaluationError, Unset
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.nodes import (
    ConfirmNode,
    EndNode,
    LinkNode,
    TalkNode,
    TransferNode,
)

ABANDONED = "abandoned"
FAILED = "failed"


def take(call: Call, move: Move, owed: str | None = None) -> None:
    """Takes a move: the call stands on its target, or on where a limit sends it instead.

    `owed` are words, filled in, that the exit to a link has left to say in the other flow.
    """
    if move.to != "":
        move = _over_limit(call, move) or move
    watching = watcher.get()
    if watching is not None:
        watching.moves(call, move)
    if move.to == "":
        close(call, ABANDONED, move.reason)
        return
    before, known = call.node, moment_of(call)
    # What an exit says is said of what was known when it was taken, also of what it clears.
    said = move.edge.say if move.edge is not None else None
    edge_say = owed if said is None else call.words(said)
    if move.edge is not None:
        for name in move.edge.clears:
            unset_slot(call.state, name)
    _stand_on(call, move, known, from_aside=isinstance(before, TalkNode) and before.aside)
    node = call.node
    if isinstance(node, LinkNode):
        _link(call, node, edge_say)
        return
    if move.edge is not None and move.edge.correction and isinstance(node, TalkNode):
        call.state.ask_again |= {name for name in node.collect if name in call.state.slots}
        call.state.declined -= set(node.collect)
    owe_words(call, edge_say)


def close(call: Call, outcome: str, reason: Reason) -> None:
    """Ends the dialogue without an end node: nothing more is said than what is owed already."""
    state, known = call.state, moment_of(call)
    state.outcome = outcome
    state.closing = True
    state.words.clear()
    state.path.append(Step(state.flow, "", state.visit.number, reason, call.now(), known))


def fail(call: Call, why: str) -> None:
    """The flow itself failed: to its `error` node, or, if that failed too, to the end.

    An end that failed (its opt-out could not be written down) has no outcome any more. Raises
    CallFailed if the error node cannot be entered either.
    """
    state = call.state
    if state.over:
        return
    target = call.table.error
    first = not state.failures
    state.failures.append(why)
    state.words.clear()
    state.closing, state.outcome = False, None
    if target is None or not first or state.node == target:
        close(call, FAILED, Reason("error", why))
    else:
        take(call, Move(target, Reason("error", why)))


def give_up(call: Call, why: str) -> None:
    """Even failing failed: the call is over at once, with that on record."""
    state = call.state
    state.failures.append(why)
    state.words.clear()
    state.outcome = FAILED
    state.closing = state.over = True


def _over_limit(call: Call, move: Move) -> Move | None:
    """The move that a limit on visits makes instead; its target is "" for the plain end."""
    node = call.table.nodes[move.to]
    own = node.limits if isinstance(node, TalkNode) else None
    limits = call.table.limits
    allowed = own.max_visits if own is not None else limits.max_visits
    if call.state.visits.get(f"{call.state.flow}/{move.to}", 0) < allowed:
        return None
    reason = Reason("limit", f"{move.to} was entered {allowed} times")
    target = (own.to if own is not None else None) or limits.to
    if target is None or target == move.to or move.reason.cause == "limit":
        return Move("", reason)
    return _over_limit(call, Move(target, reason)) or Move(target, reason)


def _stand_on(call: Call, move: Move, known: Moment, *, from_aside: bool) -> None:
    state = call.state
    target = call.table.nodes[move.to]
    if isinstance(target, TalkNode) and target.aside:
        # an aside entered from an aside replaces it: the host stays
        state.host = state.host if from_aside else state.node
    else:
        state.host = None
    number = state.visit.number + 1
    state.visit = Visit(number, move.to)
    state.words.clear()
    key = f"{state.flow}/{move.to}"
    state.visits[key] = state.visits.get(key, 0) + 1
    state.path.append(Step(state.flow, move.to, number, move.reason, call.now(), known))
    if isinstance(target, EndNode):
        # decided on arrival: a caller who hangs up over the goodbye does not undo it
        state.outcome = target.outcome
        state.closing = True


def owe_words(call: Call, edge_say: str | None = None) -> None:
    """Puts what the node says by itself before everything else. Raises CallFailed.

    `edge_say` is what the exit to it says, filled in.
    """
    node, owed = call.node, call.state.words
    if edge_say is not None:
        owed.append(Words("say", edge_say))
    if isinstance(node, TalkNode):
        owed.extend(_of_talk(call, node))
    elif isinstance(node, ConfirmNode):
        owed.append(Words("confirm", call.words(node.say)))
    elif isinstance(node, EndNode) and node.say is not None:
        owed.append(Words("end", call.words(node.say)))
    elif isinstance(node, TransferNode) and node.say is not None:
        owed.append(Words("transfer", call.words(node.say)))


def _of_talk(call: Call, node: TalkNode) -> list[Words]:
    again = call.state.visits[f"{call.state.flow}/{node.id}"] > 1
    owed: list[Words] = []
    if node.speak and not again:
        try:
            texts = [disclosure(call.policy, name, call.table.language) for name in node.speak]
        except NoDisclosure as error:
            raise CallFailed(str(error)) from None
        text = " ".join(call.words(text) for text in texts)
        owed.append(Words("disclosure", text, disclosures=node.speak))
    say = node.say_again if again else node.say
    if say is not None:
        owed.append(Words("say", call.words(say)))
    return owed


def _link(call: Call, node: LinkNode, owed: str | None) -> None:
    """Goes on in the other flow: nothing is proven there, and only what `with` gives is set.

    `owed` is what the exit to the link says, filled in; a link has no turn of its own to say it.
    """
    state = call.state
    given = _given(call, node)
    call.pin = call.pin.linked(node.flow)
    table = call.table
    # the link is no node of the other flow
    state.visit = Visit(state.visit.number, table.start)
    state.flow, state.language = table.flow, table.language
    state.pin = PinnedTo(call.pin.tag, call.pin.digest)
    for name in list(state.slots):
        unset_slot(state, name)
    state.slots.clear()
    state.facts.clear()
    state.declined.clear()
    state.results.clear()
    # a result that is still on its way belongs to the flow that is left
    state.links += 1
    for name, value in given.items():
        if name in table.inputs:
            state.inputs[name] = value
        else:
            set_slot(state, name, SlotValue(value, "link", node.id))
    take(call, Move(table.start, Reason("link", node.id)), owed)


def _given(call: Call, node: LinkNode) -> dict[str, Json]:
    values = call.values()
    given: dict[str, Json] = {}
    for name, bound in node.bind.items():
        try:
            given[name] = (
                call.conditions.of(bound).value(values) if isinstance(bound, str) else bound
            )
        except (Unset, EvaluationError):
            continue  # the flow that is entered asks for it
    return given
