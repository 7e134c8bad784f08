"""After words were spoken or a batch of tools has settled: one move at most, and what holds then.

Of the moves that one batch asks for, one wins and the others are told so. An exit that holds
everywhere and that the model chose comes first: what a caller wants at any time is not shadowed by
a local exit. Then the exits without `when`, which cannot be wrong; then the model's local choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_runtime.call.act import time_is_up
from trunkline_runtime.call.call import Call, CallFailed
from trunkline_runtime.call.entry import take
from trunkline_runtime.call.exits import Move, NoMove, automatic, chosen, collected, offered
from trunkline_runtime.call.moment import Moment, moment_of
from trunkline_runtime.call.path import Reason, Refusal
from trunkline_runtime.table.nodes import EndNode, RouteNode, TalkNode

# A path of silent moves longer than this is a loop that the compiler should have found.
_MOST_SILENT_MOVES = 100


@dataclass(frozen=True)
class Told:
    """What the model is told about one move that it asked for."""

    words: str
    moved: bool


def decide(call: Call, wishes: Sequence[str], *, moved_by: Move | None = None) -> list[Told]:
    """Decides the moves of one batch and takes the winner, and every silent move after it.

    `wishes` are the targets that the model named, in order; `moved_by` is a move that something
    else has made already (an answer, a transfer that failed). The result says what became of each
    wish. Raises CallFailed.
    """
    call.state.unsettled = False
    before, known = call.state.node, moment_of(call) if wishes else Moment()
    results = [_wished(call, to) for to in wishes]
    if call.state.over:
        # The caller is gone, and with them every move but one that they are owed all the same.
        asked = [move for move in (moved_by, *results) if isinstance(move, Move)]
        winner = next((move for move in asked if _takes_off_the_list(call, move)), None)
    else:
        winner = moved_by or _winner(call, results)
    if winner is not None:
        take(call, winner)
    settle(call)
    told: list[Told] = []
    granted = False
    for result in results:
        won = result is winner and not granted
        granted = granted or won
        if isinstance(result, NoMove):
            refusal = Refusal(before, result.to, result.missing, call.now(), known)
            call.state.refusals.append(refusal)
        told.append(_told(call, result, won=won, winner=winner))
    return told


def settle(call: Call) -> None:
    """Takes the moves that hold without the model until words are owed or the model has to speak.

    Raises CallFailed.
    """
    for _ in range(_MOST_SILENT_MOVES):
        move = _silent(call)
        if move is None:
            return
        take(call, move)
    raise CallFailed("the flow moves in a circle without the caller")


def _wished(call: Call, to: str) -> Move | NoMove:
    node = call.node
    if not isinstance(node, TalkNode):
        return NoMove(to, ("this step has no exit to choose",))
    return chosen(call.table, node, to, call.state, call.conditions, call.values())


def _winner(call: Call, results: Sequence[Move | NoMove]) -> Move | None:
    moves = [result for result in results if isinstance(result, Move)]
    for move in moves:
        if any(move.edge is edge for edge in call.table.anywhere):
            return move
    return _silent(call) or (moves[0] if moves else None)


def _takes_off_the_list(call: Call, move: Move) -> bool:
    target = call.table.nodes.get(move.to)
    return isinstance(target, EndNode) and call.suppresses(target.outcome)


def _silent(call: Call) -> Move | None:
    """The move that holds now without the model: a limit on time, a route, an exit of a node."""
    state, node = call.state, call.node
    if state.over or state.closing:
        return None
    if time_is_up(call):
        state.limited = True
        reason = Reason("limit", f"the call has lasted {call.table.limits.max_minutes:g} minutes")
        return Move(call.table.limits.to or "", reason)
    if state.words:
        return None
    if isinstance(node, RouteNode):
        return automatic(node.edges, state, call.conditions, call.values())
    if isinstance(node, TalkNode) and collected(node, state):
        edges = (*node.edges, *call.table.anywhere)
        return automatic(edges, state, call.conditions, call.values())
    return None


def _told(call: Call, result: Move | NoMove, *, won: bool, winner: Move | None) -> Told:
    state = call.state
    if won:
        where = "The call is ending." if state.closing else f"The call is now at {state.node}."
        return Told(where, True)
    if winner is not None:
        return Told(
            f"Not moved to {result.to}: one move at a time, and the call has moved to "
            f"{state.node} ({winner.reason}).",
            False,
        )
    missing = result.missing if isinstance(result, NoMove) else ()
    node = call.node
    exits = (
        ", ".join(exit.to for exit in offered(call.table, node))
        if isinstance(node, TalkNode)
        else "none"
    )
    return Told(
        f"Not possible now: {'; '.join(missing)}. The call stays at {state.node}. Exits: {exits}.",
        False,
    )
